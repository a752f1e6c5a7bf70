"""Both sides as agents: PettingZoo's own tests, turns, passes, rewards, illegal moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from outflank import Game, IllegalMoveError, Move, NotationError, Position
from outflank.envs import OptionError, aec
from outflank.othello.boards import Boards

pytestmark = [
    # What PettingZoo says about every environment with action masks and agents of its own names.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:We recommend agents to be named in the format"),
    # The observation of an agent whose game is over has no legal action.
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def playable(observation: dict[str, Any]) -> list[str]:
    return [str(Move(int(action))) for action in np.flatnonzero(observation["action_mask"])]


def test_pettingzoos_own_tests() -> None:
    api_test(aec.env(), num_cycles=300)
    api_test(aec.raw_env(), num_cycles=300)
    seed_test(aec.env, num_cycles=100)
    render_test(aec.env)


def test_agents_take_turns_and_see_their_own_side() -> None:
    env = aec.raw_env()
    env.reset()
    assert env.agents == ["black", "white"]
    assert env.agent_selection == "black"
    observation, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert playable(observation) == ["d3", "c4", "f5", "e6"]
    assert np.array_equal(observation["observation"], Boards.start(1).planes()[0])
    assert (info["turn"], info["score"], info["transcript"]) == ("black", 0, "")

    env.step(Move("f5"))
    assert env.agent_selection == "white"
    own, other, legal = env.observe("white")["observation"]
    assert (own.sum(), other.sum(), legal.sum()) == (1, 4, 3)
    waiting = env.observe("black")
    assert not waiting["action_mask"].any()
    own, other, legal = waiting["observation"]
    assert (own.sum(), other.sum(), legal.sum()) == (4, 1, 0)
    assert (env.infos["black"]["score"], env.infos["white"]["score"]) == (62, -62)


@pytest.mark.parametrize("winner", ["black", "white"])
def test_passes_are_actions_and_the_winner_is_rewarded(
    winner: str, white_never_moves: Position, black_never_moves: Position
) -> None:
    position, loser = white_never_moves, "white"
    if winner == "white":
        position, loser = black_never_moves, "black"
    env = aec.env()
    env.reset(options={"position": position})
    for move in ("c1", "c3"):
        assert env.agent_selection == winner
        env.step(Move(move))
        assert env.agent_selection == loser
        assert playable(env.last()[0]) == ["pass"]
        env.step(Move("pass"))
    env.step(Move("c5"))
    assert env.rewards == {winner: 1.0, loser: -1.0}
    assert env.terminations == {"black": True, "white": True}
    assert not any(env.truncations.values())
    assert env.infos[loser]["score"] == -64
    for _ in range(2):
        env.step(None)
    assert env.agents == []


def test_a_draw_brings_nothing(drawn: Position) -> None:
    env = aec.env()
    env.reset(options={"position": drawn.to_string()})
    env.step(Move("c1"))
    assert env.rewards == {"black": 0.0, "white": 0.0}
    assert all(env.terminations.values())


def test_random_games_are_legal_games_with_their_results() -> None:
    env = aec.env()
    random = np.random.default_rng(1)
    for _ in range(20):
        env.reset()
        rewards = {}
        info: dict[str, Any] = {}
        for agent in env.agent_iter():
            observation, reward, terminated, _, info = env.last()
            rewards[agent] = reward
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated else random.choice(legal))
        game = Game.from_transcript(info["transcript"])
        assert game.is_over
        result = float(np.sign(game.score))
        assert rewards == {"black": result, "white": -result}


@pytest.mark.parametrize("move", ["d4", "a1", "pass"])
def test_an_illegal_move_loses_or_raises(move: str) -> None:
    env = aec.env()
    env.reset()
    env.step(Move(move))
    assert env.rewards == {"black": -1.0, "white": 0}
    assert all(env.terminations.values())

    raw = aec.raw_env()
    raw.reset()
    with pytest.raises(IllegalMoveError):
        raw.step(Move(move))
    assert raw.game == Game()
    with pytest.raises(NotationError, match="no such move"):
        raw.step(65)


def test_wrong_options_are_named(drawn: Position) -> None:
    with pytest.raises(OptionError, match="render_mode cannot be 'svg'"):
        aec.env(render_mode="svg")
    with pytest.raises(OptionError, match="the game is over there"):
        aec.env().reset(options={"position": drawn.play("c1")})
