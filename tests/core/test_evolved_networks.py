"""The networks and players of paper 4, against a slow reference."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from core.slow_evolution import SHAPES, SlowMind, evaluate, outputs, over, some_boards
from outflank import _core
from outflank.evaluations import evaluation
from outflank.othello.boards import Boards
from strategies import MANY_MOVES

PIECE_WEIGHT = 1 / 64


def random_weights(shape: str, seed: int = 1, size: float = 0.5) -> NDArray[np.float32]:
    random = np.random.default_rng(seed)
    weights: NDArray[np.float32] = random.uniform(-size, size, SHAPES[shape]).astype(np.float32)
    return weights


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_have_the_papers_numbers_of_weights(shape: str) -> None:
    assert _core.evolved_weights(shape) == SHAPES[shape]


@pytest.mark.parametrize("shape", ["spatial", "flat", "only"])
@pytest.mark.parametrize("size", [0.2, 2.0])
def test_values_are_those_of_the_reference(shape: str, size: float) -> None:
    weights = random_weights(shape, size=size)
    boards = some_boards(77)  # no multiple of what is evaluated together
    network = _core.EvolvedEvaluation(shape, weights, PIECE_WEIGHT)
    found = network.evaluate(boards.own, boards.other, boards.white_to_move) / network.units
    pairs = zip(boards.own.tolist(), boards.other.tolist(), strict=True)
    wanted = [evaluate(shape, weights, own, other, PIECE_WEIGHT) for own, other in pairs]
    assert np.abs(found - wanted).max() < 3e-5 * max(1.0, size)
    alone = [
        network.evaluate(own, other, False)
        for own, other in zip(boards.own.tolist(), boards.other.tolist(), strict=True)
    ]
    assert np.array_equal(np.array(alone) / network.units, found)


def test_great_weights_saturate_and_stay_within_the_limit() -> None:
    weights = random_weights("spatial", size=1e4)
    boards = some_boards(60)
    network = _core.EvolvedEvaluation("spatial", weights, 1000.0)
    values = network.evaluate(boards.own, boards.other, boards.white_to_move)
    assert np.abs(values).max() == 1_000_000_000


def test_a_filter_ranks_as_the_reference() -> None:
    weights = random_weights("filter")
    boards = some_boards(33)
    found = _core.MoveFilter(weights).rank(boards.own, boards.other)
    pairs = zip(boards.own.tolist(), boards.other.tolist(), strict=True)
    wanted = [outputs("filter", weights, own, other) for own, other in pairs]
    assert np.abs(found - np.array(wanted)).max() < 3e-5


@pytest.mark.parametrize(
    ("depth", "filtered"),
    [*itertools.product([1, 2, 3, 4], [False, True]), (5, True), (6, True)],
)
def test_moves_are_those_of_plain_minimax(depth: int, filtered: bool) -> None:
    network = _core.EvolvedEvaluation("spatial", random_weights("spatial"), PIECE_WEIGHT)
    ranking = _core.MoveFilter(random_weights("filter", 2)) if filtered else None

    def rank(own: int, other: int) -> list[float]:
        assert ranking is not None
        one = (np.array([own], np.uint64), np.array([other], np.uint64))
        scores: list[float] = ranking.rank(*one)[0].tolist()
        return scores

    slow = SlowMind(
        lambda own, other: network.evaluate(own, other, False) / network.units,
        depth, rank if filtered else None,
    )  # fmt: skip
    boards = some_boards({1: 120, 2: 120, 3: 60, 4: 60 if filtered else 24}.get(depth, 24), depth)
    late = np.bitwise_count(boards.own | boards.other) > (30 if depth > 2 else 0)
    boards = boards[late & ~boards.is_over()]
    mind = _core.Mind(network, depth, ranking)
    found, _ = mind.choose(boards.own, boards.other, boards.white_to_move)
    pairs = zip(boards.own.tolist(), boards.other.tolist(), strict=True)
    assert found.tolist() == [slow.choose(own, other) for own, other in pairs]


def counting_network() -> _core.EvolvedEvaluation:
    """Return a network that says the difference of discs, and takes many boards at once."""
    return _core.EvolvedEvaluation("only", np.zeros(SHAPES["only"], np.float32), 1.0)


@pytest.mark.parametrize("discs", [evaluation("discs"), counting_network()], ids=["one", "many"])
@pytest.mark.parametrize("depth", [2, 3, 4])
def test_among_equals_the_lowest_square_is_played(depth: int, discs: _core.Evaluation) -> None:
    """Piece differentials are often equal."""
    slow = SlowMind(lambda own, other: discs.evaluate(own, other, False), depth)
    boards = some_boards(90, 5)
    boards = boards[(np.bitwise_count(boards.own | boards.other) > 36) & ~boards.is_over()]
    found, _ = _core.Mind(discs, depth).choose(boards.own, boards.other, boards.white_to_move)
    pairs = zip(boards.own.tolist(), boards.other.tolist(), strict=True)
    assert found.tolist() == [slow.choose(own, other) for own, other in pairs]


@pytest.mark.parametrize("discs", [evaluation("discs"), counting_network()], ids=["one", "many"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_board_with_more_moves_than_any_game_has_is_searched(
    depth: int, discs: _core.Evaluation
) -> None:
    slow = SlowMind(lambda own, other: discs.evaluate(own, other, False), depth)
    own, other = MANY_MOVES.bits
    one = (np.array([own], np.uint64), np.array([other], np.uint64), np.array([False]))
    assert _core.Mind(discs, depth).choose(*one)[0].tolist() == [slow.choose(own, other)]


def test_games_are_legal_and_end_where_they_should() -> None:
    minds = [
        _core.Mind(_core.EvolvedEvaluation("spatial", random_weights("spatial", k), PIECE_WEIGHT))
        for k in range(6)
    ]
    black, white = (np.array(side, np.int32) for side in ([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 0]))
    scores, moves, plies = _core.play_minds(minds, black, white)
    for game in range(6):
        own, other = 0x0000000810000000, 0x0000001008000000
        for ply, move in enumerate(moves[game, : plies[game]].tolist()):
            mind = minds[(black, white)[ply % 2][game]]
            one = (np.array([own], np.uint64), np.array([other], np.uint64))
            assert mind.choose(*one, np.array([ply % 2 == 1]))[0].tolist() == [move]
            legal = _core.legal_moves(own, other)
            assert (legal >> move & 1) if move < 64 else not legal
            own, other = _core.play(own, other, move)
        assert over(own, other)
        score = _core.final_score(own, other)
        assert scores[game] == (score if plies[game] % 2 == 0 else -score)


def test_neither_threads_nor_neighbours_change_a_game() -> None:
    minds = [
        _core.Mind(_core.EvolvedEvaluation("flat", random_weights("flat", k), PIECE_WEIGHT))
        for k in range(4)
    ]
    black, white = np.array([0, 1, 2, 3], np.int32), np.array([3, 0, 1, 2], np.int32)
    one, two = (_core.play_minds(minds, black, white, threads=threads) for threads in (1, 2))
    assert all(np.array_equal(one[part], two[part]) for part in range(3))
    alone = _core.play_minds([minds[1], minds[2]], np.array([1], np.int32), np.array([0], np.int32))
    assert alone[0][0] == one[0][2]


def test_many_passes_end_a_game() -> None:
    minds = [
        _core.Mind(_core.EvolvedEvaluation("only", random_weights("only", k), PIECE_WEIGHT))
        for k in range(8)
    ]
    black = np.repeat(np.arange(8), 7).astype(np.int32)
    white = np.concatenate([np.delete(np.arange(8), k) for k in range(8)]).astype(np.int32)
    _, moves, plies = _core.play_minds(minds, black, white)
    _, short_moves, short_plies = _core.play_minds(minds, black, white, most_passes=1)
    cut = 0
    for game in range(len(black)):
        line = moves[game, : plies[game]].tolist()
        wanted = line[: line.index(64) + 1] if 64 in line else line
        assert short_moves[game, : short_plies[game]].tolist() == wanted
        cut += 64 in line
    assert cut


@pytest.mark.parametrize(
    ("name", "depth"),
    [("", 2), ("", 3), ("discs", 1), ("discs", 5), ("iago-positional", 4), ("discs", 6)],
)
def test_alpha_beta_of_the_arena_finds_the_same_values(name: str, depth: int) -> None:
    spatial = _core.EvolvedEvaluation("spatial", random_weights("spatial"), PIECE_WEIGHT)
    valued = evaluation(name) if name else spatial
    boards = some_boards(120)
    boards = boards[~boards.is_over()]
    mind, searcher = _core.Mind(valued, depth), _core.Searcher(valued)
    moves, values = mind.choose(boards.own, boards.other, boards.white_to_move)
    searched = searcher.value_many(boards.own, boards.other, boards.white_to_move, depth=depth)
    assert np.array_equal(values, searched)
    after = boards.play(moves)
    going = ~after.is_over()
    if depth > 1:
        replies = searcher.value_many(
            after.own[going], after.other[going], after.white_to_move[going], depth=depth - 1
        )
        assert np.array_equal(-replies, values[going])


def test_wrong_sizes_shapes_and_players_are_refused() -> None:
    weights = random_weights("spatial")
    with pytest.raises(ValueError, match="5900"):
        _core.EvolvedEvaluation("spatial", weights[:-1], 0.0)
    with pytest.raises(ValueError, match="no such shape"):
        _core.EvolvedEvaluation("round", weights, 0.0)
    mind = _core.Mind(_core.EvolvedEvaluation("spatial", weights, 0.0))
    zero = np.zeros(1, np.int32)
    for wrong in (-1, 1):
        with pytest.raises(IndexError, match="no such player"):
            _core.play_minds([mind], zero, zero + np.int32(wrong))
    with pytest.raises(ValueError, match="differ in length"):
        _core.play_minds([mind], zero, np.zeros(2, np.int32))
    with pytest.raises(ValueError, match="must be from 1"):
        _core.Mind(evaluation("discs"), 0)


def test_games_may_begin_with_given_moves() -> None:
    """Then they go on as the players like; a move that is not legal is an error."""
    minds = [
        _core.Mind(_core.EvolvedEvaluation("flat", random_weights("flat", k), PIECE_WEIGHT))
        for k in range(2)
    ]
    black, white = np.array([0, 0], np.int32), np.array([1, 1], np.int32)
    scores, moves, plies = _core.play_minds(minds, black, white)
    given = np.stack([moves[0, :10], moves[1, :10]])
    boards = Boards.start(1)
    for ply in range(10):
        given[1, ply] = _core.random_moves(boards.own, boards.other, ply)[0]
        boards = boards.play(given[1, ply : ply + 1])
    again, lines, lengths = _core.play_minds(minds, black, white, given)
    assert again[0] == scores[0]
    assert lines[0, : lengths[0]].tolist() == moves[0, : plies[0]].tolist()
    assert lines[1, :10].tolist() == given[1].tolist()
    one = (boards.own, boards.other, np.array([False]))
    assert minds[0].choose(*one)[0].tolist() == [lines[1, 10]]
    for wrong in ([0], [64], [255]):
        with pytest.raises(ValueError, match="an opening has a move that is not legal"):
            _core.play_minds(minds, black[:1], white[:1], np.array([wrong], np.uint8))
    with pytest.raises(ValueError, match="differ in length"):
        _core.play_minds(minds, black, white, given[:1])
