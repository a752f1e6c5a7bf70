"""All players on one ladder: shipped learners, levels, published players, engines, the champion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from outflank.arena import Rating, Store, Tournament, TournamentRunner
from outflank.arena.ratings import Bouts, rate
from outflank.arena.results import Score
from outflank.data.league import league_path
from outflank.errors import OutflankError
from outflank.evaluations.league import league_entries
from outflank.models import shipped_models, shipped_networks
from outflank.othello import Game
from outflank.players.judge import champion_is_shipped
from outflank.players.levels import LEVELS
from outflank.studies.estimate import Estimate
from outflank.studies.imitation.opponents import find_engine
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Plot, Row
from outflank.studies.workbench import Workbench

ANCHOR = "random"  # its Elo is 0


@dataclass(frozen=True)
class LadderConfig:
    """Who meets whom.

    Attributes:
        budgets: Seconds a move of the players that take time.
        games: Of each pair that meets.
        rounds: In each, every player meets the nearest one above that it has not met.
        plies: Random plies that games begin with.
        depths: Of the installed engine, if there is one.
        everybody: Whether all shipped and published players take part, or a few of each kind.
    """

    budgets: tuple[float, ...]
    games: int
    rounds: int
    plies: int = 8
    depths: tuple[int, ...] = ()
    everybody: bool = True


@dataclass
class Climber:
    """A player on the ladder.

    Attributes:
        name: As the table calls it, without its time.
        spec: The player.
        budget: Seconds a move, if it takes time; 0 for players that take as long as they need.
        seconds: Mean time of a move, one for each match.
    """

    name: str
    spec: str
    budget: float = 0.0
    seconds: list[float] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Its name with its time."""
        return f"{self.name}, {self.budget:g} s a move" if self.budget else self.name

    @property
    def seconds_a_move(self) -> float | None:
        """The mean time that it took."""
        return float(np.mean(self.seconds)) if self.seconds else None


def climbers(config: LadderConfig, bench: Workbench) -> list[Climber]:
    """Return all that take part, roughly the weakest first."""
    few = slice(None) if config.everybody else slice(0, 1)
    found = [Climber(ANCHOR, ANCHOR), Climber("greedy", "greedy")]
    found += [Climber(one, f"league:{one}") for one in _published()[few]]
    evolved = [name for name in shipped_models() if name.startswith("evolved-")]
    found += [Climber(name, f"evolved:{name.removeprefix('evolved-')}") for name in evolved[few]]
    found += [Climber(f"level {name}", f"level:{name}") for name in list(LEVELS)[few]]
    networks = shipped_networks()
    asked = [name for name in networks if not name.startswith("value-")]
    found += [Climber(name, f"policy:{name}") for name in asked[few]]
    engine = find_engine(bench) if config.depths else None
    if engine is not None:
        found += [Climber(f"{engine.name}, depth {n}", engine.spec(n)) for n in config.depths]
    for seconds in config.budgets:
        timed = {"mcts, random games": f"mcts:time={seconds}s"}
        if config.everybody:
            timed |= {
                f"{name}, tree": f"mcts:net={name},time={seconds}s"
                for name in networks if name.startswith("selfplay")
            }  # fmt: skip
            timed |= {
                f"{name}, alpha-beta": f"alphabeta:net={name},time={seconds}s"
                for name in networks if name.startswith("value-")
            }  # fmt: skip
            timed |= {
                f"{name}, alpha-beta": f"alphabeta:eval={name},time={seconds}s"
                for name in ("iago", "patterns")
            }
        if champion_is_shipped():
            timed["champion"] = f"champion:time={seconds}s,book=no"
        found += [Climber(name, spec, seconds) for name, spec in timed.items()]
    if not champion_is_shipped():
        bench.note("The champion is left out: its evaluation is not shipped yet.")
    return found


def _published() -> list[str]:
    """Return the published players whose files are available."""
    found = []
    for entry in league_entries():
        try:
            if not entry.file or league_path(entry.name).is_file():
                found.append(entry.name)
        except OutflankError:
            continue
    return found


