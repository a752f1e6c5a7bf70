"""The named levels: within their budgets, never wiped out, and in the order of their names."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from outflank import Game
from outflank.arena import Store, Tournament, TournamentRunner, match, random_openings
from outflank.errors import SpecError
from outflank.lab.roster import OPPONENT
from outflank.othello import Move
from outflank.players import make_player
from outflank.players.lenient import LenientPlayer, discs_kept
from outflank.players.levels import LEVELS, LevelPlayer
from strategies import random_game

WIPED_OUT = -64


def test_the_names() -> None:
    assert list(LEVELS) == [
        "beginner", "casual", "club", "strong", "expert", "master", "champion"
    ]  # fmt: skip
    assert make_player("level") == make_player("level:casual") == LevelPlayer("casual")
    with pytest.raises(SpecError, match="no level called 'hard'; levels are beginner, casual"):
        make_player("level:hard")


def test_higher_levels_give_away_less() -> None:
    for lower, higher in pairwise(LEVELS.values()):
        assert higher.discs < lower.discs
        assert higher.once < lower.once
        assert higher.temperature < lower.temperature
        assert higher.depth >= lower.depth


def test_a_level_is_a_lenient_player() -> None:
    level = LEVELS["club"]
    spec = f"discs={level.discs:g},once={level.once:g},temperature={level.temperature:g}"
    same = make_player(f"lenient:{spec},depth={level.depth},seed=1")
    club = make_player("level:club,seed=1")
    games = [random_game(seed, plies=seed) for seed in range(4, 30)]
    keys = np.arange(len(games), dtype=np.uint64)
    assert club.choose_in_games(games, keys) == same.choose_in_games(games, keys)
    assert club.think(games[0]).values == dict(
        make_player(f"lenient:{spec},depth={level.depth}").think(games[0]).values
    )


def test_a_level_that_is_tuned_again_is_another_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its old games say nothing about it; so the store must not take it for the same player."""
    before = make_player("level:club").fingerprint
    assert before == make_player("level:club,seed=1").fingerprint
    monkeypatch.setitem(LEVELS, "club", replace(LEVELS["club"], discs=1.0))
    assert make_player("level:club").fingerprint != before


def test_one_move_gives_away_no_more_than_it_may() -> None:
    player = make_player("lenient:discs=1000,once=3,temperature=10,depth=2,seed=1")
    assert isinstance(player, LenientPlayer)
    costs = []
    for seed in range(30):
        game = random_game(seed, plies=20)
        (move,) = player.choose_in_games([game])
        costs.append(player.costs(game.position)[move])
    assert max(costs) <= 3
    assert sum(cost > 0 for cost in costs) > 10
    with pytest.raises(SpecError, match="once must be 0 to 1000"):
        make_player("lenient:once=-1")


def test_who_is_far_behind_gives_nothing_away() -> None:
    """It may lose, but not by its own leniency: only the best moves are left to choose from."""
    player = make_player("lenient:discs=1000,temperature=10,depth=2,seed=1")
    assert isinstance(player, LenientPlayer)
    behind = 0
    for seed in range(60):
        game = random_game(seed, plies=36)
        if game.is_over or game.position.must_pass:
            continue
        values, allowed = player.think(game).values, player.affordable(game)
        best, kept = max(values.values()), {m: discs_kept(game.position, m) for m in values}
        if best <= -24 and any(values[m] == best and kept[m] > 6 for m in values):
            behind += 1
            assert {values[move] for move in allowed} == {best}
    assert behind > 3


def slow_discs_kept(game: Game, move: Move) -> int:
    mover = game.position.turn
    after = game.play(move)
    return min(
        (after.play(reply).position.count(mover) for reply in after.position.legal_moves),
        default=after.position.count(mover),
    )


def test_it_does_not_let_its_discs_dwindle() -> None:
    """The search would not mind having three discs; whoever only takes discs would end the game."""
    player = make_player("lenient:discs=1000,temperature=10,depth=2,seed=1")
    assert isinstance(player, LenientPlayer)
    few = 0
    for seed in range(400):
        game = random_game(seed, plies=20)
        if game.is_over or game.position.must_pass:
            continue
        kept = {move: slow_discs_kept(game, move) for move in game.position.legal_moves}
        assert kept == {move: discs_kept(game.position, move) for move in kept}
        if min(kept.values()) <= 4:
            few += 1
            enough = min(5, max(kept.values()))  # one for each six of 24 discs, and one more
            assert all(kept[move] >= enough for move in player.affordable(game))
    assert few > 5


@pytest.mark.parametrize(
    ("level", "weak"),
    [
        ("beginner", "greedy"),
        ("beginner", "alphabeta:eval=discs,depth=2"),
        ("beginner", "random"),
        ("casual", "alphabeta:eval=discs,depth=2"),
    ],
)
def test_low_levels_are_never_wiped_out(level: str, weak: str) -> None:
    openings = tuple(random_openings(4, 20, seed=1))
    tournament = Tournament((f"level:{level}", weak), openings, 40, 1)
    with Store(":memory:") as store, TournamentRunner(tournament, store, workers=1) as run:
        run.play()
        (games,) = store.scores(run.number).values()
    assert len(games) == 40
    assert min(game.first_score for game in games) > WIPED_OUT


def test_two_levels_apart_the_higher_one_wins() -> None:
    result = match("level:club", "level:beginner", openings="random:6", games=24, seed=1)
    assert (result.winning_rate or 0) > 0.6


def test_the_usual_opponent_is_a_level() -> None:
    game = Game.from_transcript("f5")
    assert make_player(OPPONENT).think(game).move in game.position.legal_moves
