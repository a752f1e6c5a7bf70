"""Both sides as agents of a PettingZoo environment, which move in turn.

>>> from outflank.envs import aec
>>> game = aec.env()
>>> game.reset()
>>> game.agent_selection
'black'
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from outflank.envs import options as wanted
from outflank.envs import rendering, views
from outflank.othello import BLACK, WHITE, Color, Game, Move, Position

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("outflank.envs.aec needs pettingzoo: pip install 'outflank[envs]'") from error


class OthelloAEC(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Othello for two agents, "black" and "white".

    An action is a square 0..63 (a1 = 0, h8 = 63) or the pass, 64, which is legal exactly when
    it is the only move; an illegal one raises IllegalMoveError. The observation is a dict:
    "observation", float32[3, 8, 8], the agent's discs, the other's and its legal squares, and
    "action_mask", int8[65]; both show legal moves only to the agent that is to move. Rewards come
    with the end of the game: 1 for a win, 0 for a draw, -1 for a loss.

    infos: position and transcript (strings), score (the agent's, as if the game ended here: disc
    difference, the empty squares going to the winner), turn ("black", "white").
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # declared so by PettingZoo
        "name": "othello_v0",
        "render_modes": list(rendering.MODES),
        "render_fps": rendering.FRAMES_PER_SECOND,
        "is_parallelizable": False,
    }

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__()
        wanted.check_render_mode(render_mode, rendering.MODES)
        self.render_mode = render_mode
        self.possible_agents = [str(BLACK), str(WHITE)]
        self.action_spaces = {agent: views.action_space() for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": views.observation_space(),
                    "action_mask": spaces.Box(0, 1, (views.ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self._start = self._position = Position.start()
        self._moves: list[Move] = []

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the actions of an agent: 64 squares and the pass."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, at options["position"] if that is given; there is nothing to seed."""
        self._start = self._position = wanted.start_position(options)
        self._moves = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(agent) for agent in self.agents}
        self.agent_selection = str(self._position.turn)
        self._render_for_human()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees; it sees legal moves only when it is to move."""
        planes = views.observe(self._position, Color(agent))
        mask = np.zeros(views.ACTIONS, np.int8)
        if agent == self._position.turn:
            mask[:] = views.legal_actions(self._position)
        else:
            planes[2] = 0.0
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play a move of the agent that is to move; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = Move(operator.index(action))  # type: ignore[arg-type]  # None is for ended games
        self._position = self._position.play(move)
        self._moves.append(move)
        if self._position.is_over:  # no reward comes earlier
            for one in self.agents:
                self.rewards[one] = float(np.sign(self._position.score_of(one)))
                self.terminations[one] = True
        self.infos = {one: self._info(one) for one in self.agents}
        self.agent_selection = str(self._position.turn)
        self._accumulate_rewards()
        self._render_for_human()

    def render(self) -> str | rendering.Picture | None:
        """Show the position: text (ansi), a picture uint8[256, 256, 3] (rgb_array), or print it."""
        last = self._moves[-1] if self._moves else None
        return rendering.render(self._position, self.render_mode, last)

    def close(self) -> None:
        """Do nothing: there is no window to close."""

    @property
    def game(self) -> Game:
        """The game so far."""
        return Game(self._start, tuple(self._moves))

    def _info(self, agent: str) -> dict[str, Any]:
        return {
            "position": self._position.to_string(),
            "score": self._position.score_of(agent),
            "transcript": self.game.transcript,
            "turn": str(self._position.turn),
        }

    def _render_for_human(self) -> None:
        if self.render_mode == "human":
            self.render()


def raw_env(render_mode: str | None = None) -> OthelloAEC:
    """Return the environment itself, in which an illegal move raises IllegalMoveError."""
    return OthelloAEC(render_mode)


def env(render_mode: str | None = None) -> Any:
    """Return the environment in PettingZoo's usual wrappers.

    There, an illegal move ends the game with -1 for the one that made it and 0 for the other.
    """
    terminating = wrappers.TerminateIllegalWrapper(raw_env(render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(terminating))
