"""Self-play as a learner: what the command, the page and the documentation know of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from outflank.learn.layout import read_config
from outflank.learn.learner import PYTORCH, Curve, Learner, TrainingContext, workers_option
from outflank.learn.run import Run
from outflank.learn.selfplay.config import PRESETS, SelfPlayConfig, playing_words
from outflank.learn.training import Trainer
from outflank.players.spec import Spec

NETWORKS = ("network.onnx", "network.safetensors")  # the first needs no PyTorch to play

_ABOUT = """
Generations of games with a tree search over the network, each followed by learning from the
last games: the search's visit counts teach the policy, the outcomes the value. No games of
experts and no evaluation are used. A run may be interrupted at any time; --resume goes on as
if nothing had happened.

Examples:

    outflank learn selfplay --preset smoke --run first

    outflank learn selfplay --preset laptop --run agent --hours 3

    outflank learn selfplay --preset paper --run fu-xu            # needs PyTorch, and days

    outflank match mcts:net=runs/agent,sims=100 alphabeta:eval=course,depth=4 --openings random:8
"""


@contextmanager
def _trainer(config: SelfPlayConfig, context: TrainingContext) -> Iterator[Trainer]:
    from outflank.learn.selfplay.trainer import SelfPlayTrainer

    trainer = SelfPlayTrainer(config, context.folder, context.options["workers"])
    try:
        yield trainer
    finally:
        trainer.close()


def _player(folder: Path) -> str | None:
    network = next((path for name in NETWORKS if (path := folder / name).is_file()), None)
    if network is None:
        return None
    config = SelfPlayConfig.from_json(read_config(folder)[1], str(folder))
    return str(Spec("mcts", options={"net": str(network), **playing_words(config)}))


def _closing(run: Run) -> list[str]:
    measured = [line for line in run.metrics() if "elo" in line]
    words = []
    if measured:
        last = measured[-1]
        words.append(
            f"after {last['games']:,} games: Elo {last['elo']:.0f} on the anchors' scale, where "
            f"random is 0; {last['against_course_4']:.0%} against course alpha-beta at depth 4"
        )
    return [*words, str(run.folder)]


LEARNER = Learner(
    name="selfplay",
    title="Self-play: a network and a tree search improve each other (Fu and Xu, 2017)",
    config=SelfPlayConfig,
    presets=PRESETS,
    default="smoke",
    trainer=_trainer,
    player=_player,
    plays="its newest network, with a tree search",
    about=_ABOUT,
    curves=(
        Curve(
            "Strength",
            {"elo": "Elo"},
            unit="Elo",
            help="By matches against opponents that never change; the random player is 0.",
        ),
        Curve(
            "Anchors",
            {
                "against_random": "random",
                "against_greedy": "greedy",
                "against_discs_4": "discs, depth 4",
                "against_iago_4": "Iago, depth 4",
                "against_course_4": "course, depth 4",
                "against_rollouts_200": "pure MCTS, 200",
            },
            unit="share",
            help="Winning rates against these opponents, over random openings.",
        ),
        Curve(
            "Losses",
            {"loss": "policy", "value_loss": "value"},
            help="Cross-entropy with the search's visit counts; squared error of the value.",
        ),
        Curve(
            "Entropy",
            {"entropy": "of the search", "surprise": "from network to search"},
            unit="nats",
            help="How undecided the search is about its moves, and how far it moves away from the "
            "network's policy. If both go to zero early, exploration has died.",
        ),
        Curve(
            "Games",
            {"draws": "drawn", "black_wins": "won by black"},
            unit="share",
            help="How the games of each generation ended.",
        ),
        Curve(
            "Length",
            {"length": "moves of a game"},
            unit="moves",
            help="A game ends early if a side is wiped out, or where the solver takes over.",
        ),
    ),
    needs=(replace(PYTORCH, only_for="the preset paper"),),
    options=(workers_option(1),),
    closed=("start",),
    closing=_closing,
)
