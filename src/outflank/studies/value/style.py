"""How networks of each feature set play, which Ng (2017) describes in words, as figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from outflank.othello import BLACK, WHITE, Color, Game, Position
from outflank.players import Spec
from outflank.studies.doubts import ONCE, left_open
from outflank.studies.estimate import Estimate, margin_of_means
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Result, Row
from outflank.studies.value.claims import COLLAPSED
from outflank.studies.value.networks import EFFORTS, ValueEffort, note_shipped, train_network
from outflank.studies.value.printed import TABLE_1
from outflank.studies.workbench import Workbench

Figures = Mapping[str, Estimate]  # by column

# By corner, the squares beside it: the X-square on the diagonal, the C-squares on the edges.
_X_SQUARES = {0: 1 << 9, 7: 1 << 14, 56: 1 << 49, 63: 1 << 54}
_C_SQUARES = {
    0: 1 << 1 | 1 << 8, 7: 1 << 6 | 1 << 15, 56: 1 << 48 | 1 << 57, 63: 1 << 55 | 1 << 62,
}  # fmt: skip
_EDGES = 0xFF818181818181FF
_MOVE_NUMBERS = (10, 20, 30, 40)  # at which mobility is looked at
_EARLY = 20  # moves after which diagonals, edges and discs are looked at
_OPENING_PLIES = 6
_NORMAL_95 = 1.96


@dataclass(frozen=True)
class Choices:
    """The moves of one player in one game after the opening.

    Attributes:
        moves: All of them, passes apart.
        x: Those onto the X-square of a corner that was still empty.
        c: Those onto its C-squares.
        x_by_chance: What a player who draws from the same legal moves plays onto such X-squares.
        beside_by_chance: The same of X- and C-squares together.
    """

    moves: int = 0
    x: int = 0
    c: int = 0
    x_by_chance: float = 0.0
    beside_by_chance: float = 0.0

    def with_move(self, position: Position, square: int) -> Choices:
        """Return them with one more move."""
        taken, legal = position.own | position.other, position.legal_squares
        x, c = _before_corner(_X_SQUARES, taken), _before_corner(_C_SQUARES, taken)
        count = legal.bit_count()
        return Choices(
            self.moves + 1,
            self.x + (x >> square & 1),
            self.c + (c >> square & 1),
            self.x_by_chance + (legal & x).bit_count() / count,
            self.beside_by_chance + (legal & (x | c)).bit_count() / count,
        )


def _before_corner(squares: Mapping[int, int], taken: int) -> int:
    return sum(beside for corner, beside in squares.items() if not taken >> corner & 1)


@dataclass(frozen=True)
class EarlyBoard:
    """One side's discs after _EARLY moves, those on the edges, and the longest diagonal of them."""

    discs: int
    edges: int
    diagonal: int

    @classmethod
    def of(cls, position: Position, side: Color) -> EarlyBoard:
        """Describe a side's discs."""
        discs = position.black if side is BLACK else position.white
        return cls(discs.bit_count(), (discs & _EDGES).bit_count(), longest_diagonal(discs))


def longest_diagonal(discs: int) -> int:
    """Return the length of the longest unbroken diagonal of some discs, a bitboard."""
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
class GameStyle:
    """What one player did in one game.

    Attributes:
        choices: Its moves.
        corners: Corners it took.
        lost: Corners that the opponent took.
        lost_first: Whether the opponent took the first corner of the game.
        lost_first_two: Whether the opponent took the first two.
        points: 1 won, 0.5 drawn, 0 lost.
        early: Its discs after _EARLY moves; None if the game was shorter.
        mobility: Its legal moves at its first turn from each of _MOVE_NUMBERS on; 0 for a pass.
        liberty: The opponent's at the opponent's first turn from there.
    """

    choices: Choices
    corners: int
    lost: int
    lost_first: bool
    lost_first_two: bool
    points: float
    early: EarlyBoard | None
    mobility: Mapping[int, int]
    liberty: Mapping[int, int]


