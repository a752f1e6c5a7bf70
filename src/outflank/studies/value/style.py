"""How networks of each feature set play, which Ng (2017) describes in words, as figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from outflank.arena import Store, match, random_openings
from outflank.othello import BLACK, PASS, WHITE, Color, Game, Position
from outflank.studies.estimate import Estimate
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Row
from outflank.studies.value.networks import EFFORTS, ValueEffort, train_network
from outflank.studies.value.printed import TABLE_1
from outflank.studies.workbench import Workbench

# Corners, and the squares beside them: C-squares on the edges, X-squares on the diagonals.
BESIDE = {0: (1, 8, 9), 7: (6, 14, 15), 56: (48, 49, 57), 63: (54, 55, 62)}
_CORNER_OF = {square: corner for corner, squares in BESIDE.items() for square in squares}
_PLIES_OF_MOBILITY = (10, 20, 30, 40)
_EXPANSION = 20  # plies after which diagonals are looked at
_NORMAL_95 = 1.96


@dataclass(frozen=True)
class GameStyle:
    """What one player did in one game.

    Attributes:
        beside: For each move, whether it was beside a corner that was still empty.
        corners: Corners taken.
        lost: Corners that the opponent took.
        lost_first_two: Whether the opponent took the first two corners of the game.
        points: 1 won, 0.5 drawn, 0 lost.
        diagonal: Longest diagonal of own discs after _EXPANSION plies; 0 if the game was shorter.
        mobility: Legal moves at the first turn from each ply of _PLIES_OF_MOBILITY on.
    """

    beside: tuple[bool, ...]
    corners: int
    lost: int
    lost_first_two: bool
    points: float
    diagonal: int
    mobility: dict[int, int]


def style_of(game: Game, side: Color) -> GameStyle:
    """Describe how a side played a game."""
    positions = game.positions()
    beside, takers = [], []
    mobility: dict[int, int] = {}
    for ply, (position, move) in enumerate(zip(positions, game.moves, strict=False)):
        if move == PASS:
            continue
        if move in BESIDE:
            takers.append(position.turn)
        if position.turn is not side:
            continue
        corner = _CORNER_OF.get(int(move))
        taken = position.own | position.other
        beside.append(corner is not None and not taken >> corner & 1)
        for wanted in _PLIES_OF_MOBILITY:
            if ply >= wanted and wanted not in mobility:
                mobility[wanted] = position.legal_squares.bit_count()
    score = game.position.score_of(side)
    expanded = positions[_EXPANSION] if len(positions) > _EXPANSION else None
    return GameStyle(
        tuple(beside),
        sum(one is side for one in takers),
        sum(one is not side for one in takers),
        len(takers) > 1 and all(one is not side for one in takers[:2]),
        0.5 + 0.5 * float(np.sign(score)),
        longest_diagonal(expanded, side) if expanded else 0,
        mobility,
    )


def longest_diagonal(position: Position, side: Color) -> int:
    """Return the length of the longest unbroken diagonal of a side's discs."""
    discs = position.own if position.turn is side else position.other
    longest = 0
    for row in range(8):
        for column in range(8):
            for step in (1, -1):
                length = 0
                place, across = row, column
                while place < 8 and 0 <= across < 8 and discs >> (8 * place + across) & 1:
                    length, place, across = length + 1, place + 1, across + step
                longest = max(longest, length)
    return longest


@dataclass(frozen=True)
class StyleConfig:
    """How far the networks are trained, and how many games they play."""

    games: int
    depth: int
    opponents: tuple[str, ...] = (
        "policy:imitation-fast,temperature=1,seed=1", "alphabeta:eval=iago,depth=3",
    )  # fmt: skip
    networks: tuple[str, ...] = ("/", "5", "13")
    effort: ValueEffort = field(default_factory=ValueEffort)


