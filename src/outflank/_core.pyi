"""
The compiled core of Outflank.

Functions take one board, or arrays of boards; on arrays they release the GIL. These parameters
mean the same everywhere:

    own, other: discs of the mover and of the opponent as 64-bit integers, or uint64 arrays of
        one length. Bit 0 is a1, bit 7 is h1, bit 63 is h8.
    white_to_move: whose discs `own` are, for evaluations that tell the colours apart.
    move: a square 0..63, or PASS (64).
    symmetry: one of the eight symmetries, 0..7; see transform.
    threads: how many threads to use; 0: all cores. Results do not depend on it.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, overload

import numpy
from numpy.typing import NDArray


PASS: int = 64

def build() -> str:
    """What the compiled code was tuned for."""

def available_threads() -> int:
    """How many cores this process may use: what threads=0 means."""

def end_calls() -> None:
    """
    End every long call under way in any thread, with SystemExit in it.

    This is for a program that is about to exit, and happens at every exit by itself.
    """

def limit_threads(most: int) -> None:
    """
    Make threads=0 mean at most this many cores in this process; 0: no limit.
    """

@overload
def legal_moves(own: int, other: int) -> int:
    """Squares where the mover may play, as a bitboard."""

@overload
def legal_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Legal moves of each board, as bitboards."""

def flips(own: int, other: int, square: int) -> int:
    """
    The discs that a disc on this square would flip, even if the square is not empty.
    """

@overload
def play(own: int, other: int, move: int) -> tuple[int, int]:
    """Play a legal move or pass: (own, other) from the next mover's view."""