def style_of(game: Game, side: Color, opening: int = 0) -> GameStyle:
    """Describe how a side played a game; the moves of its opening are nobody's choice."""
    choices, early = Choices(), None
    takers: list[Color] = []
    reached: dict[bool, dict[int, int]] = {True: {}, False: {}}
    for ply, (position, move) in enumerate(zip(game.positions(), game.moves, strict=False)):
        own, number = position.turn is side, 60 - position.empties
        for wanted in _MOVE_NUMBERS:
            if number >= wanted:
                reached[own].setdefault(wanted, position.legal_squares.bit_count())
        if number == _EARLY:
            early = EarlyBoard.of(position, side)
        if move.is_pass:
            continue
        if move in _X_SQUARES:
            takers.append(position.turn)
        if own and ply >= opening:
            choices = choices.with_move(position, move)
    score = game.score if game.result is None else game.result
    lost = [taker is not side for taker in takers]
    return GameStyle(
        choices,
        corners=lost.count(False),
        lost=lost.count(True),
        lost_first=lost[:1] == [True],
        lost_first_two=lost[:2] == [True, True],
        points=0.5 + 0.5 * float(np.sign(score if side is BLACK else -score)),
        early=early,
        mobility=reached[True],
        liberty=reached[False],
    )


def figures_of(styles: Sequence[GameStyle]) -> dict[str, Estimate]:
    """Return the figures of many games, with their intervals; those without cases are left out.

    A game's moves depend on each other, so the intervals are of games, not of moves.
    """
    choices = [style.choices for style in styles]
    moves = [one.moves for one in choices]
    early = [style.early for style in styles if style.early]
    discs = [one.discs for one in early]
    found = {
        "x": _share([one.x for one in choices], moves),
        "c": _share([one.c for one in choices], moves),
        "beside": _share([one.x + one.c for one in choices], moves),
        "x-choice": _mean([100 * (one.x - one.x_by_chance) for one in choices], moves),
        "beside-choice": _mean(
            [100 * (one.x + one.c - one.beside_by_chance) for one in choices], moves
        ),
        "corners": _mean([style.corners for style in styles]),
        "lost": _mean([style.lost for style in styles]),
        "after-first": _share([style.points == 1 for style in styles if style.lost_first]),
        "after-two": _share([style.points == 1 for style in styles if style.lost_first_two]),
        "diagonal": _mean([one.diagonal for one in early]),
        "edges": _share([one.edges for one in early], discs),
        "discs": _mean(discs),
        "winning": _share([style.points for style in styles]),
    }
    for number in _MOVE_NUMBERS:
        for name, reached in (
            ("mobility", [style.mobility for style in styles]),
            ("liberty", [style.liberty for style in styles]),
        ):
            found[f"{name}-{number}"] = _mean([one[number] for one in reached if number in one])
    return {name: one for name, one in found.items() if one is not None}


def _share(parts: Sequence[float], wholes: Sequence[float] = ()) -> Estimate | None:
    """Return the share of all parts in all wholes; None without any.

    The interval is Wilson's for the number of independent cases that would vary as much as the
    games do, at most as many as there are. Where all games are alike, each game is one case.

    Args:
        parts: One for each game.
        wholes: The same; 1 for each game if empty.
    """
    ratio, variance, total = _ratio(parts, wholes)
    if not total:
        return None
    spread = ratio * (1 - ratio)
    cases = min(total, spread / variance) if spread and variance else len(parts)
    return replace(Estimate.of_share(ratio, max(1, round(cases))), count=round(total))


def _mean(parts: Sequence[float], wholes: Sequence[float] = ()) -> Estimate | None:
    """Return the sum of parts divided by that of wholes, as in _share; None below two games."""
    ratio, variance, total = _ratio(parts, wholes)
    if len(parts) < 2 or not total:
        return None
    margin = _NORMAL_95 * variance**0.5
    return Estimate(ratio, ratio - margin, ratio + margin, round(total))