_TITLES = {"/": "border", "5": "corner and border", "13": "freemove, corner and border"}
_COLUMNS = (
    Column("beside", "X and C before the corner"),
    Column("corners", "corners won", unit="", digits=2),
    Column("lost", "corners lost", unit="", digits=2),
    Column("comebacks", "won after losing the first two corners"),
    Column("diagonal", "longest diagonal", unit="", digits=2),
    *(Column(f"mobility-{n}", f"moves at ply {n}", unit="", digits=2) for n in _PLIES_OF_MOBILITY),
    Column("winning", "winning rate"),
)


@study(
    "value-style", paper=2, title="Experiments: how networks of each feature set play",
    scales={
        "smoke": StyleConfig(4, 1, ("greedy",), effort=EFFORTS["smoke"]),
        "laptop": StyleConfig(100, 2, effort=EFFORTS["laptop"]),
        "paper": StyleConfig(400, 4),
    },
)  # fmt: skip
def style(config: StyleConfig, bench: Workbench) -> Findings:
    """Let networks of three feature sets play the same openings, and describe their games."""
    bench.need_games()
    years = bench.years or config.effort.years
    rows, found = [], {}
    for name in config.networks:
        changes, _, _ = TABLE_1[name]
        made = config.effort.config(dict(changes), years)
        trained = train_network(bench, name, made)
        spec = f"alphabeta:net={trained.folder},depth={config.depth}"
        games = [game for rival in config.opponents for game in _play(spec, rival, config.games)]
        found[name] = figures_of([style_of(game, side) for game, side in games])
        rows.append(Row.of(_TITLES[name], dict(found[name])))
    bench.note(
        f"Each network searches {config.depth} plies and plays {config.games} games against each "
        f"of {', '.join(config.opponents)}, from random openings of 6 plies, both colours."
    )
    return Findings(_COLUMNS, tuple(rows), claims=tuple(_claims(found)))


def _play(spec: str, rival: str, games: int) -> Iterable[tuple[Game, Color]]:
    with Store(":memory:") as store:
        openings = random_openings(6, games // 2, seed=1)
        match(spec, rival, openings=openings, seed=1, store=store)
        for game in store.games():
            yield game, BLACK if game.black == spec else WHITE


def figures_of(styles: Sequence[GameStyle]) -> dict[str, Estimate]:
    """Return the figures of many games, with their intervals; those without cases are left out."""
    moves = [one for style in styles for one in style.beside]
    behind = [style.points for style in styles if style.lost_first_two]
    figures = {
        "beside": Estimate.of_share(float(np.mean(moves)), len(moves)),
        "corners": _mean([style.corners for style in styles]),
        "lost": _mean([style.lost for style in styles]),
        "diagonal": _mean([style.diagonal for style in styles if style.diagonal]),
        "winning": Estimate.of_share(float(np.mean([s.points for s in styles])), len(styles)),
    }
    if behind:
        figures["comebacks"] = Estimate.of_share(float(np.mean(behind)), len(behind))
    for ply in _PLIES_OF_MOBILITY:
        known = [style.mobility[ply] for style in styles if ply in style.mobility]
        if known:
            figures[f"mobility-{ply}"] = _mean(known)
    return figures


def _mean(values: Sequence[float]) -> Estimate:
    array = np.array(values or [0.0], np.float64)
    margin = _NORMAL_95 * float(array.std()) / np.sqrt(len(array))
    mean = float(array.mean())
    return Estimate(mean, mean - margin, mean + margin, len(values))


def _claims(found: dict[str, dict[str, Estimate]]) -> list[Claim]:
    if not {"/", "5", "13"} <= found.keys():
        return []
    border, corner, moves = found["/"], found["5"], found["13"]
    return [
        Claim.judge(
            "A network that sees only the border plays beside empty corners more often.",
            "border less corner and border", border["beside"].gain(corner["beside"]), above=0,
        ),
        Claim.judge(
            "It likes long diagonals.",
            "longest diagonal, border less corner and border",
            border["diagonal"].gain(corner["diagonal"]), above=0, digits=2,
        ),
        Claim.judge(
            "Legal moves as a feature make it stronger at once.",
            "winning rate, with legal moves less without",
            moves["winning"].gain(corner["winning"]), above=0,
        ),
    ]  # fmt: skip
