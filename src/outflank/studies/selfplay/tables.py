"""Tables 1 to 4 of Fu and Xu (2017): the agent, pure tree search and the network alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from outflank.arena import PairResult
from outflank.othello import Game
from outflank.studies.estimate import Estimate
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Row
from outflank.studies.selfplay.agents import (
    COURSE,
    LEVEL_NOTE,
    LEVELS,
    Agent,
    AgentConfig,
    find_agent,
)
from outflank.studies.workbench import Workbench

_OPENING_PLIES = 8
_DEPTHS = ("4", "5", "6")
_SMOKE = ("games=4", "generations=2", "evaluate_games=0", "threads=1")

# Games won and played, as black and as white, by level or by depth.
Won = tuple[tuple[int, int], tuple[int, int]]
PRINTED: dict[int, dict[str, Won]] = {
    1: {"1": ((15, 15), (15, 15)), "2": ((20, 20), (20, 20)), "3": ((11, 15), (12, 15))},
    2: {"4": ((14, 20), (18, 20)), "5": ((13, 20), (15, 20)), "6": ((15, 20), (16, 20))},
    3: {"1": ((15, 15), (15, 15)), "2": ((20, 20), (20, 20)), "3": ((11, 15), (14, 15))},
    4: {"1": ((12, 15), (12, 15)), "2": ((20, 20), (20, 20)), "3": ((1, 15), (1, 15))},
}


@dataclass(frozen=True)
class TableConfig:
    """The agent, games from the start for each colour, and random openings, each played twice."""

    agent: AgentConfig
    games: int
    openings: int


SCALES = {
    "smoke": TableConfig(AgentConfig("smoke", _SMOKE, simulations=4), 2, 2),
    "laptop": TableConfig(AgentConfig(), 100, 100),
    "paper": TableConfig(AgentConfig("paper"), 100, 100),
}
COLUMNS = (
    Column("black", "as black, from the start"),
    Column("white", "as white, from the start"),
    Column("openings", "over random openings"),
)

MakeSpec = Callable[..., str]
Rates = Mapping[str, Estimate]


@dataclass(frozen=True)
class Met:
    """How a player did against one opponent: from the start by colour, and over openings."""

    black: Estimate
    white: Estimate
    openings: Estimate

    @property
    def start(self) -> Estimate:
        """Both colours from the start."""
        mean = Estimate.mean((self.black, self.white))
        assert mean is not None  # noqa: S101  # it is, of two figures
        return mean


def meet(make: MakeSpec, opponent: str, config: TableConfig, bench: Workbench) -> Met:
    """Let a player meet an opponent as in the paper, and over random openings."""
    start = bench.play(make(drawn=True), opponent, [Game()], 2 * config.games)
    openings = bench.random_openings(_OPENING_PLIES, config.openings)
    return Met(
        _of_colour(start, start.black_rate, bench, opponent),
        _of_colour(start, start.white_rate, bench, opponent),
        Estimate.of_match(bench.match(make(drawn=False), opponent, openings)),
    )


def _of_colour(result: PairResult, rate: float | None, bench: Workbench, opponent: str) -> Estimate:
    if result.different < result.games:
        bench.note(
            f"Against {opponent}, {result.different} of {result.games} games from the start differ."
        )
    return Estimate.of_share(rate or 0.0, result.games // 2)


def _table(
    number: int,
    make: MakeSpec,
    opponents: Mapping[str, str],
    config: TableConfig,
    bench: Workbench,
    label: str,
) -> dict[str, tuple[Row, Met]]:
    """Make the rows of a table by the paper's names of the opponents."""
    bench.note(
        f"A draw is half a win. From the start, moves are drawn by visits (by probability, for the "
        f"network alone) in the first {config.agent.drawn_plies} plies, as in the paper. The "
        f"paper's 30 or 40 games a row leave an uncertainty of up to 18 points either way."
    )
    rows = {}
    for name, opponent in opponents.items():
        met = meet(make, opponent, config, bench)
        figures = {"black": met.black, "white": met.white, "openings": met.openings}
        printed = {
            colour: 100 * won / played
            for colour, (won, played) in zip(("black", "white"), PRINTED[number][name], strict=True)
        }
        row = Row.of(f"{label} {name}: {opponent}", figures, printed, {"player": make(drawn=True)})
        rows[name] = row, met
    return rows


def _findings(rows: Mapping[str, tuple[Row, Met]], *claims: Claim) -> Findings:
    return Findings(COLUMNS, tuple(row for row, _ in rows.values()), claims=claims)


def _agent(config: TableConfig, bench: Workbench) -> Agent:
    return find_agent(config.agent, bench)


@study(
    "selfplay-table-1",
    paper=3,
    title="Table 1: the agent against opponents of three levels",
    scales=SCALES,
)
def table_1(config: TableConfig, bench: Workbench) -> Findings:
    """The search guided by the network."""
    bench.note(LEVEL_NOTE)
    rows = _table(1, _agent(config, bench).searching, LEVELS, config, bench, "level")
    return _findings(
        rows,
        Claim.judge(
            "the agent wins every game at level 2",
            "winning rate from the start against a random player",
            rows["2"][1].start,
            least=97,
        ),
    )


@study(
    "selfplay-table-2",
    paper=3,
    title="Table 2: the agent against alpha-beta at depth 4 to 6",
    scales=SCALES,
)
def table_2(config: TableConfig, bench: Workbench) -> Findings:
    """The search guided by the network, against the course's alpha-beta."""
    opponents = {depth: COURSE.format(depth=depth) for depth in _DEPTHS}
    rows = _table(2, _agent(config, bench).searching, opponents, config, bench, "depth")
    least = min((met.start for _, met in rows.values()), key=lambda rate: rate.value)
    return _findings(
        rows,
        Claim.judge(
            "the agent wins most games against alpha-beta, at every depth from 4 to 6",
            "lowest of the three winning rates from the start",
            least,
            above=50,
        ),
    )


@study(
    "selfplay-table-3",
    paper=3,
    title="Table 3: pure tree search against opponents of three levels",
    scales=SCALES,
)
def table_3(config: TableConfig, bench: Workbench) -> Findings:
    """The search alone, with random games; the agent's own games are played for comparison."""
    bench.note(LEVEL_NOTE)
    agent = _agent(config, bench)
    rows = _table(3, agent.pure, LEVELS, config, bench, "level")
    ours = meet(agent.searching, LEVELS["3"], config, bench)
    return _findings(
        rows,
        Claim.judge(
            "the agent is weaker than pure tree search with twice as many simulations",
            "gain of the agent over pure tree search against level 3, from the start",
            ours.start.gain(rows["3"][1].start),
            below=0,
        ),
    )


@study(
    "selfplay-table-4",
    paper=3,
    title="Table 4: the network alone against opponents of three levels",
    scales=SCALES,
)
def table_4(config: TableConfig, bench: Workbench) -> Findings:
    """The network's likeliest move, without a search."""
    bench.note(LEVEL_NOTE)
    rows = _table(4, _agent(config, bench).alone, LEVELS, config, bench, "level")
    return _findings(
        rows,
        Claim.judge(
            "the network alone does well against a random player",
            "winning rate from the start",
            rows["2"][1].start,
            least=90,
        ),
        Claim.judge(
            "the network alone does poorly against alpha-beta",
            "winning rate from the start against level 3",
            rows["3"][1].start,
            below=50,
        ),
    )
