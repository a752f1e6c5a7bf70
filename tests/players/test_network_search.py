"""Alpha-beta over the values of a network."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nets.pattern_values import save_pattern_value
from outflank import PASS, Game, Position, _core
from outflank.errors import DataError, SpecError
from outflank.nets import Card, Prediction
from outflank.nets.line import LinePolicy
from outflank.othello.boards import BitArray, Boards
from outflank.players import Player, Thought, Unit, make_player
from outflank.players.network_search import MoveChooser
from strategies import random_game

WON = 1000  # beyond every value: what slow_value adds to the score of a won game


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a network that has opinions, though an untrained one."""
    path = tmp_path_factory.mktemp("network") / "net.safetensors"
    made = _core.LineNetwork(channels=16, hidden=16, seed=3)
    LinePolicy(made, Card("line", "pieces", "net")).save(path)
    return path


def slow_value(network: LinePolicy, position: Position, depth: int) -> float:
    """Plain minimax: what a position is worth to its mover, a finished game by its score."""
    if position.is_over:
        return float(position.score + WON * np.sign(position.score))
    if depth == 0:
        values = network.predict(Boards.from_positions([position])).values
        assert values is not None
        return float(values[0])
    return max(-slow_value(network, position.play(m), depth - 1) for m in position.legal_moves)


def shown(value: float) -> float:
    """A slow value as a thought has it."""
    return value - WON * float(np.sign(value)) if abs(value) >= WON else value


def games() -> list[Game]:
    """Games at all stages, the last ones near their end."""
    found = [random_game(seed, plies) for seed, plies in enumerate([0, 7, 20, 33, 45, 54])]
    found += [random_game(seed).undo(plies) for seed in range(3) for plies in (1, 2, 3)]
    return [game for game in found if game.position.legal_squares]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_plays_the_first_move_of_the_minimax_value(network: Path, depth: int) -> None:
    slow, player = LinePolicy.load(network), make_player(f"alphabeta:net={network},depth={depth}")
    exact = 0
    for game in games():
        values = {
            move: -slow_value(slow, game.position.play(move), depth - 1)
            for move in game.position.legal_moves
        }
        best = max(values, key=lambda move: values[move])  # the first of equals
        thought = player.think(game)
        assert (thought.move, thought.depth, thought.line) == (best, depth, (best,))
        assert thought.value == pytest.approx(shown(values[best]), abs=1e-6)
        assert thought.exact == (abs(values[best]) >= WON)
        assert thought.unit is (Unit.DISCS if thought.exact else Unit.RESULT)
        exact += thought.exact
        ranked = player.rank_moves(game, 99)
        assert ranked.move == thought.move
        assert ranked.value == pytest.approx(thought.value)
        alike = {m: v for m, v in values.items() if (abs(v) >= WON) == thought.exact}
        assert ranked.values == pytest.approx({m: shown(v) for m, v in alike.items()}, abs=1e-6)
    assert exact > 0


def test_many_boards_get_the_moves_of_single_ones(network: Path) -> None:
    player = make_player(f"alphabeta:net={network},depth=2")
    positions = [game.position for game in games()]
    chosen = player.choose_many(Boards.from_positions(positions)).tolist()
    assert chosen == [player.think(Game(position)).move for position in positions]


def test_it_is_heard_after_every_depth(network: Path) -> None:
    heard: list[Thought] = []
    player = make_player(f"alphabeta:net={network},depth=3")
    thought = player.think(Game(), on_thought=heard.append)
    assert [one.depth for one in heard] == [1, 2, 3]
    assert heard[-1].move == thought.move
    assert [one.nodes or 0 for one in heard] == sorted(one.nodes or 0 for one in heard)


def test_the_end_is_solved_if_it_is_asked_to(network: Path) -> None:
    player = make_player(f"alphabeta:net={network},depth=1,solve=8")
    game = next(g for g in map(random_game, range(9)) if not g.undo(8).position.must_pass).undo(8)
    assert game.position.empties <= 8
    thought = player.think(game)
    assert thought.exact
    assert thought.value == _core.Solver(1).solve(*game.position.bits).score
    assert player.choose(game.position) == thought.move


