"""A handicap: what the player gives away in a game stays within its budget."""

from __future__ import annotations

import numpy as np
import pytest

from outflank.errors import SpecError
from outflank.othello import PASS, Game
from outflank.players import make_player
from outflank.players.lenient import LenientPlayer
from strategies import random_game


def player(discs: float, seed: int = 1) -> LenientPlayer:
    made = make_player(f"lenient:discs={discs:g},depth=2,name=imitation-0ply,seed={seed}")
    assert isinstance(made, LenientPlayer)
    return made


def played_out(lenient: LenientPlayer, plies: int = 60) -> Game:
    """A game against a player that flips most."""
    other = make_player("greedy:seed=3")
    game = Game()
    while not game.is_over and len(game) < plies:
        (move,) = (lenient if len(game) % 2 == 0 else other).choose_in_games([game])
        game = game.play(move)
    return game


@pytest.mark.parametrize("discs", [0, 5, 40])
def test_the_budget_is_kept(discs: float) -> None:
    lenient = player(discs)
    game = played_out(lenient)
    side = "black"
    spent = sum(
        lenient.costs(position)[move]
        for position, move in zip(game.positions(), game.moves, strict=False)
        if position.turn.value == side and move != PASS
    )
    assert spent <= discs + 1e-6
    assert discs == 0 or spent > 0


def test_temperature_varies_the_moves() -> None:
    """The likeliest move of the first four is as likely as any other, once it is hot enough."""
    games = [Game.from_transcript("f5d6c3")] * 400

    def share(temperature: float) -> float:
        spec = f"lenient:discs=1000,depth=1,name=imitation-0ply,temperature={temperature:g},seed=1"
        moves = make_player(spec).choose_in_games(games, np.arange(400, dtype=np.uint64))
        return max(moves.count(move) for move in set(moves)) / len(moves)

    assert share(0.1) > share(1) > share(10)
    with pytest.raises(SpecError, match="temperature"):
        make_player("lenient:temperature=0")


def test_costs_are_what_a_better_move_would_have_brought() -> None:
    costs = player(10).costs(Game.from_transcript("f5d6c3").position)
    assert min(costs.values()) == 0
    assert max(costs.values()) > 0


def test_it_thinks_about_the_whole_game() -> None:
    """Whoever has given everything away plays the best move that the search finds."""
    lenient = player(2)
    spent = 0
    for seed in range(10):
        game = random_game(seed, plies=16)
        values = lenient.think(game).values
        assert values.keys() == set(game.position.legal_moves)
        assert lenient.costs(game.position) == {
            move: max(values.values()) - value for move, value in values.items()
        }
        if lenient.spent(game) >= 2:
            thought = lenient.think(game)
            assert thought.value == max(values.values())
            spent += 1
    assert spent > 5


def test_a_seed_makes_it_repeatable() -> None:
    assert played_out(player(40, 7), 20) == played_out(player(40, 7), 20)
    assert played_out(player(40, 7), 20) != played_out(player(40, 8), 20)


def test_wrong_budgets() -> None:
    with pytest.raises(SpecError, match="discs must be 0 to 1000"):
        make_player("lenient:discs=-1")
