"""The core's tree search equals a slow one, whatever is searched beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mcts.forests import bits, cells, forest, positions, same
from mcts.made_evaluators import hashed, one_by_one
from mcts.slow_mcts import Options, SlowTree, key_of
from outflank import Position, _core
from outflank._core import Forest, LineNetwork, MctsOptions, SelfPlayOptions
from strategies import MUST_PASS, random_game

SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "paper": {"exploration": 1.0, "first_play": "zero"},
    "as it stands": {"canonical": False},
    "uct": {"selection": "uct", "exploration": 1.4},
    "virtual loss": {"leaves": 5, "virtual_loss": 1.5},
    "noise": {"noise_share": 0.25, "noise_alpha": 0.3},
    "flat noise": {"noise_share": 0.5, "noise_alpha": 3.0},
    "forced": {"forced_playouts": 2.0, "noise_share": 0.25},
    "gumbel": {"gumbel_moves": 4},
    "gumbel in batches": {"gumbel_moves": 16, "gumbel_scale": 0.1, "leaves": 3},
    "no chance": {"gumbel_moves": 8, "gumbel_noise": 0.0},
}


@pytest.fixture(scope="module")
def network() -> LineNetwork:
    return LineNetwork(channels=16, blocks=1, layers=1, hidden=16, seed=3)


@pytest.mark.parametrize("name", SETTINGS)
def test_visits_are_those_of_the_slow_tree(name: str) -> None:
    found = positions(14)
    fast = forest(found, seed=7, **SETTINGS[name])
    fast.search(60, threads=1)
    for i, position in enumerate(found):
        slow = SlowTree(cells(position), one_by_one, Options(**SETTINGS[name]), key_of(7, i))
        slow.search(60)
        assert fast.visits()[i].tolist() == slow.visits()
        assert fast.values()[i] == pytest.approx(np.array(slow.values()), abs=1e-6, nan_ok=True)
        assert fast.policy()[i] == pytest.approx(np.array(slow.policy()), abs=1e-6)
        assert fast.root_values()[i] == pytest.approx(slow.root.mean, abs=1e-6)


@pytest.mark.parametrize("name", SETTINGS)
def test_trees_searched_alone_and_together_are_the_same(name: str, network: LineNetwork) -> None:
    found = positions(24, seed=40)
    keys = np.arange(24, dtype=np.uint64)
    for evaluator in (hashed, network):
        together = forest(found, evaluator, seed=5, **SETTINGS[name])
        together.search(50, threads=1)
        for i in range(0, 24, 5):
            own, other = bits(found[i : i + 1])
            alone = Forest(
                evaluator, own, other, MctsOptions(**SETTINGS[name]), seed=5, keys=keys[i : i + 1]
            )
            alone.search(50, threads=1)
            assert np.array_equal(alone.visits()[0], together.visits()[i])
            assert alone.line(0) == together.line(i)
            assert alone.nodes()[0] == together.nodes()[i]


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_changes_nothing(threads: int, network: LineNetwork) -> None:
    found = positions(40, seed=80)
    one = forest(found, network, noise_share=0.25)
    one.search(40, threads=1)
    several = forest(found, network, noise_share=0.25)
    several.search(40, threads=threads)
    assert same(one, several)
    few, fewer = forest(found[:2], network, leaves=64), forest(found[:2], network, leaves=64)
    few.search(300, threads=1)
    fewer.search(300, threads=threads)
    assert same(few, fewer)


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "as it stands"])
@pytest.mark.parametrize("kind", ["hashed", "network", "uniform"])
def test_symmetric_positions_get_symmetric_visits(
    name: str, kind: str, network: LineNetwork
) -> None:
    evaluators: dict[str, Any] = {"hashed": hashed, "network": network, "uniform": "uniform"}
    for position in positions(8, seed=120)[1:]:
        own, other = position.bits
        images = [(_core.transform(own, s), _core.transform(other, s)) for s in range(8)]
        if len(set(images)) < 8:
            continue  # of a symmetric position equal moves must be told apart somehow
        pairs = np.array(images, np.uint64)
        trees = Forest(
            evaluators[kind],
            np.ascontiguousarray(pairs[:, 0]),
            np.ascontiguousarray(pairs[:, 1]),
            MctsOptions(**SETTINGS[name]),
            keys=np.zeros(8, np.uint64),
        )
        trees.search(80)
        visits = trees.visits()
        for symmetry in range(8):
            turned = [_core.transform_move(move, symmetry) for move in range(65)]
            assert np.array_equal(visits[symmetry][turned], visits[0])


@pytest.mark.parametrize("shape", [(16, 0, 0, 16), (32, 1, 1, 64), (64, 2, 2, 128)])
def test_a_networks_answer_does_not_depend_on_its_batch(shape: tuple[int, int, int, int]) -> None:
    """What makes searches independent of each other: not a bit may differ."""
    channels, blocks, layers, hidden = shape
    own, other = bits(positions(37, seed=500))
    for afterstates in (True, False):
        network = LineNetwork(
            channels=channels, blocks=blocks, layers=layers, hidden=hidden, afterstates=afterstates
        )
        logits, values = network.predict(own, other, threads=1)
        for size in (1, 2, 3, 5, 7):
            for begin in range(0, 37, size):
                part = slice(begin, begin + size)
                some, worth = network.predict(own[part], other[part], threads=1)
                assert np.array_equal(some, logits[part])
                assert np.array_equal(worth, values[part])


def test_simulations_are_given_for_each_tree() -> None:
    found = positions(6, seed=160)
    wanted = np.array([0, 1, 5, 24, 100, 7], np.int32)
    trees = forest(found)
    assert trees.search(wanted) == wanted.sum()
    assert trees.visits().sum(axis=1).tolist() == wanted.tolist()
    assert trees.priors().sum(axis=1) == pytest.approx(1)
    assert np.isnan(trees.values()[0]).all()


def test_only_legal_moves_are_visited_and_noise_is_only_over_them() -> None:
    found = positions(30, seed=200)
    quiet = forest(found)
    noisy = forest(found, noise_share=1.0, noise_alpha=0.3)
    for trees in (quiet, noisy):
        trees.search(64)
        for i, position in enumerate(found):
            legal = {int(move) for move in position.legal_moves}
            assert set(np.flatnonzero(trees.visits()[i])) <= legal
            assert set(np.flatnonzero(trees.priors()[i])) == legal
    assert np.array_equal(quiet.priors(), noisy.priors())
    assert not np.array_equal(quiet.visits(), noisy.visits())


def test_noise_depends_on_seed_and_key() -> None:
    found = [random_game(3, plies=20).position] * 2
    trees = forest(found, noise_share=0.5, seed=1)
    trees.search(64)
    assert not np.array_equal(trees.visits()[0], trees.visits()[1])
    other = forest(found, noise_share=0.5, seed=2)
    other.search(64)
    assert not np.array_equal(trees.visits(), other.visits())
    own = Forest(hashed, *bits(found), MctsOptions(noise_share=0.5), seed=1,
                 keys=np.array([1, 1], np.uint64))  # fmt: skip
    own.search(64)
    assert np.array_equal(own.visits()[0], own.visits()[1])
    assert np.array_equal(own.visits()[0], trees.visits()[1])


def test_the_end_of_the_game_has_its_exact_value() -> None:
    """One empty square: every simulation ends the game, and the value is the result."""
    checked = 0
    for seed in range(60):
        position = random_game(seed, plies=59).position
        if position.is_over or position.must_pass or position.empties > 1:
            continue
        move = int(position.legal_moves[0])
        score = -_core.final_score(*position.play(move).bits)
        trees = forest([position])
        assert trees.search(10) == 10
        assert trees.values()[0][move] == np.sign(score)
        assert trees.nodes()[0] == 2
        checked += 1
    assert checked > 20


def test_a_pass_is_an_edge_that_changes_the_side_and_is_not_evaluated() -> None:
    asked: list[tuple[int, int]] = []

    def listening(own: NDArray[np.uint64], other: NDArray[np.uint64]) -> Any:
        asked.extend(zip(own.tolist(), other.tolist(), strict=True))
        return hashed(own, other)

    trees = Forest(listening, *bits([MUST_PASS]), MctsOptions(canonical=False))
    trees.search(1)
    after = MUST_PASS.play(MUST_PASS.legal_moves[0])
    assert asked == [after.bits]
    assert trees.visits()[0][64] == 1
    assert trees.best()[0] == 64
    assert trees.values()[0][64] == -one_by_one(*after.bits)[1]


def test_two_passes_end_the_game() -> None:
    over = Position.from_string("X" * 40 + "-" * 24 + "X")
    lost = Position.from_string("X" * 40 + "-" * 24 + "O")
    trees = forest([over, lost])
    assert trees.search(10) == 0
    assert trees.root_values().tolist() == [1, -1]
    assert trees.best().tolist() == [64, 64]
    assert trees.visits().sum() == 0
    assert trees.policy().sum() == 0
    assert trees.line(0) == []


def test_what_follows_a_move_is_kept() -> None:
    """The new root has the visits that its edges had, and goes on as if it were the only tree."""
    for position in positions(10, seed=240):
        trees = forest([position])
        trees.search(200)
        slow = SlowTree(cells(position), one_by_one, Options())
        slow.search(200)
        while not position.is_over:
            move = int(trees.best()[0])
            edge = next(edge for edge in slow.root.edges if edge.move == move)
            assert edge.child is not None
            trees.advance(np.array([move], np.uint8))
            slow.root = edge.child
            position = position.play(move)
            own, other = trees.boards()
            assert (own[0], other[0]) == position.bits
            assert trees.visits()[0].tolist() == slow.visits()
            if trees.visits()[0].sum() < 10:
                break
            trees.search(30)
            slow.search(30)
            assert trees.visits()[0].tolist() == slow.visits()


def test_a_tree_that_moves_on_frees_what_it_leaves() -> None:
    trees = forest([Position.start()], "uniform")
    trees.search(5000)
    before = trees.nodes()[0]
    move = int(trees.best()[0])
    kept = trees.visits()[0][move]
    trees.advance(np.array([move], np.uint8))
    assert trees.nodes()[0] <= kept + 1 < before
    trees.advance(np.array([255], np.uint8))
    assert trees.visits().sum() == kept - 1


def test_a_full_tree_ends_its_search() -> None:
    trees = forest([Position.start()], max_nodes=50)
    assert trees.search(1000) < 60
    assert trees.nodes()[0] == 50


@pytest.mark.parametrize("leaves", [1, 4])
def test_leaves_near_the_end_are_solved(leaves: int) -> None:
    settings: dict[str, Any] = {"solve_empties": 5, "leaves": leaves}
    late = [random_game(seed, plies=54).position for seed in range(20)]
    found = [position for position in late if 5 < position.empties < 9 and not position.is_over][:6]
    assert len(found) == 6
    trees = forest(found, **settings)
    trees.search(60)
    for i, position in enumerate(found):
        slow = SlowTree(cells(position), one_by_one, Options(**settings))
        slow.search(60)
        assert trees.visits()[i].tolist() == slow.visits()


def uneven_positions(count: int) -> list[Position]:
    """Positions in which a side has few discs; in some, its last one can be taken."""
    play = SelfPlayOptions(simulations=1, uneven_share=1.0, uneven_plies=20, temperature=0.0)
    found = _core.play_selfplay("uniform", 300, play=play, seed=4)
    few = np.flatnonzero(np.bitwise_count(found["other"]) < 6)
    every = [Position.from_bits(int(found["own"][i]), int(found["other"][i])) for i in few]
    wiping = [one for one in every if any(not _left(one, int(m)) for m in one.legal_moves)]
    return [*wiping[: count // 4], *every[:: len(every) // count + 1]]


@pytest.mark.parametrize("leaves", [1, 4])
def test_leaves_that_can_wipe_out_are_won(leaves: int) -> None:
    found = uneven_positions(40)
    settings: dict[str, Any] = {"wipe_outs": True, "leaves": leaves}
    trees, blind = forest(found, **settings), forest(found, leaves=leaves)
    trees.search(40)
    blind.search(40)
    decided = 0
    for i, position in enumerate(found):
        slow = SlowTree(cells(position), one_by_one, Options(**settings))
        slow.search(40)
        wiping = [move for move in position.legal_moves if not _left(position, int(move))]
        assert trees.solved()[i] == bool(wiping)
        if wiping:
            decided += 1
            assert int(trees.best()[i]) in [int(move) for move in wiping]
            assert trees.root_values()[i] == 1
        else:
            assert trees.visits()[i].tolist() == slow.visits()
    assert 0 < decided < len(found)
    assert not np.array_equal(trees.visits(), blind.visits())


def _left(position: Position, move: int) -> int:
    """The discs that the opponent is left with."""
    return _core.play(*position.bits, move)[0] if move < 64 else 1


def test_a_solved_root_has_the_solvers_move() -> None:
    found = [p for p in positions(80, seed=320)[1:] if 0 < p.empties <= 8]
    trees = forest(found, solve_empties=8)
    trees.search(16)
    assert trees.solved().all()
    assert (trees.nodes() == 1).all()
    solver = _core.Solver(1)
    for i, position in enumerate(found):
        solution = solver.solve(*position.bits)
        assert trees.best()[i] == solution.best
        assert trees.root_values()[i] == np.sign(solution.score)
        assert trees.visits()[i][solution.best] == 16
        assert trees.policy()[i][solution.best] == 1
        assert trees.line(i) == [solution.best]


def test_rollouts_depend_on_the_trees_key_alone() -> None:
    position = random_game(11, plies=30).position
    options = MctsOptions(selection="uct", exploration=1.0)
    first = Forest("rollouts", *bits([position] * 2), options, keys=np.array([1, 1], np.uint64))
    first.search(400)
    assert np.array_equal(first.visits()[0], first.visits()[1])
    second = Forest("rollouts", *bits([position] * 2), options, keys=np.array([1, 2], np.uint64))
    second.search(400, threads=2)
    assert np.array_equal(first.visits()[0], second.visits()[0])
    assert not np.array_equal(second.visits()[0], second.visits()[1])


def test_rollouts_win_against_random_moves() -> None:
    """Black searches, white draws: of 40 games black wins nearly all."""
    trees = Forest(
        "rollouts", *bits([Position.start()] * 40), MctsOptions(selection="uct", exploration=1.0)
    )
    own, other = trees.boards()
    black = np.full(40, True)
    ply = 0
    while not (over := _core.is_over(own, other)).all():
        if ply % 2 == 0:
            trees.search(50)
            moves = trees.best()
        else:
            moves = _core.random_moves(own, other, ply)
        trees.advance(np.where(over, 255, moves).astype(np.uint8))
        black = np.where(over, black, ~black)
        own, other = trees.boards()
        ply += 1
    scores = np.where(black, 1, -1) * _core.final_score(own, other)
    assert np.count_nonzero(scores > 0) >= 36


def test_a_tree_begins_anew() -> None:
    found = positions(3, seed=400)
    trees = forest(found[:2], noise_share=0.25, seed=9)
    trees.search(30)
    trees.reset(1, *found[2].bits, seed=9, key=2)
    trees.search(np.array([0, 30], np.int32))
    fresh = forest(found, noise_share=0.25, seed=9)
    fresh.search(30)
    assert np.array_equal(trees.visits()[1], fresh.visits()[2])
    assert np.array_equal(trees.visits()[0], fresh.visits()[0])
