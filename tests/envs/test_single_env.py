"""One game against an opponent: turns, passes, rewards, illegal moves, seeds."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from outflank import (
    BLACK,
    Color,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    OutflankError,
    Position,
)
from outflank.envs import ID, OptionError, OthelloEnv
from outflank.errors import SpecError
from outflank.othello.boards import Boards
from outflank.players import Player, make_player

PASS = 64


def swapped(position: Position) -> Position:
    """The same position with the colours exchanged."""
    return Position(position.white, position.black, position.turn.other)


def play(env: OthelloEnv, move: str) -> tuple[float, bool, dict[str, Any]]:
    _, reward, terminated, truncated, info = env.step(Move(move))
    assert not truncated
    return reward, terminated, info


def playable(info: dict[str, Any]) -> list[str]:
    return [str(Move(int(action))) for action in np.flatnonzero(info["action_mask"])]


def play_out(env: OthelloEnv, seed: int | None) -> tuple[str, float, dict[str, Any]]:
    """Play a game in which the agent always takes its first legal move."""
    _, info = env.reset(seed=seed)
    reward, terminated = 0.0, False
    while not terminated:
        _, reward, terminated, _, info = env.step(np.argmax(info["action_mask"]))
    return info["transcript"], reward, info


@pytest.mark.parametrize("agent", ["black", "white", "alternate", "random"])
@pytest.mark.parametrize("opponent", ["random", "random:seed=1", "greedy"])
def test_gymnasium_finds_nothing_to_complain_of(agent: str, opponent: str) -> None:
    env = gymnasium.make(ID, opponent=opponent, agent=agent)
    check_env(env.unwrapped)


def test_black_begins_and_the_opponent_answers(steady: Player) -> None:
    env = OthelloEnv(steady)
    planes, info = env.reset()
    assert np.array_equal(planes, Boards.start(1).planes()[0])
    assert info["agent"] == info["turn"] == "black"
    assert playable(info) == ["d3", "c4", "f5", "e6"]
    answer = steady.choose(Position.start().play("f5"))
    planes, reward, terminated, truncated, info = env.step(Move("f5"))
    assert info["transcript"] == f"f5{answer}"
    assert (reward, terminated, truncated) == (0.0, False, False)
    after = Position.start().play("f5").play(answer)
    assert info["position"] == after.to_string()
    assert np.array_equal(planes, Boards.from_positions([after]).planes()[0])


def test_the_white_agent_sees_its_own_discs_first(steady: Player) -> None:
    env = OthelloEnv(steady, agent="white")
    (own, other, legal), info = env.reset()
    assert info["agent"] == info["turn"] == "white"
    assert len(env.game) == 1
    position = env.game.position
    assert (own.sum(), other.sum()) == (1, 4)
    assert own.flat[np.argmax(own)] == 1.0
    assert position.color_at(int(np.argmax(own))) == "white"
    assert [Move(int(square)) for square in np.flatnonzero(legal)] == list(position.legal_moves)


def test_the_opponents_passes_are_played_for_it(white_never_moves: Position) -> None:
    env = OthelloEnv("random")
    env.reset(options={"position": white_never_moves})
    reward, over, info = play(env, "c1")
    assert (reward, over, info["turn"], playable(info)) == (0.0, False, "black", ["c3", "c5"])
    play(env, "c3")
    reward, over, info = play(env, "c5")
    assert [str(move) for move in env.game.moves] == ["c1", "pass", "c3", "pass", "c5"]
    assert (reward, over, info["score"], playable(info)) == (1.0, True, 64, [])


def test_the_agent_plays_its_passes_itself(white_never_moves: Position) -> None:
    env = OthelloEnv("random", agent="white")
    (_, _, legal), info = env.reset(options={"position": white_never_moves.to_string()})
    assert not legal.any()
    assert playable(info) == ["pass"]
    reward, over, info = play(env, "pass")
    assert (reward, over, playable(info)) == (0.0, False, ["pass"])
    reward, over, info = play(env, "pass")
    assert (reward, over, info["score"]) == (-1.0, True, -64)
    assert info["agent"] == "white"


def test_the_reward_is_the_agents_whatever_its_colour(
    black_never_moves: Position, drawn: Position
) -> None:
    winner = OthelloEnv("random", agent="white")
    winner.reset(options={"position": black_never_moves})
    assert [play(winner, move)[0] for move in ("c1", "c3", "c5")] == [0.0, 0.0, 1.0]
    loser = OthelloEnv("random", agent="black")
    loser.reset(options={"position": black_never_moves})
    assert [play(loser, "pass")[0] for _ in range(2)] == [0.0, -1.0]
    for color in Color:
        env = OthelloEnv("random", agent=color.value)
        env.reset(options={"position": drawn if color is BLACK else swapped(drawn)})
        reward, over, info = play(env, "c1")
        assert (reward, over, info["score"]) == (0.0, True, 0)


def test_reward_and_score_agree_with_the_game_replayed() -> None:
    env = OthelloEnv("greedy", agent="alternate")
    env.reset(seed=3)
    for _ in range(20):
        transcript, reward, info = play_out(env, seed=None)
        game = Game.from_transcript(transcript)
        assert game.is_over
        assert game.position.to_string() == info["position"]
        score = game.score if info["agent"] == "black" else -game.score
        assert (info["score"], reward) == (score, np.sign(score))


@pytest.mark.parametrize(
    ("move", "why"),
    [("d4", "taken"), ("a1", "outflanks no white disc"), ("pass", "may not pass")],
)
def test_an_illegal_action_raises_or_loses(move: str, why: str) -> None:
    env = OthelloEnv("random", illegal="raise")
    _, before = env.reset()
    with pytest.raises(IllegalMoveError, match=why):
        env.step(Move(move))
    assert env.game == Game()  # and the game can go on
    assert not play(env, "f5")[1]

    env = OthelloEnv("random", illegal="lose")
    env.reset()
    reward, over, info = play(env, move)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    assert (info["position"], playable(info)) == (before["position"], [])
    assert not env.reset()[1]["illegal"]


def test_a_square_is_illegal_where_the_agent_must_pass(white_never_moves: Position) -> None:
    env = OthelloEnv("random", agent="white", illegal="raise")
    env.reset(options={"position": white_never_moves})
    with pytest.raises(IllegalMoveError, match="must pass"):
        env.step(Move("h8"))


@pytest.mark.parametrize("illegal", ["lose", "raise"])
def test_what_is_no_action_is_refused_and_changes_nothing(illegal: Any) -> None:
    env = OthelloEnv("random", illegal=illegal)
    env.reset()
    for action in (65, -1):
        with pytest.raises(NotationError, match="no such move"):
            env.step(action)
    with pytest.raises(TypeError):
        env.step(19.0)  # type: ignore[arg-type]
    assert env.game == Game()


def test_no_step_without_a_game(drawn: Position) -> None:
    env = OthelloEnv("random")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(PASS)
    assert not env.action_masks().any()
    env.reset(options={"position": drawn})
    play(env, "c1")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(PASS)


def test_an_opponent_that_fails_leaves_the_game_as_it_was(failing: Player) -> None:
    env = OthelloEnv(failing)
    env.reset()
    with pytest.raises(OutflankError, match="the engine is gone"):
        env.step(Move("f5"))
    assert env.game == Game()
    assert env.action_masks()[Move("f5")]


def test_action_masks_are_the_mask_of_info_also_through_wrappers() -> None:
    env = gymnasium.make(ID, opponent="random")
    _, info = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert np.array_equal(masks, info["action_mask"])


def test_colours_alternate_from_black_on_or_come_by_chance() -> None:
    env = OthelloEnv("random", agent="alternate")
    assert [env.reset()[1]["agent"] for _ in range(4)] == ["black", "white"] * 2
    assert env.reset()[1]["agent"] == "black"
    assert env.reset(seed=1)[1]["agent"] == "black"  # a seed begins anew
    env = OthelloEnv("random", agent="random")
    env.reset(seed=1)
    colors = [env.reset()[1]["agent"] for _ in range(64)]
    assert 16 < colors.count("white") < 48


@pytest.mark.parametrize("opponent", ["random", "greedy", "playouts:games=2", "random:seed=1"])
def test_a_seed_repeats_colours_and_opponent(opponent: str) -> None:
    def games(seed: int) -> list[str]:
        return [play_out(env, number)[0] for number in (seed, None, None)]

    env = OthelloEnv(opponent, agent="random")
    first = games(7)
    assert games(7) == first
    assert len(set(first)) == 3
    other = games(8)
    env = OthelloEnv(opponent, agent="random")
    assert games(7) == first != other


def test_the_seed_of_a_spec_is_kept(steady: Player) -> None:
    env = OthelloEnv("random:seed=1")
    assert play_out(env, 7)[0] == play_out(env, 8)[0]
    env = OthelloEnv("random")
    assert play_out(env, 7)[0] != play_out(env, 8)[0]


def test_a_player_object_is_played_as_it_is() -> None:
    player = make_player("random:seed=1")
    moves = [player.choose(Position.start()) for _ in range(8)]
    env = OthelloEnv(make_player("random:seed=1"), agent="white")
    assert [(env.reset(seed=5), env.game.last)[1] for _ in range(8)] == moves


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agent": "red"}, "agent cannot be 'red'; accepted are black, white, alternate, random"),
        ({"illegal": "ignore"}, "illegal cannot be 'ignore'; accepted are lose, raise"),
        ({"render_mode": "svg"}, "render_mode cannot be 'svg'; accepted are human, ansi, rgb"),
    ],
)
def test_wrong_words_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        OthelloEnv("random", **arguments)
    with pytest.raises(SpecError, match="no such player: 'nobody'"):
        OthelloEnv("nobody")


def test_positions_without_a_turn_for_the_agent_are_refused(drawn: Position) -> None:
    env = OthelloEnv("random", agent="white")
    for position, message in (
        (drawn.play("c1"), "the game is over there"),
        (drawn, "ends the game before the agent's turn"),
        ("XO", "a board has 64 squares"),
        (17, "accepted are a Position and its string"),
    ):
        with pytest.raises(OutflankError, match=message):
            env.reset(options={"position": position})
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(PASS)
