"""Learning from games played here, and a match that shows whether it helped (Ng's future work)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outflank import records
from outflank.arena import PairResult, match, random_openings
from outflank.arena.store import Store, default_store
from outflank.data.store import store_folder
from outflank.errors import DataError
from outflank.learn.layout import read_json
from outflank.learn.learner import no_report
from outflank.learn.run import refuse_a_second
from outflank.learn.session import Ending, train_run
from outflank.learn.training import TrainingObserver
from outflank.learn.value.config import PATTERNS, ValueConfig
from outflank.learn.value.learner import LEARNER
from outflank.models import find_network_file, load_network
from outflank.nets.pattern_value import ARCHITECTURE
from outflank.othello import Game, Position
from outflank.players.spec import Spec

ARENA, LAB = "arena", "lab"  # what may be given instead of a file of games
GAMES_FILE = "games.sgf"  # beside the run's folder, its name in front: what it learned from

# How far a network that has learned enough is moved: less than when it began.
_PASSES, _CONVOLUTIONAL_RATE, _PATTERNS_RATE = 3.0, 0.0003, 0.0003


@dataclass(frozen=True)
class Refinement:
    """What came of learning from some games.

    Attributes:
        games: How many games it learned from.
        ending: Of the training.
        result: Of a match between the new network and the old one; None if there was none, as
            after a training that was interrupted.
    """

    games: int
    ending: Ending
    result: PairResult | None


def collect_games(source: str, *, lab: Path | None = None, arena: Path | None = None) -> list[Game]:
    """Return finished games: of a file, of the lab, or of the arena's store.

    Args:
        source: A file of games, "lab" or "arena".
        lab: Folder of the lab's games; the store's if None.
        arena: File of the arena's results; the usual one if None.
    """
    if source == ARENA:
        with Store(arena or default_store(), create=False) as store:
            games = list(store.games())
    elif source == LAB:
        folder = lab or store_folder("lab")
        games = [_lab_game(path) for path in sorted(folder.glob("*.json"))]
    else:
        games = list(records.read(Path(source).expanduser()))
    finished = [game for game in games if game.is_over]
    if not finished:
        raise DataError(f"{source}: no finished game to learn from")
    return finished


def _lab_game(path: Path) -> Game:
    state = read_json(path)
    try:
        start = Position.from_string(state["start"])
        return Game.from_moves(state["moves"], start=start)
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path}: not a game of the lab: {error}") from None


def refining_config(network: str, games: str, settings: list[str]) -> ValueConfig:
    """Return how a network goes on learning: as it began, but for the games and a lower rate.

    Args:
        network: A run's folder, or the file of a network with its weights for training beside it.
        games: File of the games.
        settings: Changes, each "field=value".
    """
    path = find_network_file(network)
    card = load_network(path).card
    fields: dict[str, Any] = dict(card.training.get("config", {}))
    if card.training.get("learner") != "value":
        raise DataError(f"{network}: is no network of outflank learn value, so it cannot go on")
    config = ValueConfig.from_json(fields, str(path))
    patterns = card.architecture == ARCHITECTURE
    changed = dataclasses.replace(
        config,
        network=PATTERNS if patterns else config.network,
        games=games,
        years="",
        start=network,
        states=0,
        epochs=_PASSES,
        patience=0,
        learning_rate=_PATTERNS_RATE if patterns else _CONVOLUTIONAL_RATE,
        held_out=min(config.held_out, 0.1),
    )
    return changed.with_settings(settings)


def refine(
    network: str,
    source: str,
    folder: Path,
    *,
    settings: list[str] | None = None,
    match_games: int = 0,
    limit: str = "time=100ms",
    seed: int = 1,
    observers: list[TrainingObserver] | None = None,
    report: Callable[[str], None] = no_report,
) -> Refinement:
    """Go on training a network with games played here, and let the new one play the old one.

    A folder that already has a run is an error, and then nothing is written: that run needs its
    games to resume. There is no match if training was interrupted.

    Args:
        network: As for refining_config.
        source: As for collect_games.
        folder: Of the new run.
        settings: Changes of the configuration, each "field=value".
        match_games: Games of the match; 0: no match.
        limit: Of both sides' searches.
        seed: Of the match's openings.
        observers: Called as training proceeds.
        report: Takes a line about what is being done.
    """
    refuse_a_second(folder)
    games = collect_games(source)
    kept = folder.parent / f"{folder.name}-{GAMES_FILE}"
    config = refining_config(network, str(kept), settings or [])
    kept.parent.mkdir(parents=True, exist_ok=True)
    records.write(kept, games)
    report(f"learning from {len(games)} games")
    ending = train_run(LEARNER, folder, config, observers=observers or [], report=report)
    result = None
    if match_games and ending.finished:
        report(f"a match of {match_games} games against the network it comes from")
        openings = random_openings(plies=8, count=(match_games + 1) // 2, seed=seed)
        first, second = (
            str(Spec.parse(f"alphabeta:net={path},{limit}"))
            for path in (find_network_file(str(folder)), find_network_file(network))
        )
        result = match(first, second, openings=openings)
    return Refinement(len(games), ending, result)
