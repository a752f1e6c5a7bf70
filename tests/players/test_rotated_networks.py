"""Networks that learned from boards turned by black's first move are shown such boards."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

import reference
from outflank import PASS, Game, Move
from outflank.arena.lockstep import Fixture, play
from outflank.learn.value.played import material_of
from outflank.nets import Averaged, Card, PolicyNetwork, Prediction, symmetrised
from outflank.othello.boards import Boards
from outflank.players import Player, make_player, search
from strategies import random_game

SYMMETRIES = [s for s in range(8) if Game().position.transform(s) == Game().position]
C4 = 1 << Move("c4")


class Lopsided(PolicyNetwork):
    """A network that values mirror images differently, and often two moves alike."""

    def __init__(self, *, rotate: bool = True) -> None:
        self.card = Card("lopsided", "pieces", training={"config": {"rotate": rotate}})
        self.asked: list[tuple[int, int]] = []  # own and other discs
        self._weights = np.random.default_rng(1).normal(size=(2, 64))

    @property
    def has_policy(self) -> bool:
        return False

    def predict(self, boards: Boards) -> Prediction:
        self.asked.extend(zip(boards.own.tolist(), boards.other.tolist(), strict=True))
        sides = [
            np.unpackbits(side.astype("<u8")[:, None].view(np.uint8), axis=1, bitorder="little")
            for side in (boards.own, boards.other)
        ]
        sums = sides[0] @ self._weights[0] - sides[1] @ self._weights[1]
        return Prediction.of_values(np.tanh(sums / 5).round(1).astype(np.float32))


Make = Callable[..., tuple[Player, Lopsided]]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Make:
    """Make a player with some options over a new network, and give the network, too."""

    def make_one(options: str, *, rotate: bool = True) -> tuple[Player, Lopsided]:
        network = Lopsided(rotate=rotate)
        monkeypatch.setattr(search, "load_network", lambda name, threads: network)
        player = make_player(f"alphabeta:net=lopsided,{options}")
        network.asked.clear()
        return player, network

    return make_one


def image_of_move(move: Move, symmetry: int) -> Move:
    return move if move == PASS else Move(reference.image_of_square(move, symmetry))


def image_of(game: Game, symmetry: int) -> Game:
    """The same game, seen from another side."""
    return Game.from_moves([image_of_move(move, symmetry) for move in game.moves])


def games() -> list[Game]:
    """Unfinished games at all stages, of all four first moves."""
    found = [random_game(seed, 2 + seed * 5 % 54) for seed in range(12)]
    assert {game.moves[0].name for game in found} == {"c4", "d3", "e6", "f5"}
    return [game for game in found if game.position.legal_squares]


def test_the_network_sees_what_it_learned_from(make: Make) -> None:
    for seed in range(6):
        game = random_game(seed)
        learned = material_of([game], "made").rotated()
        for ply in (1, 12, 30):
            assert PASS not in game.moves[: ply + 2]
            player, network = make("depth=1")
            player.think(game.undo(len(game) - ply))
            assert (learned.own[ply + 1], learned.other[ply + 1]) in network.asked
            assert all((own | other) & C4 for own, other in network.asked)


@pytest.mark.parametrize("options", ["depth=1", "depth=3", "depth=2,ponder=yes"])
def test_the_images_of_a_game_get_the_images_of_its_moves(make: Make, options: str) -> None:
    for game in games():
        player, _ = make(options)
        thought, ranked = player.think(game), player.rank_moves(game, 99)
        (chosen,) = player.choose_in_games([game])
        for symmetry in SYMMETRIES:
            image = image_of(game, symmetry)
            found = player.think(image)
            assert found.move == image_of_move(thought.move, symmetry)
            assert found.value == thought.value
            assert found.line == (found.move,)
            assert player.rank_moves(image, 99).values == {
                image_of_move(move, symmetry): value for move, value in ranked.values.items()
            }
            assert player.choose_in_games([image]) == [image_of_move(chosen, symmetry)]


def test_what_is_remembered_holds_for_all_images(make: Make) -> None:
    player, network = make("depth=3")
    game = random_game(3, 20)
    thought = player.think(game)
    asked = len(network.asked)
    player.think(image_of(game, SYMMETRIES[1]))
    assert len(network.asked) == asked
    elsewhere = player.think(Game(game.position.transform(1)))  # not turned: other boards
    wanted = make("depth=3")[0].think(Game(game.position.transform(1)))
    assert (elsewhere.move, elsewhere.value) == (wanted.move, wanted.value)
    assert player.think(game).value == thought.value


@pytest.mark.parametrize("options", ["depth=2", "depth=2,ponder=yes", "depth=1,solve=8"])
def test_games_in_a_batch_get_the_moves_of_single_ones(make: Make, options: str) -> None:
    player, _ = make(options)
    some = games()
    assert player.choose_in_games(some) == [make(options)[0].think(game).move for game in some]


def test_lockstep_plays_the_moves_of_single_games(make: Make) -> None:
    player, _ = make("depth=1")
    openings = [random_game(seed, 4) for seed in range(4)]
    fixtures = [Fixture(n, game, game.position, n) for n, game in enumerate(openings)]
    for ended in play((player, player), fixtures):
        opening = openings[ended.number]
        moves = [Move(move) for move in ended.moves]
        for ply, move in enumerate(moves):
            game = Game(opening.start, (*opening.moves, *moves[:ply]))
            assert move == make("depth=1")[0].think(game).move


def test_a_position_without_its_game_is_not_turned(make: Make) -> None:
    for game in [Game(), *games()]:
        position = game.position
        plain, _ = make("depth=2", rotate=False)
        player, _ = make("depth=2")
        if game.moves:
            player.think(game)  # which must leave nothing behind
        thought = player.think(Game(position))
        wanted = plain.think(Game(position))
        assert (thought.move, thought.value) == (wanted.move, wanted.value)
        assert player.choose_many(Boards.from_positions([position])).tolist() == [wanted.move]
        assert player.choose(position) == wanted.move


def test_only_networks_that_learned_so_are_shown_turned_boards(make: Make) -> None:
    game = Game().play("f5")
    player, network = make("depth=1", rotate=False)
    assert not player.needs_games
    player.think(game)
    assert sorted(network.asked) == sorted(
        game.position.play(move).bits for move in game.position.legal_moves
    )
    assert make("depth=1")[0].needs_games
    turned, plain = Lopsided(), Lopsided(rotate=False)
    assert [turned.rotated, plain.rotated] == [True, False]
    assert not symmetrised(turned).rotated
    assert Averaged([plain, turned]).rotated
    assert not Averaged([plain, plain]).rotated


@pytest.mark.parametrize("game", [Game(), random_game(5, 20)], ids=["start", "later"])
def test_pondering_goes_on_with_the_game(make: Make, game: Game) -> None:
    """Also if its first move has just been found: then the boards turn for the first time."""
    player, network = make("depth=3,ponder=yes,solve=0")
    with player:
        after = game.play(player.think(game).move)
        assert after.moves[0].name != "c4"
        network.asked.clear()
        player.start_pondering(after.position)
        deadline = time.perf_counter() + 30
        while len(network.asked) < 1000 and time.perf_counter() < deadline:
            time.sleep(0.01)
        player.stop_pondering()
        assert network.asked
        assert all((own | other) & C4 for own, other in network.asked)
        network.asked.clear()
        reply = after.play(after.position.legal_moves[0])
        thought = player.think(reply)
    fresh, its_network = make("depth=3,solve=0")
    wanted = fresh.think(reply)
    assert (thought.move, thought.value) == (wanted.move, wanted.value)
    assert len(network.asked) < len(its_network.asked)


def test_a_filter_sees_the_boards_of_the_game(make: Make) -> None:
    player, _ = make("depth=4,solve=0,filter=imitation-fast,window=2")
    chooser = player._network._chooser  # type: ignore[attr-defined]
    game = next(game for game in games() if game.moves[0].name == "d3")
    player.think(game)
    assert game.position.bits in chooser._known
    placed = game.position.black | game.position.white
    assert all((own | other) & placed == placed for own, other in chooser._known)
    kept = chooser(*game.position.bits)
    assert kept >> player.think(game).move & 1


def test_the_shipped_network_of_ng_is_such_a_network() -> None:
    ng, fast = (make_player(f"alphabeta:net={name},depth=2") for name in ("value-ng", "value-fast"))
    assert (ng.needs_games, fast.needs_games) == (True, False)
    game = random_game(5, 14)
    thought = ng.think(game)
    for symmetry in SYMMETRIES:
        image = image_of(game, symmetry)
        found = ng.think(image)
        assert (found.move, found.value) == (image_of_move(thought.move, symmetry), thought.value)
        assert ng.choose_in_games([image]) == [found.move]