def _ratio(parts: Sequence[float], wholes: Sequence[float]) -> tuple[float, float, float]:
    """Return a ratio of sums over games, its variance, and the sum of the wholes."""
    above = np.array(parts, np.float64)
    below = np.array(wholes, np.float64) if wholes else np.ones(len(above))
    games, total = len(above), float(below.sum())
    if not total:
        return 0.0, 0.0, 0.0
    ratio = float(above.sum()) / total
    residuals = float(((above - ratio * below) ** 2).sum())
    return ratio, residuals / total**2 * games / max(1, games - 1), total


def together(networks: Mapping[str, Sequence[Figures]]) -> dict[str, dict[str, Estimate]]:
    """Return the mean figures of each network's trainings; networks: of one effort, by name.

    Intervals cover the chance in training, whose spread is taken as the same for all networks, and
    are no narrower than that of the games. Of a single training, they cover the games alone. What
    not every training of a network has is left out.
    """
    found: dict[str, dict[str, Estimate]] = {name: {} for name in networks}
    for column in dict.fromkeys(one for some in networks.values() for f in some for one in f):
        of_all = {
            name: [figures[column] for figures in trainings]
            for name, trainings in networks.items()
            if all(column in figures for figures in trainings)
        }
        groups = [[one.value for one in some] for some in of_all.values() if len(some) > 1]
        for name, some in of_all.items():
            mean = Estimate.mean_gain(some)
            if len(some) == 1:
                found[name][column] = some[0]
                continue
            margin = max(mean.margin, margin_of_means(groups, len(some)))
            found[name][column] = replace(mean, low=mean.value - margin, high=mean.value + margin)
    return found


_TITLES = {"/": "border network", "5": "corner network", "13": "freemove network"}
_AS_PRINTED = ", trained as in the paper"
_COLUMNS = (
    Column("x", "X before the corner"),
    Column("c", "C before the corner"),
    Column("beside", "X or C before the corner"),
    Column("x-choice", "X, less by chance", unit="points"),
    Column("beside-choice", "X or C, less by chance", unit="points"),
    Column("corners", "corners won", unit="", digits=2),
    Column("lost", "corners lost", unit="", digits=2),
    Column("after-first", "won after losing the first corner"),
    Column("after-two", "won after losing the first two"),
    Column("diagonal", f"longest diagonal after move {_EARLY}", unit="", digits=2),
    Column("edges", f"discs on edges after move {_EARLY}"),
    Column("discs", f"discs after move {_EARLY}", unit="", digits=2),
    *(Column(f"mobility-{n}", f"own mobility, move {n}", unit="", digits=2) for n in _MOVE_NUMBERS),
    *(
        Column(f"liberty-{n}", f"opponent's mobility, move {n}", unit="", digits=2)
        for n in _MOVE_NUMBERS
    ),
    Column("winning", "winning rate, draws as half"),
)


@dataclass(frozen=True)
class Statement:
    """What the paper says of a network's play, as a bound on a figure.

    Attributes:
        text: The claim.
        column: The figure.
        network: Whose it is.
        bound: As Claim.judge takes it.
        less: The network whose figure is taken away; empty for the figure itself.
    """

    text: str
    column: str
    network: str
    bound: Mapping[str, float]
    less: str = ""

    def judge(self, rows: Mapping[str, Row], suffix: str = "") -> Claim:
        """Judge it by the rows of one effort; single trainings and failed ones decide nothing."""
        (column,) = (one for one in _COLUMNS if one.name == self.column)
        names = [self.network, self.less] if self.less else [self.network]
        what = f"{column.title}, {' less '.join(_TITLES[name] for name in names)}"
        figures = [rows[name].estimate(self.column) for name in names]
        first, last = figures[0], figures[-1]
        if first is None or last is None:
            return Claim(self.text + suffix, Claim.OPEN, f"{what}: no such games")
        figure = first.gain(last) if self.less else first
        claim = Claim.judge(self.text + suffix, what, figure, digits=column.digits, **self.bound)
        trainings = [rows[name].facts["trainings"] for name in names]
        failed = any(one["error"] > COLLAPSED for some in trainings for one in some)
        return left_open(
            claim,
            ONCE if min(map(len, trainings)) < 2 else "",
            "a network learned nothing" if failed else "",
        )


