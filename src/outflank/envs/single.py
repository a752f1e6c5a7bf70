"""One game against one opponent, as a Gymnasium environment."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from outflank.envs import options as wanted
from outflank.envs import rendering, views
from outflank.envs.opponent import Opponent
from outflank.othello import BLACK, WHITE, Color, Game, Move, Position
from outflank.players import Player


class OthelloEnv(gymnasium.Env[views.Planes, np.int64]):
    """The agent plays one side, a player of this package the other.

    opponent: a player spec, or a Player. agent: the agent's colour: black, white, alternate (from
    black on, game by game) or random. illegal: what an illegal action does: lose the game at
    once, or raise IllegalMoveError and leave the game as it is.

    An action is a square 0..63 (a1 = 0, h8 = 63) or the pass, 64. The agent is asked whenever it
    is its turn, also when it can only pass. The observation is float32[3, 8, 8]: the agent's
    discs, the opponent's, and the agent's legal squares. The reward comes with the end of the
    game: 1 for a win, 0 for a draw, -1 for a loss.

    info: action_mask (int8[65]), agent and turn ("black", "white"), illegal (True if the agent
    lost by an illegal action), position and transcript (strings), score (the agent's, as if the
    game ended here: disc difference, the empty squares going to the winner).
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # declared so by Gymnasium
        "render_modes": list(rendering.MODES),
        "render_fps": rendering.FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        opponent: str | Player = "random",
        agent: wanted.Agent = "black",
        illegal: wanted.Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        wanted.check_words(agent, illegal, render_mode, rendering.MODES)
        self.action_space = views.action_space()
        self.observation_space = views.observation_space()
        self.render_mode = render_mode
        self._opponent = Opponent(opponent)
        self._agent = agent
        self._illegal = illegal
        self._color = BLACK  # of the agent
        self._games = 0  # begun since the last seed
        self._start = self._position = Position.start()
        self._moves: list[Move] = []
        self._lost_by_illegal = False
        self._over = True  # until reset() begins a game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[views.Planes, dict[str, Any]]:
        """Begin a game, at options["position"] if that is given.

        A seed makes all that follows reproducible: the agent's colours and, if it was given as a
        spec, the opponent.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.reseed(self.np_random)
            self._games = 0
        start = wanted.start_position(options)
        self._over = True
        self._color = self._next_color()
        self._games += 1
        self._start = self._position = start
        self._moves = []
        self._lost_by_illegal = False
        if start.turn is not self._color:
            self._answer(start, [])
            if self._position.is_over:
                raise wanted.too_late(start)
        self._over = False
        self._render_for_human()
        return self._observe(), self._info()

    def step(self, action: SupportsIndex) -> tuple[views.Planes, float, bool, bool, dict[str, Any]]:
        """Play the agent's move and, if the game goes on, the opponent's answer (or pass)."""
        if self._over:
            raise ResetNeeded("no game is being played: call reset() first")
        move = Move(operator.index(action))
        if self._illegal == "raise" or self._position.is_legal(move):
            self._play(move)
        else:
            self._lost_by_illegal = True
        self._over = self._lost_by_illegal or self._position.is_over
        self._render_for_human()
        return self._observe(), self._reward(), self._over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the agent's legal actions, bool[65]; none when the game is over.

        The name is the one that MaskablePPO of sb3-contrib asks for.
        """
        if self._over:
            return np.zeros(views.ACTIONS, np.bool_)
        return views.legal_actions(self._position)

    def render(self) -> str | rendering.Picture | None:
        """Show the position: text (ansi), a picture uint8[256, 256, 3] (rgb_array), or print it."""
        last = self._moves[-1] if self._moves else None
        return rendering.render(self._position, self.render_mode, last)

    @property
    def game(self) -> Game:
        """The game so far."""
        return Game(self._start, tuple(self._moves))

    def _next_color(self) -> Color:
        if self._agent == "random":
            return WHITE if self.np_random.integers(2) else BLACK
        if self._agent == "alternate":
            return WHITE if self._games % 2 else BLACK
        return Color(self._agent)

    def _play(self, move: Move) -> None:
        """Play the agent's move and the opponent's answer: if either fails, neither."""
        position = self._position.play(move)
        if position.is_over:
            self._position = position
            self._moves.append(move)
        else:
            self._answer(position, [move])

    def _answer(self, position: Position, moves: list[Move]) -> None:
        """Play the opponent's move after the moves that led to its turn."""
        answer = self._opponent.player.choose(position)
        self._position = position.play(answer)
        self._moves += [*moves, answer]

    def _observe(self) -> views.Planes:
        return views.observe(self._position, self._color)

    def _reward(self) -> float:
        if self._lost_by_illegal:
            return -1.0
        return float(np.sign(self._position.score_of(self._color))) if self._over else 0.0

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.action_masks().astype(np.int8),
            "agent": str(self._color),
            "illegal": self._lost_by_illegal,
            "position": self._position.to_string(),
            "score": self._position.score_of(self._color),
            "transcript": self.game.transcript,
            "turn": str(self._position.turn),
        }

    def _render_for_human(self) -> None:
        if self.render_mode == "human":
            self.render()
