"""The studies of Fu and Xu (2017): their printed figures, and how ours are found."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest

from outflank import Game
from outflank.arena import PairResult
from outflank.models import load_network
from outflank.players import Spec, make_player
from outflank.studies import Claim, Estimate, Workbench, find_study
from outflank.studies.estimate import margin_of_means
from outflank.studies.selfplay import curve, tables
from outflank.studies.selfplay.ablations import BASE, VARIANTS, _config
from outflank.studies.selfplay.agents import Agent, AgentConfig, find_agent
from outflank.studies.selfplay.leads import reversed_share
from outflank.studies.workbench import LearnedRun

# The paper's tables, as it prints them: won and played on black, and on white.
TABLES = """
1 1 15/15 15/15
1 2 20/20 20/20
1 3 11/15 12/15
2 4 14/20 18/20
2 5 13/20 15/20
2 6 15/20 16/20
3 1 15/15 15/15
3 2 20/20 20/20
3 3 11/15 14/15
4 1 12/15 12/15
4 2 20/20 20/20
4 3 1/15 1/15
"""


def result(points: float, games: int = 400) -> PairResult:
    rate = points / 40
    return PairResult(
        "a", "b", games, int(points), 0, games - int(points), rate, (rate - 0.1, rate + 0.1),
        rate, rate, 0.0, (None, None), (), games,
    )  # fmt: skip


class Played(Workbench):
    """A bench on which matches end as they are told to."""

    def __init__(self, folder: Path, points: dict[str, float]) -> None:
        super().__init__(folder)
        self.points = points
        self.asked: list[tuple[str, str]] = []

    def play(
        self, first: str, second: str, openings: Any, games: int, *, workers: int | None = None
    ) -> PairResult:
        self.asked.append((first, second))
        kind = "pure" if "rollouts" in first else "alone" if "policy" in first else "agent"
        return result(self.points.get(f"{kind} {second}", self.points.get(kind, 40.0)))


def test_the_papers_figures() -> None:
    read: dict[int, dict[str, Any]] = {}
    for line in TABLES.split("\n"):
        if line:
            table, name, *cells = line.split()
            won = tuple(tuple(int(part) for part in cell.split("/")) for cell in cells)
            read.setdefault(int(table), {})[name] = won
    assert read == tables.PRINTED


def test_a_row_has_the_papers_figures_in_percent(tmp_path: Path) -> None:
    found = find_study("selfplay-table-2").run("laptop", Played(tmp_path, {"agent": 30}))
    row = found.rows[2]
    assert row.label == "depth 6: alphabeta:eval=course,depth=6"
    assert row.paper == {"black": 75.0, "white": 80.0}
    assert row.values == {"black": 75.0, "white": 75.0, "openings": 75.0}
    assert row.counts["black"] == 200


@pytest.mark.parametrize(
    ("table", "points", "verdicts"),
    [
        (1, {"agent": 40}, [Claim.HOLDS]),
        (1, {"agent random": 20}, [Claim.FAILS]),
        (2, {"agent": 38}, [Claim.HOLDS]),
        (2, {"agent alphabeta:eval=course,depth=5": 4}, [Claim.FAILS]),
        (2, {"agent alphabeta:eval=course,depth=5": 20}, [Claim.OPEN]),
        (3, {"agent": 10, "pure": 38}, [Claim.HOLDS]),
        (3, {"agent": 38, "pure": 10}, [Claim.FAILS]),
        (3, {"agent": 20, "pure": 20.5}, [Claim.OPEN]),
        (4, {"alone": 40, "alone alphabeta:eval=course,depth=6": 3}, [Claim.HOLDS, Claim.HOLDS]),
        (4, {"alone": 38, "alone random": 20}, [Claim.FAILS, Claim.FAILS]),
    ],
)
def test_claims_can_hold_and_fail(
    table: int, points: dict[str, float], verdicts: list[str], tmp_path: Path
) -> None:
    found = find_study(f"selfplay-table-{table}").run("laptop", Played(tmp_path, points))
    assert [claim.verdict for claim in found.claims] == verdicts


def test_agents_play_as_the_papers() -> None:
    agent = Agent("selfplay", AgentConfig())
    assert agent.searching(drawn=False) == "mcts:net=selfplay,sims=100"
    assert agent.searching(drawn=True) == (
        "mcts:net=selfplay,sims=100,temperature=1,temperature_plies=5"
    )
    assert agent.pure(drawn=False) == "mcts:rollouts=200,seed=1"
    assert agent.alone(drawn=False) == "policy:name=selfplay"


def test_a_trained_agent_searches_as_its_preset(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the paper's network needs PyTorch (the extra train)")
    config = AgentConfig(
        preset="paper",
        settings=("generations=1", "games=2", "simulations=2", "maps=2", "units=4", "batch=4",
                  "passes=0.01", "evaluate_games=0"),
    )  # fmt: skip
    with Workbench(tmp_path, workers=1) as bench:
        agent = find_agent(config, bench)
    options = Spec.parse(agent.searching(drawn=False)).options
    assert {name: options[name] for name in ("c", "first_play", "wipe_outs")} == {
        "c": "1.0", "first_play": "zero", "wipe_outs": "no",
    }  # fmt: skip
    assert options["sims"] == "100"
    make_player(agent.searching(drawn=False))


def test_leads_that_are_reversed() -> None:
    """Black leads 7-0 after five plies, and 13-0 at the end of the shortest game."""
    short = Game.from_transcript("f5d6c5f4e3f6g5e6e7")
    assert short.is_over
    won = reversed_share([short] * 3, 7, 1)
    assert won is not None
    assert (won.value, won.count) == (0, 3)
    assert reversed_share([short], 7, 60) is None  # no such lead
    assert reversed_share([short], 50, 1) is None  # it never had so many discs
    assert reversed_share([short.undo()], 7, 1) is None  # not over
    behind = [play for play in _games() if _lead(play, 20) * play.score <= 0 != _lead(play, 20)]
    leading = [play for play in _games() if abs(_lead(play, 20)) >= 1]
    found = reversed_share(_games(), 20, 1)
    assert found is not None
    assert 0 < len(behind) < len(leading)
    assert found.value == pytest.approx(100 * len(behind) / len(leading))
    assert found.count == len(leading)


def _games() -> list[Game]:
    from strategies import random_game

    return [game for seed in range(40) if (game := random_game(seed)).is_over]


def _lead(game: Game, ply: int) -> int:
    discs = [line for line in game.positions() if line.discs == ply + 4]
    return discs[0].count("black") - discs[0].count("white") if discs else 0


def test_the_spread_is_shared_by_all_variants() -> None:
    groups = [[10.0, 12.0, 14.0], [100.0, 102.0, 104.0]]
    assert statistics.stdev(groups[0]) == 2
    assert margin_of_means(groups) == pytest.approx(2.776 * 2 / 3**0.5)  # four degrees of freedom
    with pytest.raises(ValueError, match="no spread"):
        margin_of_means([[1.0], [2.0]])


def test_every_variant_changes_what_it_says() -> None:
    config = find_study("selfplay-ablations").scales["laptop"]
    base = _config(config, BASE, 1)
    for variant, settings in VARIANTS.items():
        made = _config(config, variant, 1)
        changed = {name for name, value in made.to_json().items() if value != base.to_json()[name]}
        assert changed == {setting.partition("=")[0] for setting in settings}, variant


def test_stages_of_a_curve_go_on_from_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = {f"against_{name}": 0.5 for name in curve._SHOWN}
    lines = [
        {"cpu_hours": 0.5, "games": 100, "positions": 5000, "elo": 500.0, **shares},
        {"cpu_hours": 1.0, "games": 200, "positions": 9000},
    ]
    starts = []

    def learn(self: Workbench, learner: str, config: Any, *, start: str = "") -> LearnedRun:
        starts.append(start)
        return LearnedRun(tmp_path / f"run{len(starts)}", config, lines)

    monkeypatch.setattr(Workbench, "learn", learn)
    found = find_study("selfplay-curve").run("smoke", Workbench(tmp_path))
    assert starts[:2] == ["", str(tmp_path / "run1")]
    assert [row.label for row in found.rows][:2] == ["stage 1, 100 games", "stage 2, 300 games"]
    assert [row.values["hours"] for row in found.rows][:2] == [0.5, 1.5]
    assert [row.values["positions"] for row in found.rows][:2] == [5000, 14000]


def test_estimates_of_both_colours() -> None:
    met = tables.Met(Estimate(80, 70, 90, 20), Estimate(60, 50, 70, 20), Estimate(0, 0, 0, 0))
    assert met.start.value == 70
    assert met.start.margin == pytest.approx(10 / 2**0.5)
    all_won = Estimate.of_share(1.0, 100)
    assert tables.Met(all_won, all_won, all_won).start.high == 100


def test_a_result_of_the_shipped_agent_names_it(tmp_path: Path) -> None:
    """So that it is marked stale once another agent is shipped."""
    bench = Workbench(tmp_path)
    find_agent(AgentConfig(), bench)
    assert bench.sources.models == {"selfplay": load_network("selfplay").fingerprint}
