"""
The compiled core of Outflank.

Boards are pairs of 64-bit integers (own, other), from the mover's view; bit 0 is a1, bit 7
is h1, bit 63 is h8. A move is a square 0..63, or PASS (64). Functions take one board or
arrays of boards; on arrays they run without the GIL and, with threads=0, on all cores.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


PASS: int = 64

def build() -> str:
    """What the compiled code was tuned for."""

def available_threads() -> int:
    """How many cores this process may use: what threads=0 means."""

@overload
def legal_moves(own: int, other: int) -> int:
    """Squares where the mover may play, as a bitboard."""

@overload
def legal_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Legal moves of each board, as bitboards."""

def flips(own: int, other: int, square: int) -> int:
    """
    Discs that a disc on this square would flip; 0 means that it outflanks nothing.
    The square itself is not looked at.
    """

@overload
def play(own: int, other: int, move: int) -> tuple[int, int]:
    """
    The board after a legal move or pass, from the next mover's view (own, other).
    """

@overload
def play(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')]]:
    """
    The boards after one legal move or pass each, from the next movers' view:
    (own, other). An illegal move raises ValueError and names its index.
    """

@overload
def is_over(own: int, other: int) -> bool:
    """True if neither side can move."""

@overload
def is_over(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.bool_], dict(order='C')]:
    """True where neither side can move."""

@overload
def final_score(own: int, other: int) -> int:
    """
    Disc difference from the mover's view, the empty squares going to the winner.
    """