class _Ladder:
    """The players, the games so far, and the ratings that follow."""

    def __init__(self, players: Sequence[Climber]) -> None:
        self.players = list(players)
        self.met: set[frozenset[int]] = set()
        self.games = [0] * len(self.players)
        self._bouts: list[tuple[int, int, float, int]] = []

    def add(self, first: int, second: int, scores: Sequence[Score]) -> None:
        """Add the games of a pair; the two of an opening count as one bout."""
        by_opening: dict[int, list[float]] = {}
        for score in scores:
            by_opening.setdefault(score.number // 2, []).append(score.first_points)
        self._bouts += [(first, second, sum(one), len(one)) for one in by_opening.values()]
        self.met.add(frozenset((first, second)))
        for number in (first, second):
            self.games[number] += len(scores)

    def ratings(self) -> list[Rating]:
        """Rate everybody; the anchor has 0."""
        first, second, points, games = (np.array(one) for one in zip(*self._bouts, strict=True))
        bouts = Bouts(first, second, points.astype(np.float64), games)
        names = [one.spec for one in self.players]
        return rate(bouts, len(self.players), names.index(ANCHOR))

    def pairs(self) -> list[tuple[int, int]]:
        """Return the next pairs: every player and the nearest one above that it has not met."""
        order = list(range(len(self.players)))
        if self._bouts:
            elo = [one.elo for one in self.ratings()]
            order.sort(key=lambda number: elo[number])
        chosen = []
        for place, number in enumerate(order):
            above = (other for other in order[place + 1 :]
                     if frozenset((number, other)) not in self.met)  # fmt: skip
            other = next(above, None)
            if other is not None:
                chosen.append((number, other))
        return chosen


@study(
    "ladder",
    paper=0,
    title="All players on one ladder, at several times for a move",
    scales={
        "smoke": LadderConfig((0.002,), games=2, rounds=1, everybody=False),
        "laptop": LadderConfig((0.02, 0.1, 0.5), games=40, rounds=4, depths=(1, 3, 5)),
        "paper": LadderConfig((0.02, 0.1, 0.5, 2.0), games=200, rounds=6, depths=(1, 3, 5, 7)),
    },
)
def ladder(config: LadderConfig, bench: Workbench) -> Findings:
    """Play rounds between neighbours, and rate everybody."""
    table = _Ladder(climbers(config, bench))
    openings = tuple(bench.random_openings(config.plies, config.games // 2))
    bench.folder.mkdir(parents=True, exist_ok=True)
    with Store(bench.folder / "ladder.sqlite") as store:
        for number in range(1, config.rounds + 1):
            pairs = table.pairs()
            bench.listener.began(f"ladder: round {number} of {config.rounds}", len(pairs))
            for done, pair in enumerate(pairs, start=1):
                _meet(table, pair, openings, store, bench)
                bench.listener.advanced(done)
    bench.note(
        "Elo is 0 for the random player. Players meet their neighbours on the ladder, in "
        f"{config.games} games from openings of {config.plies} random plies, both colours; "
        "intervals are 95%, of the difference to the random player."
    )
    return _findings(table)


def _meet(
    table: _Ladder,
    pair: tuple[int, int],
    openings: tuple[Game, ...],
    store: Store,
    bench: Workbench,
) -> None:
    """Let two players meet; games that the store has are not played again."""
    first, second = (table.players[number] for number in pair)
    tournament = Tournament((first.spec, second.spec), openings, 2 * len(openings))
    with TournamentRunner(tournament, store, workers=bench.workers) as run:
        result = run.play().pairs[0]
        (scores,) = store.scores(run.number).values()
    table.add(*pair, scores)
    for climber, seconds in zip((first, second), result.seconds_per_move, strict=True):
        if seconds is not None:
            climber.seconds.append(seconds)
    for error in result.errors[:1]:
        bench.note(f"{error.player} lost games by error: {error.reason}")


def _findings(table: _Ladder) -> Findings:
    ratings = table.ratings()
    rows, points = [], []
    for number in sorted(range(len(ratings)), key=lambda one: -ratings[one].elo):
        climber, rating, games = table.players[number], ratings[number], table.games[number]
        seconds = climber.seconds_a_move
        figures: dict[str, Estimate | float | None] = {
            "elo": Estimate(rating.elo, rating.low, rating.high, games),
            "games": float(games),
            "milliseconds": None if seconds is None else 1000 * seconds,
        }
        rows.append(Row.of(climber.title, figures, facts={"spec": climber.spec}))
        points.append(
            {
                "name": climber.name, "elo": rating.elo, "low": rating.low, "high": rating.high,
                "seconds": seconds,
            }
        )  # fmt: skip
    columns = (
        Column("elo", "Elo", "", 0),
        Column("games", "games", "", 0),
        Column("milliseconds", "ms a move", "", 2),
    )
    return Findings(columns, tuple(rows), plot=Plot("ladder", {"points": points}))
