"""A player that hands over to another in one stage of the game."""

from __future__ import annotations

import threading

import pytest

from outflank import Game
from outflank._core import Stop
from outflank.errors import ThinkingStoppedError
from outflank.players import Unit, make_player
from protocols.called_engines import faulty_engine, spec_of
from strategies import random_game

LATE = random_game(3, plies=30)


def test_it_thinks_as_the_player_whose_stage_it_is() -> None:
    first, then = "policy:imitation-0ply", "alphabeta:eval=discs,depth=2"
    player = make_player(f'hybrid:policy={first},stage=20-60,with="{then}"')
    early, late = player.think(Game()), player.think(LATE)
    assert (early.unit, late.unit) == (Unit.RESULT, Unit.DISCS)
    assert early.policy == make_player(first).think(Game()).policy
    assert late.value == make_player(then).think(LATE).value
    ranked = player.rank_moves(LATE, 3)
    assert ranked.values == make_player(then).rank_moves(LATE, 3).values
    assert len(ranked.values) == 3


@pytest.mark.parametrize(
    ("policy", "inside", "unit", "stoppable"),
    [
        ("alphabeta:eval=discs,depth=1", "alphabeta:eval=patterns,depth=1", Unit.DISCS, True),
        ("alphabeta:eval=discs,depth=1", "alphabeta:eval=iago,depth=1", Unit.OWN, True),
        ("random", "alphabeta:eval=patterns,depth=1", Unit.DISCS, False),
        ("policy", "greedy", Unit.RESULT, False),
    ],
)
def test_it_can_do_what_both_can(policy: str, inside: str, unit: Unit, stoppable: bool) -> None:
    player = make_player(f'hybrid:policy="{policy}",with="{inside}"')
    assert (player.unit, player.stoppable) == (unit, stoppable)
    assert player.gives_values
    assert player.gives_policy == (policy == "policy")
    assert not player.needs_games


def test_an_engine_in_it_is_stopped_too() -> None:
    engine = spec_of("gtp", faulty_engine("gtp", "hangs")).replace('"', "")
    stop = Stop()
    with make_player(f'hybrid:policy="{engine}",with=random') as player:
        assert player.needs_games
        threading.Timer(0.3, stop.set).start()
        with pytest.raises(ThinkingStoppedError):
            player.think(Game(), stop=stop)
        assert player.think(random_game(3, plies=50)).seconds < 5  # not the engine's stage
