"""How well the value networks play, and what helps them: matches over random openings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from outflank import records
from outflank.learn.value.refining import refining_config
from outflank.studies.estimate import Estimate
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Result, Row
from outflank.studies.value.networks import note_shipped, train_network
from outflank.studies.workbench import Workbench

_EVEN, _CLEAR = 50.0, 80.0  # percent
_PLIES = 8  # of openings; those of the games to learn from are another two longer
_FAST, _NG = "alphabeta:net=value-fast", "alphabeta:net=value-ng"
_REFINED = "value-fast, refined"


@dataclass(frozen=True)
class PlayConfig:
    """The matches and what they cost.

    Attributes:
        games: Of the matches that value-fast should win clearly.
        fewer: Of the others.
        time: That both have for a move where a match is about time.
        short: The same in matches that compare ways of searching.
        depth: Of value-ng against players that err as people do.
        lessons: Games that value-fast plays at depth 4 and learns from.
    """

    games: int
    fewer: int
    time: str
    short: str
    depth: int
    lessons: int


@dataclass(frozen=True)
class Bout:
    """A match, and what is claimed of it.

    Attributes:
        label: Of its row.
        first: Whose winning rate it is.
        second: The other player.
        claim: What would have to be true.
        least: Winning rate at which it is, in percent.
        alone: Played by one worker, because each of its games needs two cores.
    """

    label: str
    first: str
    second: str
    claim: str
    least: float
    alone: bool = False


def bouts(config: PlayConfig) -> tuple[Bout, ...]:
    """Return the matches, but for the one that needs a training."""
    people = f"against players that err as people do it wins over 70% at {config.depth} plies"
    deep = f"{_NG},depth={config.depth}"
    short = f"{_FAST},time={config.short}"
    return (
        Bout("value-fast against value-ng", f"{_FAST},time={config.time}",
             f"{_NG},time={config.time}",
             "value-fast wins at least 80% against value-ng (our aim)", _CLEAR),
        Bout("value-fast against iago at depth 6", short, "alphabeta:eval=iago,depth=6",
             "value-fast wins at least 80% against iago at depth 6 (our aim)", _CLEAR),
        Bout("value-ng against a network's first choices, drawn", deep,
             "policy:imitation-fast,temperature=1", people, 70),
        Bout("value-ng against a handicap", deep, "lenient", people, 70),
        Bout("value-ng with a filter of four moves",
             f"{_NG},filter=imitation-fast,window=4,time={config.short}",
             f"{_NG},time={config.short}",
             "a network that predicts the opponent's moves makes the search stronger", _EVEN),
        Bout("value-fast thinking on the opponent's time", f"{short},ponder=yes", short,
             "thinking in the background makes it stronger", _EVEN, alone=True),
    )  # fmt: skip


@study(
    "value-play", paper=2, title="Play: the value networks, and what helps them",
    scales={
        "smoke": PlayConfig(2, 2, "5ms", "5ms", 1, 4),
        "laptop": PlayConfig(200, 100, "500ms", "100ms", 4, 4000),
        "paper": PlayConfig(1000, 1000, "2s", "500ms", 4, 100_000),
    },
    judge=lambda result: judge_play(result),
)  # fmt: skip
def play(config: PlayConfig, bench: Workbench) -> Findings:
    """Play the matches, then let value-fast learn from games of its own and play its old self."""
    bench.note(
        f"Random openings of {_PLIES} plies, both colours. value-fast has {config.time} for a move "
        f"against value-ng, {config.short} otherwise; iago's depth does not depend on time."
    )
    rows = []
    note_shipped(bench, [one for bout in bouts(config) for one in (bout.first, bout.second)])
    for bout in bouts(config):
        games = config.games if bout.least == _CLEAR else config.fewer
        rows.append(_row(bout, games, bench))
    folder = _refined(config, bench)
    deep = "depth=5"
    refined = Bout(
        _REFINED, f"alphabeta:net={folder},{deep}", f"{_FAST},{deep}",
        "learning from its own games makes it stronger", _EVEN,
    )  # fmt: skip
    rows.append(_row(refined, 4 * config.fewer, bench))
    return Findings((Column("winning", "winning rate"),), tuple(rows))


def _row(bout: Bout, games: int, bench: Workbench) -> Row:
    openings = bench.random_openings(_PLIES, games // 2)
    workers = 1 if bout.alone else None
    result = bench.play(bout.first, bout.second, openings, games, workers=workers)
    facts = {
        "claim": bout.claim, "least": bout.least, "wins": result.wins, "draws": result.draws,
        "losses": result.losses, "discs": result.discs,
    }  # fmt: skip
    return Row.of(bout.label, {"winning": Estimate.of_match(result)}, facts=facts)


def _refined(config: PlayConfig, bench: Workbench) -> Path:
    """Return the run in which value-fast learns from games that it plays."""
    openings = bench.random_openings(_PLIES + 2, config.lessons // 2)
    games = bench.games(f"{_FAST},depth=4", f"{_FAST},depth=3", openings)
    bench.note(
        f"The refined network learned from {len(games)} games that value-fast played at depths 3 "
        "and 4 (outflank learn value refine); both play at depth 5."
    )
    file = bench.folder / "value-play-games.sgf"
    records.write(file, games)
    made = refining_config("value-fast", str(file), ["threads=1"])
    return train_network(bench, "value-fast, from its own games", made).folder


def judge_play(result: Result) -> list[Claim]:
    """Judge each match by its winning rate."""
    claims = []
    for row in result.rows:
        found = row.estimate("winning")
        if found is not None:
            least = float(row.facts["least"])
            claims.append(
                Claim.judge(row.facts["claim"], row.label, found, least=least)
                if least > _EVEN
                else Claim.judge(row.facts["claim"], row.label, found, above=least)
            )
    return claims