def test_finished_games_may_be_left_to_the_network(network: Path) -> None:
    slow = LinePolicy.load(network)
    game = next(g for g in map(random_game, range(99)) if g.last != PASS).undo()
    player = make_player(f"alphabeta:net={network},depth=1,ends=evaluate")
    after = [game.position.play(move) for move in game.position.legal_moves]
    values = slow.predict(Boards.from_positions(after)).values
    assert values is not None
    for thought in (player.think(game), player.rank_moves(game, 2)):
        assert thought.value == pytest.approx(float((-values).max()), abs=1e-6)
        assert not thought.exact


def test_it_is_the_player_of_its_weights(network: Path) -> None:
    player = make_player(f"alphabeta:net={network},depth=2")
    assert player.fingerprint == LinePolicy.load(network).fingerprint
    assert (player.unit, player.stoppable, player.batched) == (Unit.RESULT, True, False)
    reply = player.after_move().think(Game().play("f5"))
    assert reply.depth == 1


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("eval=iago", "eval and net exclude each other"),
        ("nodes=100", "nodes cannot be given with net, which is limited by depth or time"),
        ("selectivity=1.5", "selectivity cannot be given with net"),
        ("window=0,filter=imitation-fast", "window must be 1..64"),
        ("ends=never", "ends are score or evaluate"),
        ("depth=0", "depth must be 1..60"),
    ],
)
def test_what_a_network_cannot_be_searched_with(network: Path, options: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        make_player(f"alphabeta:net={network},{options}")


def test_each_position_is_evaluated_once(network: Path) -> None:
    """Over all depths, all moves of a game, and what was thought on the opponent's time."""
    player = make_player(f"alphabeta:net={network},depth=4")
    asked = counted(player)
    game = random_game(3, 20)
    player.think(game)
    assert len(asked) == len(set(asked)) > 100
    move = next(iter(game.position.legal_moves))
    player.think(game.play(move))
    assert len(asked) == len(set(asked))


def counted(player: Player) -> list[tuple[int, int, bool]]:
    """Note every position that a player's network is asked about."""
    asked: list[tuple[int, int, bool]] = []
    search = player._network  # type: ignore[attr-defined]
    plain = search.network.predict

    def predict(boards: Boards) -> Prediction:
        sides = (boards.own, boards.other, boards.white_to_move)
        asked.extend(zip(*(side.tolist() for side in sides), strict=True))
        found: Prediction = plain(boards)
        return found

    search.network.predict = predict
    return asked


def test_it_answers_within_its_time_and_at_once_when_told_to(network: Path) -> None:
    player = make_player(f"alphabeta:net={network},time=0.3s,solve=0")
    began = time.perf_counter()
    thought = player.think(random_game(5, 24))
    took = time.perf_counter() - began
    assert (thought.depth or 0) >= 2
    assert 0.1 < took < 2
    stop = _core.Stop()
    patient = make_player(f"alphabeta:net={network},time=60s,solve=0")
    threading.Timer(0.2, stop.set).start()
    began = time.perf_counter()
    assert (
        patient.think(random_game(5, 24), stop=stop).move in random_game(5, 24).position.legal_moves
    )
    assert time.perf_counter() - began < 5


def test_background_expansion_keeps_the_subtree_of_the_move_played(network: Path) -> None:
    game = random_game(5, 24)
    with make_player(f"alphabeta:net={network},depth=3,ponder=yes,solve=0") as player:
        asked = counted(player)
        player.start_pondering(game.position)
        deadline = time.perf_counter() + 30
        while len(asked) < 3000 and time.perf_counter() < deadline:
            time.sleep(0.01)
        after = game.play(game.position.legal_moves[0])
        before = len(asked)
        thought = player.think(after)  # ends the expansion first
        new = asked[before:]
        assert len(asked) == len(set(asked))
        plain = make_player(f"alphabeta:net={network},depth=3,solve=0").think(after)
        assert thought.move == plain.move
        assert thought.value == pytest.approx(plain.value)
        without = counted(fresh := make_player(f"alphabeta:net={network},depth=3,solve=0"))
        fresh.think(after)
        assert len(new) < len(without)


def test_a_filter_leaves_the_likeliest_moves(network: Path) -> None:
    game = random_game(9, 20)
    chooser = MoveChooser(str(network), 2)
    kept = chooser(*game.position.bits)
    assert kept.bit_count() == 2
    assert kept & game.position.legal_squares == kept
    spec = f"alphabeta:net={network},depth=3,solve=0"
    narrow = make_player(f"{spec},filter={network},window=1")
    (only,) = (
        move for move in game.position.legal_moves if chooser_of_one(network, game) >> move & 1
    )
    assert narrow.think(game).move == only  # with a depth above the horizon
    wide = make_player(f"{spec},filter={network},window=64")
    assert wide.think(game).move == make_player(spec).think(game).move
    slow = slow_filtered(LinePolicy.load(network), chooser, game.position, 3)
    found = make_player(f"{spec},filter={network},window=2").think(game)
    assert found.value == pytest.approx(slow, abs=1e-6)


def chooser_of_one(network: Path, game: Game) -> int:
    return MoveChooser(str(network), 1)(*game.position.bits)


def slow_filtered(
    network: LinePolicy, chooser: MoveChooser, position: Position, depth: int
) -> float:
    """Plain minimax with the chooser's moves more than two plies before the leaves."""
    if position.is_over or depth == 0:
        return slow_value(network, position, 0)
    moves = position.legal_moves
    if depth > 2 and len(moves) > 1:
        kept = chooser(*position.bits)
        moves = tuple(move for move in moves if kept >> move & 1)
    return max(-slow_filtered(network, chooser, position.play(m), depth - 1) for m in moves)


def test_a_filter_must_score_moves(tmp_path: Path, network: Path) -> None:
    values = tmp_path / "values.safetensors"
    save_pattern_value(values)
    with pytest.raises(SpecError, match="the network scores no moves"):
        make_player(f"alphabeta:net={network},filter={values}")
    with pytest.raises(SpecError, match="which runs in the core"):
        make_player(f"alphabeta:net={values},filter={network}")


@pytest.mark.parametrize(("option", "threads"), [("", 1), (",threads=2", 2)])
def test_its_networks_have_as_many_threads_as_it(option: str, threads: int) -> None:
    """Otherwise each of several processes takes all cores."""
    player = make_player(f"alphabeta:net=value-ng,filter=imitation-conv,depth=1{option}")
    search = player._network  # type: ignore[attr-defined]
    for network in (search.network, search._chooser.network):
        assert network._session.get_session_options().intra_op_num_threads == threads


def test_a_network_without_values_is_refused() -> None:
    with pytest.raises(SpecError, match="net cannot be imitation-conv: the network has no value"):
        make_player("alphabeta:net=imitation-conv")
    with pytest.raises(DataError, match="no such network: 'nothing'"):
        make_player("alphabeta:net=nothing")


def test_pondering_ends_before_a_batch_is_chosen(network: Path) -> None:
    """Matches ask for batches, also of one board; a search in the background must be over."""
    games = [random_game(seed, 20) for seed in range(3)]
    plain = make_player(f"alphabeta:net={network},depth=2,solve=0")
    wanted = plain.choose_many(Boards.from_positions(game.position for game in games)).tolist()
    with make_player(f"alphabeta:net={network},depth=2,ponder=yes,solve=0") as player:
        for game, move in zip(games, wanted, strict=True):
            player.start_pondering(random_game(7, 12).position)
            time.sleep(0.05)
            assert player.choose_many(Boards.from_positions([game.position])).tolist() == [move]
            names = [thread.name for thread in threading.enumerate()]
            assert "pondering" not in names


def test_a_memory_may_be_cleared_by_who_is_asked() -> None:
    """The core does not rely on what it has just kept there."""
    memory = _core.ValueMemory()

    def clearing(own: BitArray, other: BitArray, white: bool) -> NDArray[np.float64]:
        memory.clear()
        return (own % np.uint64(1009)).astype(np.float64)

    def plain(own: BitArray, other: BitArray, white: bool) -> NDArray[np.float64]:
        return (own % np.uint64(1009)).astype(np.float64)

    position = random_game(3, 20).position
    searched = [
        _core.search_python(*position.bits, False, 3, asked, 2, "score", kept, None)[:2]
        for asked, kept in ((clearing, memory), (plain, None))
    ]
    assert searched[0] == searched[1]