@overload
def final_score(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """
    Final scores from each mover's view, the empty squares going to the winner.
    """

@overload
def transform(bits: int, symmetry: int) -> int:
    """
    A bitboard under one of the eight symmetries. Bit 2 of the number transposes, then bit 0
    mirrors left and right, then bit 1 mirrors top and bottom.
    """

@overload
def transform(bits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: int, threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Bitboards under one symmetry."""

@overload
def transform(bits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Bitboards under one symmetry each."""

@overload
def transform_move(move: int, symmetry: int) -> int:
    """Where a move goes under a symmetry; a pass stays a pass."""

@overload
def transform_move(move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """Moves under one symmetry each; values above 63 stay as they are."""

@overload
def canonical(own: int, other: int) -> tuple[int, int, int]:
    """
    The smallest of the board's eight images and the symmetry that leads to it:
    (own, other, symmetry).
    """

@overload
def canonical(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')]]:
    """
    Canonical boards and the symmetries that lead to them: (own, other, symmetry).
    """

@overload
def hash(own: int, other: int) -> int:
    """A 64-bit hash of the board, the same in every build."""

@overload
def hash(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """64-bit hashes of the boards."""

@overload
def stable_discs(own: int, other: int) -> int:
    """Discs of both colours that can never be flipped (a lower bound)."""

@overload
def stable_discs(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Stable discs of both colours of each board."""

@overload
def frontier(own: int, other: int) -> int:
    """Discs of both colours that touch an empty square."""

@overload
def frontier(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Discs of both colours that touch an empty square, for each board."""

@overload
def potential_mobility(own: int, other: int) -> int:
    """Empty squares that touch an opponent's disc."""

@overload
def potential_mobility(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Empty squares that touch an opponent's disc, for each board."""

def perft(own: int, other: int, depth: int) -> int:
    """
    Number of move sequences of this length; a pass is a ply, a finished game one leaf.
    """

def planes(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], names: Sequence[str], threads: int = 0) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
    """
    Network input: float32 of shape (boards, planes, 8, 8), rows first. Planes are named
    own, other, empty, legal, ones, border.
    """

def planes_uint8(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], names: Sequence[str], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """As planes, in uint8."""

@overload
def random_playouts(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, games: int = 1, threads: int = 0) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """
    Random games from each board to the end: final scores from that board's mover's view,
    int8 of shape (boards, games). The same seed gives the same games with any number of
    threads.
    """

@overload
def random_playouts(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], games: int = 1, threads: int = 0) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """As above, the games of each board depending on its own key alone."""

@overload
def random_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """
    One uniformly random legal move for each board, PASS where there is none.
    """

@overload
def random_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """As above, the move of each board depending on its own key alone."""

NO_MOVE: int = 255

def replay_games(moves: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.int64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')]]:
    """
    Replays games from the start position. moves: uint8 of shape (games, width), squares
    0..63 padded with NO_MOVE; passes are implied.

    Returns (own, other, move, white_to_move: one place for each move, the position
    before it), (offsets: games+1, where each game's places begin), (black, white: the
    last position reached), (moves: how many were legal), (legal: all were), (over).
    """

def canonical_examples(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')]]:
    """
    The least image of each (own, other, move) under the eight symmetries. Of the moves
    that a symmetric board makes alike, it has the lowest. Moves are 0..64; with PASS
    for all, boards alone are compared.
    """

def count_images(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """How many of the eight images of each (own, other, move) differ."""

def unique_examples(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetric: bool = False, threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint32], dict(order='C')], Annotated[NDArray[numpy.uint32], dict(order='C')], Annotated[NDArray[numpy.uint32], dict(order='C')]]:
    """
    Distinct (own, other, move), exactly; symmetric: mirror images are the same.

    Returns (index: where each distinct one appears first, ascending), (count: how often
    it appears), (group: for every example, which of the distinct ones it is), uint32.
    """

def find_examples(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], among_own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], among_other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], among_move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetric: bool = False, threads: int = 0) -> Annotated[NDArray[numpy.bool_], dict(order='C')]:
    """
    Whether each (own, other, move) occurs among others, exactly; symmetric: itself or
    a mirror image.
    """

def random_numbers(seed: int, size: int, threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """
    Random 64-bit numbers; each depends on the seed and its own index alone.
    """

class Evaluation:
    """
    A number for a position that need not be the end of a game.

    Values are whole numbers from the mover's view, `units` times what they
    are in the evaluation's own numbers.
    """

    @staticmethod
    def named(name: str) -> Evaluation:
        """The evaluation of a name; named_evaluations lists them."""

    @property
    def units(self) -> float:
        """How much of a value makes one of the evaluation's own numbers."""

    @overload
    def evaluate(self, own: int, other: int, white_to_move: bool) -> int:
        """The value of one board."""

    @overload
    def evaluate(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """The value of each board, int32."""

class NTupleNetwork(Evaluation):
    """
    A table of weights for each tuple of squares, looked up by what is on them.
    """

    def __init__(self, lengths: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], squares: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], inverts: bool) -> None:
        """
        lengths, offsets: for each placement of a tuple, its number of squares and where its
        3**length weights begin. squares: those of all placements, one after the other.
        Weights are in the order of the squares' contents read as a number of base 3, the
        first square its highest digit: 0 white, 1 empty, 2 black.

        inverts: the side that has just moved counts as black; else black prefers high
        values and white low ones.
        """

    def values(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(order='C')]:
        """
        The value of each board in the network's own numbers, float64, from the mover's view.
        """

    def choose(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
        """
        The move after which each board is worth most to its mover, PASS where there is none.
        Among values within 1e-6 of the best the board's key decides.
        """

class PatternEvaluation(Evaluation):
    """
    Weights of patterns and of numbers of moves, other ones at each stage of the game.
    """

    def __init__(self, weights: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        weights: int16 of shape (stages, weights of a stage), as fit_patterns returns.
        """

def fit_patterns(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, passes: int = 60, rate: float = 1.0, prior: float = 8.0, threads: int = 0) -> Annotated[NDArray[numpy.int16], dict(order='C')]:
    """
    Weights whose sums come near the scores (from the movers' views, in discs).
    """

class PatternLearner:
    """Weights of patterns that are moved towards scores batch by batch."""

    def __init__(self, weights: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """weights: those to start with, as PatternEvaluation takes them."""

    def step(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, rate: float = 1.0, prior: float = 1.0, threads: int = 0) -> float:
        """
        Go one step towards the scores (from the movers' views, in discs); return the mean squared error before it. The result does not depend on threads.
        """

    def weights(self) -> Annotated[NDArray[numpy.int16], dict(order='C')]:
        """As PatternEvaluation takes them."""

def named_evaluations() -> list[tuple[str, str, str]]:
    """All evaluations that have a name: (name, summary, source) of each."""

def edge_table() -> Annotated[NDArray[numpy.int32], dict(order='C')]:
    """
    Values of all edges with their X-squares, as the evaluations after Iago use them: int32
    of length 3**10, by ten digits of base 3 (0 empty, 1 the mover's, 2 the opponent's).
    """

def square_weights(name: str) -> Annotated[NDArray[numpy.float64], dict(order='C')]:
    """
    The weights of the 64 squares in a named evaluation, row by row from a1.
    """

class LineNetwork:
    """
    A network of tables over lines: logits of the legal moves, and a value.
    """

    def __init__(self, *, channels: int = 64, blocks: int = 1, layers: int = 2, hidden: int = 128, afterstates: bool = True, seed: int | None = 0) -> None:
        """
        channels, hidden: multiples of 16. Without a seed all weights are zero.
        """

    @property
    def channels(self) -> int: ...

    @property
    def blocks(self) -> int: ...

    @property
    def layers(self) -> int: ...

    @property
    def hidden(self) -> int: ...

    @property
    def afterstates(self) -> bool: ...

    def parameters(self) -> dict[str, NDArray[numpy.float32]]:
        """
        All weights by name, as arrays that are the network's own memory. After writing to
        them call refresh().
        """

    def refresh(self) -> None:
        """Takes changed weights into use."""

    def predict(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """
        (logits, values) of boards: float32 of shape (boards, 64), -inf where a move is not
        legal, and float32, the expected result from the mover's view in [-1, 1].
        """

class LineTrainer:
    """Trains a LineNetwork, which it changes in place."""

    def __init__(self, network: object, *, seed: int = 0, value_weight: float = 0.20000000298023224, square_logits: float = 9.999999747378752e-05, smoothing: float = 0.0, dense_decay: float = 0.009999999776482582, table_decay: float = 0.0, row_floor: float = 0.10000000149011612, back_off: float = 0.0, line_dropout: float = 0.0, pattern_dropout: float = 0.0, channel_dropout: float = 0.0) -> None: ...

    def step(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, value: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, rates: tuple[float, float, float], threads: int = 0) -> dict[str, float]:
        """
        One step. Either move (uint8, the square to predict) or policy (float32 of shape
        (boards, 64), shares of the legal moves). rates: of the dense weights, of line rows,
        of the moves' rows. The result does not depend on threads.

        Returns the batch's means: policy_loss, value_loss, accuracy.
        """

    def settle(self) -> None:
        """
        Gives all rows the decay they are due; call it before saving or using weights.
        """

    def state(self) -> dict[str, NDArray[numpy.float32]]:
        """
        What a resumed run needs, beside the visits, as arrays of the trainer's own memory.
        """

    def visits(self) -> dict[str, NDArray[numpy.uint32]]:
        """
        How often each row, and each shorter pattern, was changed; the same way.
        """

    @property
    def steps(self) -> int: ...

    @steps.setter
    def steps(self, arg: int, /) -> None: ...

    @property
    def positions(self) -> int: ...

    @positions.setter
    def positions(self, arg: int, /) -> None: ...

    @property
    def clock(self) -> float: ...

    @clock.setter
    def clock(self, arg: float, /) -> None: ...

VALUE_LIMIT: int = 1000000000

GAME_VALUE: int = 1000000001

DISC_VALUE: int = 1000

class Stop:
    """Ends a search from another thread."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """End the search at once."""

    @property
    def is_set(self) -> bool:
        """True if somebody ended the search with set()."""

class Solution:
    """What the solver found."""

    @property
    def score(self) -> int:
        """
        Final score under perfect play, from the mover's view; its sign for
        win_draw_loss.
        """

    @property
    def best(self) -> int:
        """The best move, or PASS."""

    @property
    def line(self) -> list[int]:
        """Best play to the end, passes included."""

    @property
    def nodes(self) -> int:
        """Positions looked at."""

    @property
    def complete(self) -> bool:
        """False if the search was stopped."""

class Solver:
    """The exact endgame solver, with its table."""

    def __init__(self, megabytes: int = 64) -> None: ...

    def solve(self, own: int, other: int, win_draw_loss: bool = False, threads: int = 1, stop: Stop | None = None, seconds: float = 0.0) -> Solution:
        """
        Solve a position. The answer does not depend on the number of threads (0: all cores).
        After so many seconds, if they are not 0, it is stopped.
        """

    def solve_moves(self, own: int, other: int, threads: int = 1, stop: Stop | None = None) -> tuple[list[tuple[int, int]], int]:
        """
        Score every move: ([(move, score)] best first, nodes). Empty if it was stopped.
        """

    def clear(self) -> None:
        """Forget everything."""

class Line:
    """A move and what is expected after it."""

    @property
    def value(self) -> int:
        """From the mover's view, in the evaluation's units."""

    @property
    def moves(self) -> list[int]:
        """Expected play, passes included."""

class SearchReport:
    """What a search found."""

    @property
    def depth(self) -> int:
        """Plies searched."""

    @property
    def lines(self) -> list[Line]:
        """Best lines, best first."""

    @property
    def nodes(self) -> int:
        """Positions looked at."""

    @property
    def seconds(self) -> float:
        """Time since the search began."""

class DepthRegression:
    """How well a shallow search predicts a deep one: for probcut."""

    def __init__(self, depth: int, shallow: int, from_discs: int, to_discs: int, slope: float, offset: float, error: float) -> None: ...

def search_python(own: int, other: int, white_to_move: bool, depth: int, evaluator: Callable[[NDArray[numpy.uint64], NDArray[numpy.uint64], bool], NDArray[numpy.float64]], horizon: int = 2, ends: str = 'score') -> tuple[float, int, int, int, int]:
    """
    Alpha-beta to a fixed depth over evaluator(own, other, white_to_move) -> float64[n],
    which is given arrays of boards, all with the same side to move, and answers from
    the movers' view. The last `horizon` plies are evaluated in one batch.

    Returns (value, first best move by square, nodes, positions evaluated, batches).
    """

class Searcher:
    """Alpha-beta over one evaluation, with its table."""

    def __init__(self, evaluation: Evaluation, megabytes: int = 64, ends: str = 'score') -> None: ...

    def search(self, own: int, other: int, white_to_move: bool, depth: int = 60, nodes: int = 0, seconds: float = 0.0, threads: int = 1, lines: int = 1, stop: Stop | None = None, on_depth: Callable[[SearchReport], None] | None = None) -> SearchReport:
        """
        Search until a limit is reached; on_depth(report) is called after each depth.
        """

    def search_many(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int = 60, nodes: int = 0, threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
        """
        The moves of many boards, uint8[n], each searched by one thread to the same limits.
        """

    def value_many(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int, threads: int = 0) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """
        What many boards are worth to their movers, int32[n], each searched by one thread to a depth; 0: what the evaluation says. Finished games have their scores.
        """

    def minimax(self, own: int, other: int, white_to_move: bool, depth: int) -> tuple[int, int, int]:
        """
        Plain minimax without any pruning: (value, first best move by square, nodes).
        """

    def set_selectivity(self, deviations: float, regressions: Sequence[DepthRegression]) -> None:
        """Switch probcut on, at so many standard deviations (0: off)."""

    def clear(self) -> None:
        """Forget everything."""

def evolved_weights(shape: str) -> int:
    """How many weights a shape has: spatial, flat, only or filter."""

class EvolvedEvaluation(Evaluation):
    """A network of paper 4 that evaluates boards."""

    def __init__(self, shape: str, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], piece_weight: float) -> None:
        """
        shape: spatial, flat or only. piece_weight: what a disc of difference adds to the output's sum.
        """

class MoveFilter:
    """A network of paper 4 that ranks moves."""

    def __init__(self, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def rank(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """How it ranks the squares of each board: float32[n, 64]."""

class Mind:
    """A player of fixed depth: an evaluation, and perhaps a filter of moves."""

    def __init__(self, evaluation: Evaluation, depth: int = 2, filter: MoveFilter | None = None, window: int = 3) -> None: ...

    def choose(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.int32], dict(order='C')]]:
        """
        The best move on each board, uint8[n], the lowest square among equals and PASS where there is none, and what it is worth, int32[n].
        """

def play_minds(minds: Sequence[Mind], black: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], white: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], openings: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, most_passes: int = 10, threads: int = 0) -> tuple[Annotated[NDArray[numpy.int32], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.int32], dict(order='C')]]:
    """
    Play games from the start between players, given by their numbers.

    openings: legal moves uint8[n, k] with which each game begins.

    Returns black's scores int32[n], the moves uint8[n, 128] with passes, and the plies int32[n].
    A game also ends with most_passes passes of the players.
    """
