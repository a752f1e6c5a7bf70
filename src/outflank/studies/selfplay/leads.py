"""A remark of Fu and Xu (2017), measured: a great early lead is often reversed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from outflank.othello import BLACK, Game
from outflank.studies.estimate import Estimate
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Row
from outflank.studies.selfplay.agents import COURSE, PURE, AgentConfig, find_agent
from outflank.studies.selfplay.tables import SCALES as TABLES
from outflank.studies.workbench import Workbench

_OPENING_PLIES = 8
_EARLY = 20


@dataclass(frozen=True)
class LeadsConfig:
    """Who plays, over how many openings, and which leads are looked at.

    Attributes:
        agent: Meets itself, pure tree search and the course's alpha-beta.
        openings: Random ones, each played twice.
        plies: Discs on the board less four, at which the lead is taken.
        lead: Least difference of discs that counts as great.
    """

    agent: AgentConfig
    openings: int
    plies: tuple[int, ...] = (_EARLY, 30, 40, 50)
    lead: int = 8


@study(
    "selfplay-leads",
    paper=3,
    title="Section 4: how often a great lead is reversed",
    scales={
        "smoke": LeadsConfig(TABLES["smoke"].agent, 2, lead=2),
        "laptop": LeadsConfig(AgentConfig(), 200),
        "paper": LeadsConfig(AgentConfig("paper"), 1000),
    },
)
def leads(config: LeadsConfig, bench: Workbench) -> Findings:
    """Count, in games of the agent, the leaders at some ply who do not win."""
    agent = find_agent(config.agent, bench).searching(drawn=False)
    openings = bench.random_openings(_OPENING_PLIES, config.openings)
    pairs = {
        "the agent against pure tree search": (agent, f"{PURE},seed=1"),
        "the agent against alpha-beta, depth 6": (agent, COURSE.format(depth=6)),
        "alpha-beta, depth 6, against pure tree search": (COURSE.format(depth=6), f"{PURE},seed=1"),
    }
    bench.note(
        f"A lead is at least {config.lead} discs more on the board. It is reversed if the leader "
        "does not win; a draw counts as reversed."
    )
    rows, every = [], []
    for label, (first, second) in pairs.items():
        games = bench.games(first, second, openings)
        every += games
        rows.append(Row.of(label, _figures(games, config)))
    rows.append(Row.of("all games", _figures(every, config)))
    columns = tuple(Column(str(ply), f"reversed after ply {ply}") for ply in config.plies)
    early = reversed_share(every, min(config.plies), config.lead)
    claims = () if early is None else (
        Claim.judge(
            "a great lead in the early stage is often reversed",
            f"leads after ply {min(config.plies)} that were reversed, of all games",
            early,
            above=50,
        ),
    )  # fmt: skip
    return Findings(columns, tuple(rows), claims=claims)


def _figures(games: Sequence[Game], config: LeadsConfig) -> dict[str, Estimate | float | None]:
    return {str(ply): reversed_share(games, ply, config.lead) for ply in config.plies}


def reversed_share(games: Iterable[Game], ply: int, lead: int) -> Estimate | None:
    """Return how many of the leaders at a ply did not win; None if nobody led."""
    leaders = losers = 0
    for game in games:
        ahead = _lead(game, ply)
        if abs(ahead) < lead or not game.is_over:
            continue
        leaders += 1
        losers += game.score * ahead <= 0
    return Estimate.of_share(losers / leaders, leaders) if leaders else None


def _lead(game: Game, ply: int) -> int:
    """Return black's discs less white's once `ply` moves are on the board; 0 if never so many."""
    for position in game.positions():
        if 60 - position.empties == ply:
            return position.count(BLACK) - (64 - position.empties - position.count(BLACK))
    return 0