_BORDER, _CORNER, _MOVES = _TITLES
_MORE, _LESS = {"above": 0.0}, {"below": 0.0}
_SOMETIMES = 5.0  # percent of games
_IN_SOME = f"in more than {_SOMETIMES:g}% of such games"
STATEMENTS = (
    Statement("the border network likes long diagonals", "diagonal", _BORDER, _MORE, _CORNER),
    Statement(
        "the border network expands into X-squares: more often than by chance", "x-choice",
        _BORDER, _MORE,
    ),
    Statement(
        "the border network does not know what corners are worth: it plays onto X-squares more "
        "often than the corner network", "x", _BORDER, _MORE, _CORNER,
    ),
    Statement(
        "corners are easily captured from the border network: it loses more than the corner "
        "network", "lost", _BORDER, _MORE, _CORNER,
    ),
    Statement("the border network is weaker than the corner network", "winning", _BORDER, _LESS,
              _CORNER),
    Statement("the border network is weaker than the freemove network", "winning", _BORDER, _LESS,
              _MOVES),
    Statement(
        "the corner network avoids squares beside corners: it takes fewer than by chance",
        "beside-choice", _CORNER, _LESS,
    ),
    Statement(
        "the corner network avoids squares beside corners: it takes fewer than the border network",
        "beside", _CORNER, _LESS, _BORDER,
    ),
    Statement(
        "the corner network goes for early discs on the edges", "edges", _CORNER, _MORE, _BORDER
    ),
    Statement(
        "the corner network opens up liberty to the opponent", f"liberty-{_EARLY}", _CORNER, _MORE,
        _BORDER,
    ),
    Statement(
        f"the corner network sometimes wins after losing the first two corners: {_IN_SOME}",
        "after-two", _CORNER, {"above": _SOMETIMES},
    ),
    Statement("legal moves as a feature boost playing strength at once", "winning", _MOVES, _MORE,
              _CORNER),
    Statement(
        "the freemove network still values corners: it takes fewer squares beside them than by "
        "chance", "beside-choice", _MOVES, _LESS,
    ),
    Statement(
        "the freemove network values liberty over position: fewer early discs on the edges",
        "edges", _MOVES, _LESS, _CORNER,
    ),
    Statement(
        "the freemove network values liberty over position: more moves of its own",
        f"mobility-{_EARLY}", _MOVES, _MORE, _CORNER,
    ),
    Statement("the freemove network limits its own discs", "discs", _MOVES, _LESS, _CORNER),
    *(
        Statement(
            f"the freemove network limits the opponent's choice after move {number}",
            f"liberty-{number}", _MOVES, _LESS, _CORNER,
        )
        for number in (_EARLY, 30)
    ),
    Statement(
        f"the freemove network wins games after losing the first corner: {_IN_SOME}",
        "after-first", _MOVES, {"above": _SOMETIMES},
    ),
    Statement(
        "the freemove network wins more of the games in which it loses the first corner than the "
        "corner network", "after-first", _MOVES, _MORE, _CORNER,
    ),
)  # fmt: skip


def judge_style(result: Result) -> list[Claim]:
    """Judge what the paper says of each network's play, by networks of equal effort."""
    found = []
    for suffix in ("", _AS_PRINTED):
        rows = {
            str(row.facts["network"]): row for row in result.rows
            if row.label.endswith(_AS_PRINTED) == bool(suffix)
        }  # fmt: skip
        for statement in STATEMENTS:
            if {statement.network, statement.less or statement.network} <= rows.keys():
                found.append(statement.judge(rows, suffix))
    return found