@overload
def play(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')]]:
    """
    Play one move on each board.

    Returns (own, other) from the next movers' view.

    Raises ValueError for an illegal move, with its index.
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
    A bitboard under one of the eight symmetries.

    Bit 2 of the symmetry's number transposes; then bit 0 mirrors left and right, and bit 1 top and
    bottom.
    """

@overload
def transform(bits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: int, threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Bitboards, all under the same symmetry."""

@overload
def transform(bits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Bitboards, each under its own symmetry (uint8)."""

@overload
def transform_move(move: int, symmetry: int) -> int:
    """Where a move goes under a symmetry; a pass stays a pass."""

@overload
def transform_move(move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """Moves, each under its own symmetry; values above 63 stay as they are."""

@overload
def canonical(own: int, other: int) -> tuple[int, int, int]:
    """
    The smallest of the board's eight images, and the symmetry that gives it: (own, other, symmetry).
    """

@overload
def canonical(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')]]:
    """
    Canonical boards and the symmetries that lead to them: (own, other, symmetry).
    """

@overload
def hash(own: int, other: int) -> int:
    """
    A 64-bit hash of the board, or of any two words, the same in every build.
    """

@overload
def hash(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """64-bit hashes of the boards, or of any pairs of words."""

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
    Count the sequences of `depth` plies; a pass is a ply, and a finished game is one leaf.
    """

def planes(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], names: Sequence[str], threads: int = 0) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
    """
    Boards as input of a network: float32 of shape (boards, planes, 8, 8), rows first.

    Args:
        own, other: the boards.
        names: which planes, in order: own, other, empty, legal, ones, border.
        threads: see the module.
    """

def planes_uint8(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], names: Sequence[str], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """Like planes, but uint8."""

@overload
def random_playouts(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, games: int = 1, threads: int = 0) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """
    Play random games from each board to the end.

    Args:
        own, other: the boards.
        seed: determines the games.
        games: how many to play from each board.
        threads: see the module.

    Returns the final scores, int8 of shape (boards, games), from the view of the mover on the board
    that the games began with.
    """

@overload
def random_playouts(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], games: int = 1, threads: int = 0) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """
    As above, but the games of each board depend on its own key (uint64) alone.
    """

@overload
def random_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """
    A uniformly random legal move for each board (uint8), PASS where there is none.
    """

@overload
def random_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """
    As above, but the move of each board depends on its own key (uint64) alone.
    """

NO_MOVE: int = 255

def replay_games(moves: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.int64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')]]:
    """
    Replay games from the start position, up to the first illegal move of each.

    Args:
        moves: uint8 of shape (games, width): squares 0..63, padded with NO_MOVE. Passes are implied.
        threads: see the module.

    Returns a tuple of arrays. One entry for each move, with the position before it:
        own, other, move, white_to_move; from an illegal move on, move is NO_MOVE.
    One entry for each game:
        offsets: where the game's entries begin; one more at the end.
        black, white: the last position reached.
        moves: how many moves were legal.
        legal: whether all were.
        over: whether the game was over after them.
    """

def canonical_examples(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')]]:
    """
    The smallest of the eight images of each (own, other, move).

    On a symmetric board several moves are equivalent: of those it has the lowest. Give PASS (64) for
    all moves to compare boards alone.
    """

def count_images(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """How many different images each (own, other, move) has: 1, 2, 4 or 8."""

def unique_examples(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetric: bool = False, threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint32], dict(order='C')], Annotated[NDArray[numpy.uint32], dict(order='C')], Annotated[NDArray[numpy.uint32], dict(order='C')]]:
    """
    Find the distinct ones among examples (own, other, move). Exact: hashes are not trusted.

    Args:
        own, other, move: the examples.
        symmetric: whether an example counts as the same as its images under the symmetries.
        threads: see the module.

    Returns (index, count, group), all uint32: where each distinct example appears first, ascending;
    how often it appears; and for every example, which of the distinct ones it is.
    """

def find_examples(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], among_own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], among_other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], among_move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetric: bool = False, threads: int = 0) -> Annotated[NDArray[numpy.bool_], dict(order='C')]:
    """
    Whether each example (own, other, move) occurs among others. Exact.

    Args:
        own, other, move: the examples to look for.
        among_own, among_other, among_move: the examples to look among.
        symmetric: whether an image under the symmetries counts as an occurrence.
        threads: see the module.
    """

def random_numbers(seed: int, size: int, threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """
    Random 64-bit numbers; each depends on the seed and its own index alone.
    """

class Evaluation:
    """
    What a position is worth, without searching.

    Values are whole numbers from the mover's view: the evaluation's own numbers times `units`.
    """

    @staticmethod
    def named(name: str) -> Evaluation:
        """The evaluation with this name; named_evaluations() lists them all."""

    @property
    def units(self) -> float:
        """What 1 in the evaluation's own numbers counts as a value."""

    @property
    def in_discs(self) -> bool:
        """Whether the evaluation's own numbers are discs."""

    @overload
    def evaluate(self, own: int, other: int, white_to_move: bool) -> int:
        """The value of one board."""

    @overload
    def evaluate(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """The value of each board, int32."""

class NTupleNetwork(Evaluation):
    """
    A table of weights for each tuple of squares, indexed by the contents of its squares.
    """

    def __init__(self, lengths: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], squares: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], inverts: bool) -> None:
        """
        A network from its placements; those that share an offset share their weights.

        Args:
            lengths: uint8, how many squares each placement of a tuple has.
            squares: uint8, the squares of all placements, one after the other.
            offsets: uint32, where each placement's 3**length weights begin.
            weights: float64, those of each tuple in the order of its squares' contents, read as a number
                of base 3 (0 white, 1 empty, 2 black) whose highest digit is the first square.
            inverts: True: the side that has just moved counts as black. False: black prefers high values
                and white low ones.
        """

    def values(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(order='C')]:
        """
        The values of boards in the network's own numbers: float64, from the movers' view.
        """

    def choose(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
        """
        Choose the move after which each board is worth most to its mover.

        Args:
            own, other, white_to_move: the boards.
            keys: uint64, one for each board: decides among moves within 1e-6 of the best.
            threads: see the module.

        Returns uint8, PASS where there is no move.
        """

class PatternEvaluation(Evaluation):
    """
    Sums of weights of patterns and of both sides' mobility, which depend on the game's stage.
    """

    def __init__(self, weights: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        An evaluation from its weights.

        Args:
            weights: int16 of shape (stages, weights per stage), as fit_patterns returns them.
        """

def fit_patterns(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, passes: int = 60, rate: float = 1.0, prior: float = 8.0, threads: int = 0) -> Annotated[NDArray[numpy.int16], dict(order='C')]:
    """
    Fit the weights of a PatternEvaluation to scores, by gradient descent on all positions.

    Args:
        own, other: the positions.
        scores: float32, final scores from the movers' view, in discs.
        passes: how many passes over all positions.
        rate: learning rate, as a share of the step that would suit independent patterns.
        prior: a weight that occurs this often moves half as far as one that occurs always.
        threads: see the module.
    """

class PatternLearner:
    """Learns the weights of a PatternEvaluation batch by batch."""

    @overload
    def __init__(self, weights: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        Args:
            weights: where to start, as PatternEvaluation takes them.
        """

    @overload
    def __init__(self, exact_weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        Args:
            exact_weights: of a learner that this one goes on from.
        """

    def step(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, rate: float = 1.0, prior: float = 1.0, threads: int = 0) -> float:
        """
        Take one step towards the scores of a batch.

        Args:
            own, other: the positions.
            scores: float32, from the movers' view, in discs.
            rate: learning rate, as a share of the step that would suit independent patterns.
            prior: how many errors of zero each weight's mean error is averaged with.
            threads: see the module.

        Returns the mean squared error before the step.
        """

    def weights(self) -> Annotated[NDArray[numpy.int16], dict(order='C')]:
        """The weights so far, as PatternEvaluation takes them."""

    def exact_weights(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """In discs, unrounded: all that a learner has to keep between steps."""

class PatternNetwork(Evaluation):
    """
    A small network over patterns. The hyperbolic tangent of value / units is the expected result.
    """

    def __init__(self, rows: Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu', writable=False)], empties: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)], inner: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)], inner_bias: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], outer: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)], outer_bias: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        A network from its weights. There are 16 stages, of four empty squares each.

        Args:
            rows: int8[rows, channels], in 1/64: what each pattern adds to the sums.
            empties: int16[61, channels], in 1/64: added by the number of empty squares.
            inner: int16[stages * hidden, channels], in 1/1024.
            inner_bias: int32[stages, hidden], in 1/(64 * 1024).
            outer: int16[stages, hidden], in 1/256.
            outer_bias: int32[stages], in 1/(64 * 256).
        """

    rows: Final[int] = ...
    """How many rows the table has."""

def pattern_rows(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint32], dict(order='C')]:
    """The rows of a PatternNetwork that each board uses, uint32[n, 52]."""

def named_evaluations() -> list[tuple[str, str, str]]:
    """The evaluations that have a name, as tuples (name, summary, source)."""

def edge_table() -> Annotated[NDArray[numpy.int32], dict(order='C')]:
    """
    The edge table of the evaluations after Iago: int32 of length 3**10.

    An index is a number of ten digits of base 3 (0 empty, 1 the mover's disc, 2 the opponent's): an
    X-square, the eight squares of the edge, and the other X-square.
    """

def square_weights(name: str) -> Annotated[NDArray[numpy.float64], dict(order='C')]:
    """
    The weights of the 64 squares in a named evaluation, row by row from a1.
    """

class LineNetwork:
    """
    A network over tables of lines: a policy and a value. See docs/line-network.md.
    """

    def __init__(self, *, channels: int = 64, blocks: int = 1, layers: int = 2, hidden: int = 128, afterstates: bool = True, seed: int | None = 0) -> None:
        """
        Args:
            channels: length of the vectors of squares and moves; a multiple of 16, at most 256.
            blocks: how many blocks mix channels and squares, at most 32.
            layers: how many residual layers the legal moves go through, at most 16.
            hidden: width of those layers; a multiple of 16, at most 1024.
            afterstates: whether to look at the board after each legal move.
            seed: of the random weights to start with; None: all weights are zero.
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
        All weights by name. The arrays are views: call refresh() after writing to them.
        """

    def refresh(self) -> None:
        """Take changed weights into use."""

    def predict(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """
        Predict moves and results.

        Returns (logits, values): float32 of shape (boards, 64), -inf where a move is not legal; and
        float32, the expected results in [-1, 1] from the movers' view.
        """

class LineTrainer:
    """Trains a LineNetwork, which it changes in place."""

    def __init__(self, network: object, *, seed: int = 0, value_weight: float = 0.20000000298023224, square_logits: float = 9.999999747378752e-05, smoothing: float = 0.0, dense_decay: float = 0.009999999776482582, table_decay: float = 0.0, row_floor: float = 0.10000000149011612, back_off: float = 0.0, line_dropout: float = 0.0, pattern_dropout: float = 0.0, channel_dropout: float = 0.0) -> None:
        """
        Args:
            network: the LineNetwork to train.
            seed: of the dropout.
            value_weight: weight of the value's squared error beside the policy's cross-entropy.
            square_logits: weight of log(sum(exp(logits)))**2, which keeps logits near zero.
            smoothing: share of the policy target that is spread over all legal moves.
            dense_decay: decoupled weight decay of the dense weights.
            table_decay: the same of table rows, towards where they started.
            row_floor: share of a table's mean squared gradient that is added to each row's.
            back_off: learning rate of the shorter patterns behind the rows, as a share of the tables'.
            line_dropout, pattern_dropout, channel_dropout: share of each that is left out at random.
        """

    def step(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, value: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, rates: tuple[float, float, float], threads: int = 0) -> dict[str, float]:
        """
        Take one step down the gradient of a batch, which has either moves or policies.

        Args:
            own, other: the positions.
            move: uint8, the squares to predict.
            policy: float32 of shape (boards, 64), probabilities of the legal moves. A row of zeros teaches
                no policy: only the value of its position is learned.
            value: float32, results from the movers' view in [-1, 1].
            weight: float32, how much each position counts; None: 1 each.
            rates: learning rates of the dense weights, of line rows, and of the moves' rows.
            threads: see the module.

        Returns the batch's means: policy_loss, value_loss, accuracy.
        """

    def settle(self) -> None:
        """
        Apply the weight decay that rows are due; call this before saving or using weights.
        """

    def state(self) -> dict[str, NDArray[numpy.float32]]:
        """
        What a resumed run needs besides visits(), as views of the trainer's memory.
        """

    def visits(self) -> dict[str, NDArray[numpy.uint32]]:
        """
        How often each row and each shorter pattern has changed, as views, too.
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

class ValueDescent:
    """
    Stochastic gradient descent for a value network: 3 x 3 convolutions, fully connected layers, one of 64 units, one number. Runs on one thread.
    """

    def __init__(self, *, planes: int, conv_layers: int, maps: int, dense_layers: int, nodes: int, conv_dropout: float = 0.0, dense_dropout: float = 0.0, momentum: float = 0.0, max_norm: float = 0.0, seed: int = 0) -> None:
        """
        Args:
            planes: that a state has, at most 64.
            conv_layers, maps: how many convolutions, at most 16, and how many maps each has.
            dense_layers, nodes: how many layers before the one of 64 units, at most 16, and their width.
            conv_dropout, dense_dropout: share of units left out after each, at most 0.95.
            momentum: of the descent, at most 1.
            max_norm: greatest norm of the weights into a unit; 0: no limit.
            seed: of the dropout.

        All weights are zero at first.
        """

    @property
    def size(self) -> int:
        """How many weights and biases there are."""

    def weights(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """
        All weights in one array, layer by layer: (out, in, 3, 3) or (out, in), then biases.
        """

    def momentum(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """The momentum of each weight, in the same order."""

    def set_weights(self, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take these weights."""

    def set_momentum(self, momentum: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take this momentum."""

    def train(self, planes: Annotated[NDArray[numpy.int8], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, batch: int, rates: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: int) -> float:
        """
        Take some steps.

        Args:
            planes: int8 of shape (states, planes, 8, 8).
            values: float32, what each state is worth.
            order: int64, the states of these steps, batch after batch; only the last may be smaller.
            batch: states in a step.
            rates: float32, the learning rate of each step.
            first: the number of the first step; with the seed, it determines what is dropped.

        Returns the sum of the squared errors before each step.
        """

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
    """The exact endgame solver and its transposition table."""

    def __init__(self, megabytes: int = 64) -> None:
        """
        Args:
            megabytes: size of the transposition table, rounded down to a power of two.
        """

    def solve(self, own: int, other: int, win_draw_loss: bool = False, threads: int = 1, stop: Stop | None = None, seconds: float = 0.0, deviations: float = 0.0) -> Solution:
        """
        Solve a position exactly.

        Args:
            own, other: the position.
            win_draw_loss: find out who wins, not by how much: faster.
            threads: see the module.
            stop: ends the search from another thread.
            seconds: stop after this time; 0: never.
            deviations: leave out what the guide's shallow searches make so sure, in standard deviations;
                0: nothing. The score is then an estimate.
        """

    def set_guide(self, evaluation: ChampionEvaluation, deviations: float = 0.0, regressions: Sequence[DepthRegression] = [], endings: Sequence[DepthRegression] = []) -> None:
        """
        Order moves by a learned evaluation; scores stay the same.

        Args:
            evaluation: the champion's.
            deviations, regressions: of the searches that order moves, see Searcher.set_selectivity.
            endings: how shallow searches predict exact scores; `depth` is the number of empty squares.
        """

    def solve_moves(self, own: int, other: int, threads: int = 1, stop: Stop | None = None) -> tuple[list[tuple[int, int]], int]:
        """
        Score every legal move exactly.

        Args:
            own, other: the position.
            threads: see the module.
            stop: ends the search from another thread.

        Returns ([(move, score), ...] with the best first, nodes); the list is empty if it was stopped.
        """

    def clear(self) -> None:
        """Empty the transposition table."""

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

    def __init__(self, depth: int, shallow: int, from_discs: int, to_discs: int, slope: float, offset: float, error: float) -> None:
        """
        The deep value is about slope * shallow value + offset.

        Args:
            depth: of the deep search.
            shallow: depth of the search that predicts it.
            from_discs, to_discs: the stage of the game that this was measured in, both included.
            slope, offset: of the regression line, in the evaluation's units.
            error: standard deviation around the line, in the evaluation's units.
        """

class ValueMemory:
    """What an evaluator said about positions, so that none is asked twice."""

    def __init__(self) -> None: ...

    def forget_before(self, discs: int) -> None:
        """
        Drop the positions that have fewer discs: no game reaches them any more.
        """

    def clear(self) -> None:
        """Forget everything."""

    def __len__(self) -> int: ...

def search_python(own: int, other: int, white_to_move: bool, depth: int, evaluator: Callable[[NDArray[numpy.uint64], NDArray[numpy.uint64], bool], NDArray[numpy.float64]], horizon: int = 2, ends: str = 'score', memory: ValueMemory | None = None, chooser: Callable[[int, int], int] | None = None) -> tuple[float, int, int, int, int]:
    """
    Search with alpha-beta to a fixed depth over an evaluator that takes many boards at once.

    Args:
        own, other, white_to_move: the position; it must not be over.
        depth: plies to search.
        evaluator: called with arrays (own, other) of n boards that all have the same side to move, and
            with that side; returns their values from the movers' view, float64[n].
        horizon: how many of the last plies are searched without pruning, so that their leaves form one
            batch.
        ends: what a finished game is worth: "score", its score, more than any evaluation; or
            "evaluate", what the evaluator says.
        memory: what was evaluated before, and what is evaluated now; nothing in it is asked about again.
        chooser: called with a board above the horizon that has several legal moves; returns the squares
            worth searching, as bits. All are searched if none of them is legal.

    Returns (value, first best move by square, nodes, positions evaluated, batches).
    """

class Searcher:
    """Alpha-beta over an evaluation, and its transposition table."""

    def __init__(self, evaluation: Evaluation, megabytes: int = 64, ends: str = 'score') -> None:
        """
        Args:
            evaluation: what the leaves are worth.
            megabytes: size of the transposition table, rounded down to a power of two.
            ends: what a finished game is worth: "score", its score, more than any evaluation; or
                "evaluate", what the evaluation says; or "discs", its score as an evaluation in discs
                would say it.
        """

    def search(self, own: int, other: int, white_to_move: bool, depth: int = 60, nodes: int = 0, seconds: float = 0.0, threads: int = 1, lines: int = 1, stop: Stop | None = None, on_depth: Callable[[SearchReport], None] | None = None) -> SearchReport:
        """
        Search deeper and deeper until a limit is reached.

        Args:
            own, other, white_to_move: the position; it must not be over.
            depth: plies to search at most. Depth 1 is always completed.
            nodes: positions to look at, about; 0: no limit. The search then starts with an empty table.
            seconds: time to search; 0: no limit.
            threads: how many take part; 0: all cores. To a given depth the result is the same with any.
            lines: how many of the best moves to report.
            stop: ends the search from another thread.
            on_depth: called with a SearchReport after each depth.
        """

    def search_many(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int = 60, nodes: int = 0, threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
        """
        Search many positions to the same limits, each with one thread.

        Args:
            own, other, white_to_move: the positions.
            depth, nodes: as for search.
            threads: see the module.

        Returns the best moves, uint8[n], PASS where there is none.
        """

    def value_many(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int, threads: int = 0) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """
        Value many positions by searches of the same depth, each with one thread.

        Args:
            own, other, white_to_move: the positions; finished games get their scores.
            depth: plies to search; 0: take the evaluation itself.
            threads: see the module.

        Returns values from the movers' view, int32[n].
        """

    def minimax(self, own: int, other: int, white_to_move: bool, depth: int) -> tuple[int, int, int]:
        """
        Minimax without pruning or table: (value, first best move by square, nodes).
        """

    def set_selectivity(self, deviations: float, regressions: Sequence[DepthRegression]) -> None:
        """
        Switch probcut on or off, and empty the table.

        Args:
            deviations: how many standard deviations a shallow search must lie outside the window for the
                deep one to be left out; 0: off.
            regressions: how well shallow searches predict deep ones, measured for this evaluation.
        """

    def clear(self) -> None:
        """Empty the transposition table."""

class ChampionEvaluation(Evaluation):
    """
    A small network over shapes of the whole board, mobility and parity, by stage.
    """

    def __init__(self, weights: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        An evaluation from its weights, most of which are not copied.

        Args:
            weights: int8[bytes], as quantise_champion returns them; it may be a file mapped into memory.
        """

    def evaluate_line(self, own: int, other: int, moves: Sequence[int]) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """
        Evaluate a board and those after each of some moves, updating move by move.

        Args:
            own, other: the first board.
            moves: squares and PASS.

        Returns int32, one value more than there are moves, each from its mover's view.
        """

    bytes: Final[int] = ...
    """The size of the weights as whole numbers."""

    @staticmethod
    def stage_of(empties: int) -> int:
        """The stage of a number of empty squares."""

    @staticmethod
    def shapes() -> list[list[int]]:
        """
        The squares of each shape, the first being the lowest digit of its contents.
        """

def fit_champion(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, start: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, passes: float = 2.0, batch: int = 2048, rate: float = 0.003, seed: int = 1, threads: int = 0) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
    """
    Train the weights of a ChampionEvaluation on scores, by least squares.

    Args:
        own, other: the positions.
        scores: float32, from the movers' view, in discs.
        start: float32, weights to begin with; None: random ones.
        passes: over the positions, each in another order.
        batch: positions of a step.
        rate: of learning; it rises briefly, then falls like a cosine.
        seed: of the first weights and of the order.
        threads: see the module.

    Returns the weights, float32.
    """

def quantise_champion(weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """
    Round weights that fit_champion returned to those that ChampionEvaluation takes.
    """

def champion_numbers(weights: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
    """
    Return weights that ChampionEvaluation takes as float32, to train them further.
    """

class TrainingGameOptions:
    """How games to learn from are played."""

    def __init__(self, *, depth: int = 6, solve_from: int = 14, least_opening: int = 4, most_opening: int = 24, randomness: float = 0.5, slips: float = 0.0, siblings: int = 0, endings: int = 0) -> None:
        """
        Args:
            depth: of the searches.
            solve_from: empty squares from which the game is solved.
            least_opening, most_opening: discs to be placed before searches decide, between these; those of
                the first board count.
            randomness: share of random moves in the opening; the others look one ply ahead.
            slips: share of random moves once the game is solved; after each it is solved again.
            siblings: other moves, drawn at random, whose positions are listed for each searched position
                of the game, with the value of a search one ply less deep as their score.
            endings: other endings of the game, each from one of its last positions before it is solved,
                after one or two random moves.
        """

def play_training_games(evaluation: Evaluation, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: TrainingGameOptions, *, deviations: float = 0.0, regressions: Sequence[DepthRegression] = [], megabytes: int = 16) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.int8], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.uint32], dict(order='C')]]:
    """
    Play games to learn from, in their order, with one thread.

    Args:
        evaluation: plays both sides; its values must be discs.
        own, other: where each game begins.
        keys: uint64, one for each game: decides its random moves.
        options: how they are played.
        deviations, regressions: see Searcher.set_selectivity.
        megabytes: of the tables, which are new for every call.

    Returns (own, other, scores, values, games): the positions after the openings; their scores from
    the movers' view, int8, which are exact once the game is solved, and before that the score of the
    first position that was solved; what the searches found there, float32 in discs (the scores once
    solved); and the number of each one's game, uint32.
    """

def evolved_weights(shape: str) -> int:
    """
    How many weights a shape of network has: spatial, flat, only or filter.
    """

class EvolvedEvaluation(Evaluation):
    """A network of paper 4 that evaluates boards."""

    def __init__(self, shape: str, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], piece_weight: float) -> None:
        """
        Args:
            shape: spatial, flat or only.
            weights: float32, layer by layer and node by node, each node's bias behind its weights.
            piece_weight: what each disc of difference adds to the output node's sum.
        """

class MoveFilter:
    """A network of paper 4 that ranks moves."""

    def __init__(self, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def rank(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """How it ranks the squares of each board, float32[n, 64]: high first."""

class Mind:
    """
    A player that searches to a fixed depth, with or without a filter of moves.
    """

    def __init__(self, evaluation: Evaluation, depth: int = 2, filter: MoveFilter | None = None, window: int = 3) -> None:
        """
        Args:
            evaluation: what the leaves are worth.
            depth: plies to search; a pass is a ply.
            filter: ranks the moves of each node; None: all are searched.
            window: how many of the moves that a filter ranks first are searched.
        """

    def choose(self, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], white_to_move: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.int32], dict(order='C')]]:
        """
        Choose a move on each board.

        Returns (moves, values): uint8[n], the lowest square among equals, PASS where there is no move; and
        what they are worth, int32[n].
        """

def play_minds(minds: Sequence[Mind], black: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], white: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], openings: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, most_passes: int = 10, threads: int = 0) -> tuple[Annotated[NDArray[numpy.int32], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.int32], dict(order='C')]]:
    """
    Play games from the start position.

    Args:
        minds: the players.
        black, white: int32[n], who plays each game, as indexes into minds.
        openings: uint8[n, k], legal moves that each game begins with; None: no opening.
        most_passes: a game also ends after this many passes, those of the opening not counted.
        threads: see the module.

    Returns (scores, moves, plies): black's final scores int32[n]; the moves, passes included,
    uint8[n, 128]; and how many there are, int32[n].
    """

class MctsOptions:
    """How Monte Carlo tree search chooses."""

    def __init__(self, *, selection: str = 'puct', exploration: float = 1.5, first_play: str = 'mean', fpu_reduction: float = 0.1, leaves: int = 1, virtual_loss: float = 1.0, solve_empties: int = 0, wipe_outs: bool = False, noise_alpha: float = 0.3, noise_share: float = 0.0, forced_playouts: float = 0.0, gumbel_moves: int = 0, gumbel_visit: float = 50.0, gumbel_scale: float = 1.0, gumbel_noise: float = 1.0, max_nodes: int = 0, canonical: bool = True) -> None:
        """
        Args:
            selection: puct, or uct (for rollouts).
            exploration: c of PUCT or UCT.
            first_play: what a move counts for that was never tried: mean (the node's mean
                value less fpu_reduction) or zero.
            fpu_reduction: see first_play.
            leaves: leaves that one tree adds to a batch; several are kept apart by virtual
                loss.
            virtual_loss: what a simulation under way counts for, as a loss.
            solve_empties: solve leaves exactly from this many empty squares on; 0: never.
            wipe_outs: count a leaf as won if its mover can take the opponent's last disc.
            noise_alpha: of the Dirichlet noise at the root, over the legal moves.
            noise_share: share of the root's priors that is noise; 0: no noise.
            forced_playouts: k of KataGo's forced playouts; above 0 the policy target is
                pruned, too.
            gumbel_moves: moves that Gumbel's sequential halving considers at the root;
                0: PUCT there, too.
            gumbel_visit: c_visit of Gumbel's policy improvement.
            gumbel_scale: c_scale of Gumbel's policy improvement.
            gumbel_noise: by which the Gumbel numbers are multiplied; 0: no chance.
            max_nodes: nodes of one tree, after which its search ends; 0: no limit.
            canonical: evaluate leaves as the smallest of their eight images. Symmetric
                positions then get symmetric visits, whatever the evaluator.
        """

    @property
    def selection(self) -> str: ...

    @property
    def exploration(self) -> float: ...

    @property
    def first_play(self) -> str: ...

    @property
    def fpu_reduction(self) -> float: ...

    @property
    def leaves(self) -> int: ...

    @property
    def virtual_loss(self) -> float: ...

    @property
    def solve_empties(self) -> int: ...

    @property
    def wipe_outs(self) -> bool: ...

    @property
    def noise_alpha(self) -> float: ...

    @property
    def noise_share(self) -> float: ...

    @property
    def forced_playouts(self) -> float: ...

    @property
    def gumbel_moves(self) -> int: ...

    @property
    def gumbel_visit(self) -> float: ...

    @property
    def gumbel_scale(self) -> float: ...

    @property
    def gumbel_noise(self) -> float: ...

    @property
    def max_nodes(self) -> int: ...

    @property
    def canonical(self) -> bool: ...

class Forest:
    """Search trees of many positions, searched together."""

    def __init__(self, evaluator: LineNetwork | Callable[[NDArray[numpy.uint64], NDArray[numpy.uint64]], tuple[NDArray[numpy.float32], NDArray[numpy.float32]]] | str, own: NDArray[numpy.uint64], other: NDArray[numpy.uint64], options: MctsOptions = ..., *, seed: int = 0, keys: NDArray[numpy.uint64] | None = None) -> None:
        """
        Args:
            evaluator: a LineNetwork; a function (own, other) -> (logits, values), float32 of
                shapes (n, 64) and (n,), from the movers' view; uniform (all moves equal, all
                positions drawn); or rollouts (a random game from each leaf).
            own, other: the positions.
            seed: of all random numbers.
            keys: a number for each tree that makes its random numbers its own; 0, 1, 2...
                if there are none.
        """

    def search(self, simulations: int | NDArray[numpy.int32], *, seconds: float = 0.0, threads: int = 0, stop: Stop | None = None, on_progress: Callable[[Forest], object] | None = None, interval: float = 0.2) -> int:
        """
        Search, and return how many simulations were done in all.

        Args:
            simulations: for each tree, beside the evaluation of its root.
            seconds: after which the search ends; 0: no limit.
            threads: 0: all cores. The trees do not depend on it.
            stop: ends the search from another thread.
            on_progress: is given the forest, which it may read, every `interval` seconds.
        """

    def visits(self) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """Visits of each move, int32 of shape (trees, 65)."""

    def values(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """
        Mean value of each move, from the mover's view, float32 of shape (trees, 65); NaN if
        it was never visited.
        """

    def priors(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """The evaluator's policy, without noise, float32 of shape (trees, 65)."""

    def policy(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """
        What a network should learn, float32 of shape (trees, 65): shares of the visits,
        without forced ones; or Gumbel's improved policy.
        """

    def root_values(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """Mean value of all simulations, from the mover's view, float32."""

    def best(self) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
        """
        The moves to play, uint8: the most visited, or the winner of sequential halving; PASS
        also where the game is over.
        """

    def solved(self) -> Annotated[NDArray[numpy.bool_], dict(order='C')]:
        """True where the solver decided at the root."""

    def nodes(self) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """Nodes of each tree, int32."""

    def boards(self) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')]]:
        """The positions at the roots: (own, other)."""

    def line(self, tree: int) -> list[int]:
        """The expected play of one tree."""

    def advance(self, moves: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Play a move in each tree (255: none) and keep what is known of the new root.
        """

    def reset(self, tree: int, own: int, other: int, *, seed: int = 0, key: int = 0) -> None:
        """Begin one tree anew at another position."""

    def __len__(self) -> int: ...

class SelfPlayOptions:
    """How games of self-play are played."""

    def __init__(self, *, simulations: int = 100, fast_simulations: int = 0, full_share: float = 1.0, temperature: float = 1.0, temperature_plies: int = 14, late_temperature: float = 0.35, random_plies: int = 0, uneven_share: float = 0.0, uneven_plies: int = 0, wiped_share: float = 0.0, solve_at: int = 0, teach_endings: bool = False, reuse: bool = True, count_reused: bool = False) -> None:
        """
        Args:
            simulations: of a full search.
            fast_simulations: of a fast one, without noise and without a policy to learn;
                0: all searches are full.
            full_share: probability that a search is full.
            temperature: of the draw by the policy, in the first plies.
            temperature_plies: how many plies of the board (60 less empties) those are.
            late_temperature: after them; 0: the best move.
            random_plies: the most random moves a game can begin with.
            uneven_share: probability that a game begins, instead, with moves of which one
                side's mostly flip as many discs as they can and the other's as few.
            uneven_plies: the most moves of such an opening.
            wiped_share: probability that a game begins, instead, a few moves before such
                moves take a side's last disc.
            solve_at: end the game and let the solver score it at this many empty
                squares; 0: play to the end.
            teach_endings: add the solver's own moves from there on, each position with its
                exact score as outcome and its best moves as policy.
            reuse: keep the subtree of the move that was played.
            count_reused: visits that were kept count as simulations.
        """

    @property
    def simulations(self) -> int: ...

    @property
    def fast_simulations(self) -> int: ...

    @property
    def full_share(self) -> float: ...

    @property
    def temperature(self) -> float: ...

    @property
    def temperature_plies(self) -> int: ...

    @property
    def late_temperature(self) -> float: ...

    @property
    def random_plies(self) -> int: ...

    @property
    def uneven_share(self) -> float: ...

    @property
    def uneven_plies(self) -> int: ...

    @property
    def wiped_share(self) -> float: ...

    @property
    def solve_at(self) -> int: ...

    @property
    def teach_endings(self) -> bool: ...

    @property
    def reuse(self) -> bool: ...

    @property
    def count_reused(self) -> bool: ...

def play_selfplay(evaluator: LineNetwork | Callable[[NDArray[numpy.uint64], NDArray[numpy.uint64]], tuple[NDArray[numpy.float32], NDArray[numpy.float32]]] | str, games: int, options: MctsOptions = ..., play: SelfPlayOptions = ..., *, seed: int = 0, first_game: int = 0, start_own: NDArray[numpy.uint64] | None = None, start_other: NDArray[numpy.uint64] | None = None, parallel: int = 256, threads: int = 0, stop: Stop | None = None, on_progress: Callable[[int, int], object] | None = None, interval: float = 0.5) -> dict[str, NDArray[Any]]:
    """
    Play games of self-play. Game i depends on the seed, its number first_game + i, its start,
    the evaluator and the options alone: not on parallel, nor on threads.

    Args:
        evaluator: as of Forest.
        games: how many.
        start_own, start_other: where the games start; all from the start position without.
        parallel: games at the same time.
        threads: 0: all cores.
        stop: ends the run from another thread; games under way are left out.
        on_progress: is given the games and the positions finished so far.

    Returns arrays over the positions that were searched, in the order of games and plies: own,
    other; policy, float32 of shape (n, 64), zeros unless full; value (of the search), surprise
    (divergence of policy from the evaluator's), move, outcome (final score), ply (60 less
    empties), game, full. All from the mover's view. And over finished games: game_number,
    game_score (of who moved first), game_moves, game_solved.
    """
