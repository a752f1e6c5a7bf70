"""Alpha-beta over the values of a network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from outflank import PASS, Game, Position, _core
from outflank.errors import DataError, SpecError
from outflank.nets import Card
from outflank.nets.line import LinePolicy
from outflank.othello.boards import Boards
from outflank.players import Thought, Unit, make_player
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
        ("nodes=100", "nodes cannot be given with net, whose search is limited by depth"),
        ("time=1s", "time cannot be given with net"),
        ("selectivity=1.5", "selectivity cannot be given with net"),
        ("ponder=yes", "ponder cannot be given with net"),
        ("ends=never", "ends are score or evaluate"),
        ("depth=0", "depth must be 1..60"),
    ],
)
def test_what_a_network_cannot_be_searched_with(network: Path, options: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        make_player(f"alphabeta:net={network},{options}")


def test_a_network_without_values_is_refused() -> None:
    with pytest.raises(SpecError, match="net cannot be imitation-conv: the network has no value"):
        make_player("alphabeta:net=imitation-conv")
    with pytest.raises(DataError, match="no such network: 'nothing'"):
        make_player("alphabeta:net=nothing")