@dataclass(frozen=True)
class StyleConfig:
    """How far the networks are trained, and how they play.

    Attributes:
        games: Of each training against each opponent; every opening is played with both colours.
        depth: Plies that the networks search.
        opponents: Players in the place of Ng's testers, about as strong as the networks.
        effort: Of the networks' trainings.
        whole: How often each is also trained as the paper's were.
    """

    games: int
    depth: int
    opponents: tuple[str, ...] = (
        "policy:imitation-fast,temperature=2,seed=1", "alphabeta:eval=iago,depth=2",
    )  # fmt: skip
    effort: ValueEffort = field(default_factory=lambda: EFFORTS["paper"])
    whole: int = 0


@study(
    "value-style", paper=2, title="Experiments: how networks of each feature set play",
    scales={
        "smoke": StyleConfig(4, 1, ("greedy",), effort=EFFORTS["smoke"]),
        "laptop": StyleConfig(300, 2, effort=EFFORTS["laptop"], whole=2),
        "paper": StyleConfig(400, 4),
    },
    judge=judge_style,
)  # fmt: skip
def style(config: StyleConfig, bench: Workbench) -> Findings:
    """Let networks of three feature sets play the same openings, and describe their games."""
    bench.need_games()
    _explain(config, bench)
    rows = _rows(config, config.effort, "", bench)
    if config.whole:
        whole = replace(EFFORTS["paper"], trainings=config.whole)
        rows += _rows(config, whole, _AS_PRINTED, bench)
    return Findings(_COLUMNS, tuple(rows))


def _explain(config: StyleConfig, bench: Workbench) -> None:
    note_shipped(bench, config.opponents)
    bench.note(
        "The networks are /, 5 and 13 of Table 1. The first sees the border, the second corners as "
        "well, the third legal moves as well."
    )
    bench.note(
        f"Each training of a network searches {config.depth} plies and plays {config.games} games "
        f"against each of {', '.join(config.opponents)}, from random openings of {_OPENING_PLIES} "
        "plies, both colours. These stand in for the paper's testers, who were people."
    )
    bench.note(
        "Squares beside a corner count while it is empty. By chance: what a player who draws from "
        "the same legal moves plays onto them."
    )
    if config.whole:
        bench.note(
            "Rows that say so are of networks trained as the paper's were: all states, batches of "
            "5, full width. Claims compare networks of equal effort."
        )
    if config.effort.trainings > 1:
        bench.note(
            "Figures are means over trainings. Intervals cover the chance in training, whose "
            "spread is taken as the same for all networks of equal effort, and in the games."
        )
    bench.note(
        "Not measured, because the paper gives no way to: that play with corners is unpredictable, "
        "and that networks hold the middle of the board while they lose corners."
    )


def _rows(config: StyleConfig, effort: ValueEffort, suffix: str, bench: Workbench) -> list[Row]:
    """Train the networks as an effort says, and let each training play."""
    years = bench.years or effort.years
    played: dict[str, list[dict[str, Estimate]]] = {}
    facts: dict[str, list[dict[str, object]]] = {}
    for name in _TITLES:
        changes, _, _ = TABLE_1[name]
        for seed in range(1, effort.trainings + 1):
            made = effort.config(dict(changes), years, seed)
            trained = train_network(bench, f"{name}{suffix}, training {seed}", made)
            options = {"net": str(trained.folder), "depth": str(config.depth)}
            spec = str(Spec("alphabeta", options=options))
            figures = figures_of(list(_play(spec, config, bench)))
            played.setdefault(name, []).append(figures)
            facts.setdefault(name, []).append({
                "error": trained.metrics["lowest_error"],
                **{column: one.value for column, one in figures.items()},
            })  # fmt: skip
    return [
        Row.of(
            _TITLES[name] + suffix, dict(figures),
            facts={"network": name, "trainings": facts[name]},
        )
        for name, figures in together(played).items()
    ]  # fmt: skip


def _play(spec: str, config: StyleConfig, bench: Workbench) -> Iterable[GameStyle]:
    openings = bench.random_openings(_OPENING_PLIES, config.games // 2)
    for rival in config.opponents:
        for game in bench.games(spec, rival, openings):
            yield style_of(game, BLACK if game.black == spec else WHITE, _OPENING_PLIES)
