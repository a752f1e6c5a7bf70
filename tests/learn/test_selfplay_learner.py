"""Self-play: games that do not depend on who plays them where, and an agent that learns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank import _core
from outflank.errors import DataError
from outflank.learn import find_learner, train_run
from outflank.learn.selfplay import PlayedPositions, Replay, SelfPlayConfig, Window, preset
from outflank.learn.selfplay.playing import game_options, search_options
from outflank.learn.selfplay.trainer import REPLAY, SelfPlayTrainer
from outflank.nets.files import load_tensors
from outflank.players import make_player

LEARNER = find_learner("selfplay")
SMALL = [
    "games=6", "simulations=4", "generations=4", "window=12", "window_growth=0", "batch=64",
    "evaluate_games=0", "threads=1",
]  # fmt: skip


def small(*settings: str) -> SelfPlayConfig:
    return preset("smoke").with_settings([*SMALL, *settings])


def played(config: SelfPlayConfig, games: int = 6) -> dict[str, Any]:
    network = _core.LineNetwork(channels=16, blocks=1, layers=1, hidden=16, seed=5)
    return _core.play_selfplay(
        network, games, search_options(config), game_options(config, 0), seed=3
    )


def weights_after(folder: Path) -> dict[str, Any]:
    checkpoints = sorted((folder / "checkpoints").glob("step-*"))
    return load_tensors(checkpoints[-1] / "training.safetensors", kind="training")[0]


def assert_same(first: dict[str, Any], second: dict[str, Any]) -> None:
    assert first.keys() == second.keys()
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], err_msg=name)


def test_positions_come_back_from_the_replay_buffer(tmp_path: Path) -> None:
    games = played(small("full_share=0.5", "fast_simulations=2"))
    replay = Replay(tmp_path / "replay")
    replay.save(1, PlayedPositions.of_games(games), {"weights": "x"})
    positions, facts = replay.load(1)
    window = Window(positions)
    found = window.policies(np.arange(len(window)))
    wanted = np.where(games["full"][:, None], games["policy"], np.float32(0))
    np.testing.assert_allclose(found, wanted, atol=1e-4)
    assert 0 < games["full"].sum() < len(games["full"])
    assert facts == {"weights": "x"}
    for name in ("own", "other", "outcome"):
        np.testing.assert_array_equal(getattr(positions, name), games[name])
    some = np.array([5, 0, 5])
    np.testing.assert_array_equal(window.policies(some), found[some])


def test_a_buffer_that_was_cut_short_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    train_run(LEARNER, folder, small("generations=2"))
    last = folder / REPLAY / "generation-000002.safetensors"
    last.write_bytes(last.read_bytes()[:-100])
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "generations": 2}))
    with pytest.raises(DataError, match=r"generation-000002.safetensors: not a whole .safetensors"):
        train_run(LEARNER, folder)


def test_arrays_that_do_not_fit_together_are_named(tmp_path: Path) -> None:
    positions = PlayedPositions.of_games(played(small()))
    replay = Replay(tmp_path)
    short = PlayedPositions(**{**positions.tensors(), "shares": positions.shares[:-1]})
    replay.save(1, short, {})
    with pytest.raises(DataError, match="arrays do not fit together"):
        replay.load(1)


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    config = small("games=300", "simulations=1", "generations=2", "passes=0.05")
    for workers in (1, 2):
        train_run(LEARNER, tmp_path / str(workers), config, options={"workers": workers})
    assert_same(weights_after(tmp_path / "1"), weights_after(tmp_path / "2"))


class _Killed(BaseException):
    pass


@pytest.mark.parametrize("moment", ["while it plays", "while it learns"])
def test_a_run_that_was_killed_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    config = small("average=0.5")
    train_run(LEARNER, tmp_path / "whole", config)
    method = "_games_of" if moment == "while it plays" else "_learn"
    real = getattr(SelfPlayTrainer, method)

    def killed(self: SelfPlayTrainer, *args: Any) -> Any:
        if self.step == 2:
            raise _Killed
        return real(self, *args)

    monkeypatch.setattr(SelfPlayTrainer, method, killed)
    with pytest.raises(_Killed):
        train_run(LEARNER, tmp_path / "killed", config)
    monkeypatch.undo()
    ending = train_run(LEARNER, tmp_path / "killed")
    assert ending.finished
    assert_same(weights_after(tmp_path / "whole"), weights_after(tmp_path / "killed"))
    without_time = [
        [
            {**json.loads(line), "seconds": 0, "cpu_hours": 0}
            for line in path.read_text().splitlines()
        ]
        for path in (tmp_path / "whole" / "metrics.jsonl", tmp_path / "killed" / "metrics.jsonl")
    ]
    assert without_time[0] == without_time[1]


def test_training_ends_when_its_processor_time_is_used_up(tmp_path: Path) -> None:
    config = small("cpu_hours=1e-6")
    ending = train_run(LEARNER, tmp_path / "run", config)
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    assert ending.finished
    assert len(lines) == 1
    assert json.loads(lines[0])["generation"] == 1
    assert train_run(LEARNER, tmp_path / "run").finished  # there is nothing left to do
    assert (tmp_path / "run" / "metrics.jsonl").read_text().splitlines() == lines


def test_the_buffer_is_bounded(tmp_path: Path) -> None:
    """Two generations are in the window, and one more is kept for the checkpoint before."""
    train_run(LEARNER, tmp_path / "run", small("generations=5"))
    files = sorted(path.name for path in (tmp_path / "run" / REPLAY).iterdir())
    assert files == [f"generation-00000{number}.safetensors" for number in (3, 4, 5)]


def test_simulations_and_learning_rate_follow_their_schedules() -> None:
    config = small(
        "generations=5", "simulations=10", "last_simulations=50", "rise=4",
        "learning_rate=0.01", "last_learning_rate=0.0001",
    )  # fmt: skip
    assert [config.simulations_in(number) for number in range(6)] == [10, 20, 30, 40, 50, 50]
    rates = [config.learning_rate_in(number) for number in range(5)]
    assert rates == pytest.approx([1e-2, 10**-2.5, 1e-3, 10**-3.5, 1e-4])


def test_value_targets_mix_outcome_and_search(tmp_path: Path) -> None:
    positions = PlayedPositions.of_games(played(small()))
    discs, search = positions.outcome.astype(float), positions.value.astype(float)
    trainer = SelfPlayTrainer(small("value_mix=0.25", "graded=0.5"), tmp_path)
    wanted = 0.75 * (0.5 * np.sign(discs) + 0.5 * discs / 64) + 0.25 * search
    np.testing.assert_allclose(trainer._values(positions), np.clip(wanted, -1, 1), atol=1e-3)
    trainer.close()


def test_an_agent_learns_and_its_checkpoint_plays(tmp_path: Path) -> None:
    """Within seconds it predicts its own search and who wins better than when it began."""
    config = small(
        "generations=5", "games=60", "simulations=8", "window=300", "passes=2", "random_plies=6",
        "learning_rate=0.004", "last_learning_rate=0.004",
    )  # fmt: skip
    train_run(LEARNER, tmp_path / "run", config)
    text = (tmp_path / "run" / "metrics.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[-1]["search_value_error"] < 0.8 * lines[0]["search_value_error"]
    assert lines[-1]["surprise"] > 0
    spec = LEARNER.player(tmp_path / "run")
    assert spec is not None
    assert make_player(spec).fingerprint


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("full_share=0.5", "full_share: needs fast_simulations"),
        ("full_share=0", "full_share"),
        ("simulations=0", "simulations"),
        ("network=conv9", "network: 'conv9'; accepted is line, line-0ply"),
        ("temperature=nan", "temperature"),
        ("solve_at=0 teach_endings=yes", "teach_endings: needs solve_at"),
    ],
)
def test_settings_that_cannot_be_are_refused(setting: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        small(*setting.split())


def test_the_run_of_another_learner_is_not_resumed(tmp_path: Path) -> None:
    train_run(LEARNER, tmp_path / "run", small("generations=1"))
    with pytest.raises(DataError, match="selfplay"):
        train_run(find_learner("coevolution"), tmp_path / "run")
