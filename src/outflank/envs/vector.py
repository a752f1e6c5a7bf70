"""Many games at once, as a Gymnasium vector environment on whole batches of boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from outflank.envs import options as wanted
from outflank.envs import rendering, views
from outflank.envs.opponent import Opponent
from outflank.errors import IllegalMoveError, NotationError
from outflank.othello import PASS, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players import Player

Flags = NDArray[np.bool_]

_MODES = ("ansi", "rgb_array")


class OthelloVectorEnv(VectorEnv[views.Planes, NDArray[np.int64], NDArray[Any]]):
    """As OthelloEnv, for num_envs games in lockstep; the opponent answers all of them at once.

    A game that ends is followed by the next one in the same step (AutoresetMode.SAME_STEP): the
    returned observation and info are the new game's, infos["final_obs"] and infos["final_info"]
    the ended one's. So every board is always one on which the agent has an action to choose.

    agent="alternate" gives the agent black on boards 0, 2, 4... and white on the others, and
    changes colours on a board from game to game. info holds arrays: action_mask (int8[n, 65]),
    agent and turn (str[n]), black and white (uint64[n], bitboards), illegal (bool[n]), score
    (int64[n]); positions() gives the boards as values.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # declared so by Gymnasium
        "render_modes": list(_MODES),
        "render_fps": rendering.FRAMES_PER_SECOND,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        opponent: str | Player = "random",
        agent: wanted.Agent = "black",
        illegal: wanted.Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        wanted.check_words(agent, illegal, render_mode, _MODES)
        if num_envs < 1:
            raise wanted.OptionError(f"num_envs cannot be {num_envs}; it is at least 1")
        self.num_envs = num_envs
        self.single_action_space = views.action_space()
        self.single_observation_space = views.observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.render_mode = render_mode
        self._opponent = Opponent(opponent)
        self._agent = agent
        self._illegal = illegal
        self._boards = Boards.start(num_envs)
        self._agent_is_white = self._colors_before()
        self._legal = np.zeros((num_envs, views.ACTIONS), np.bool_)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[views.Planes, dict[str, Any]]:
        """Begin all games, at options["position"] if given: one for all boards, or a list.

        A seed makes all that follows reproducible: the agent's colours and, if it was given as a
        spec, the opponent. The games that follow the first ones begin at the usual start.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.reseed(self.np_random)
            self._agent_is_white = self._colors_before()
        start = self._start(options)
        self._begun = False
        everywhere = np.ones(self.num_envs, np.bool_)
        self._begin(start, everywhere)
        if self._boards.is_over().any():
            (first,) = start[np.flatnonzero(self._boards.is_over())[:1]]
            raise wanted.too_late(first)
        return self._observe()

    def step(
        self, actions: ArrayLike
    ) -> tuple[views.Planes, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Play the agent's move on each board and, where the game goes on, the opponent's.

        actions: whole numbers 0..64, one for each board.
        """
        if not self._begun:
            raise ResetNeeded("no games are being played: call reset() first")
        moves = self._read(actions)
        legal = self._legal[np.arange(self.num_envs), moves]
        if self._illegal == "raise" and not legal.all():
            self._raise_illegal(int(np.argmin(legal)), moves)
        boards = _put(self._boards, legal, self._boards[legal].play(moves[legal]))
        self._boards = boards = self._answered(boards)
        self._begun = False  # should the opponent fail in the games that begin now
        ended = ~legal | boards.is_over()
        result = np.sign(_score(boards, self._agent_is_white))
        rewards = np.where(legal, result * ended, -1).astype(np.float64)
        last = self._end(ended, ~legal) if ended.any() else {}
        observation, info = self._observe()
        return observation, rewards, ended, np.zeros_like(ended), last | info

    def action_masks(self) -> Flags:
        """Return the agent's legal actions on each board, bool[n, 65]."""
        return self._legal.copy()

    def positions(self) -> list[Position]:
        """Return the boards as they stand, the agent to move on each."""
        return self._boards.positions()

    def render(self) -> tuple[Any, ...] | None:
        """Show every board: a tuple of texts (ansi) or of pictures uint8[256, 256, 3]."""
        if self.render_mode is None:
            return None
        return tuple(rendering.render(position, self.render_mode) for position in self._boards)

    def _start(self, options: dict[str, Any] | None) -> Boards:
        """Return the boards to begin with: start positions, or options["position"]."""
        given = (options or {}).get("position", Position.start())
        if isinstance(given, (Position, str)) or not isinstance(given, Sequence):
            given = [given] * self.num_envs
        if len(given) != self.num_envs:
            raise wanted.OptionError(
                f"position: {len(given)} positions for {self.num_envs} boards; "
                "accepted are one for all, or one for each"
            )
        return Boards.from_positions(map(wanted.read_position, given))

    def _colors_before(self) -> Flags:
        """Return the colours that alternation changes into those of the first games."""
        flags: Flags = np.arange(self.num_envs) % 2 == 0
        return flags

    def _begin(self, start: Boards, where: Flags) -> None:
        """Begin new games on some boards; the opponent moves where the agent does not begin."""
        count = int(np.count_nonzero(where))
        if self._agent == "random":
            white = self.np_random.integers(2, size=count).astype(np.bool_)
        elif self._agent == "alternate":
            white = ~self._agent_is_white[where]
        else:
            white = np.full(count, self._agent == "white")
        self._agent_is_white[where] = white
        self._boards = self._answered(_put(self._boards, where, start))

    def _answered(self, boards: Boards) -> Boards:
        """Play the opponent's move on each board where it is to move and the game goes on."""
        waiting = (boards.white_to_move != self._agent_is_white) & ~boards.is_over()
        if not waiting.any():
            return boards
        theirs = boards[waiting]
        return _put(boards, waiting, theirs.play(self._opponent.player.choose_many(theirs)))

    def _end(self, ended: Flags, illegal: Flags) -> dict[str, Any]:
        """Describe the games that ended, as Gymnasium wants it, and begin the next ones."""
        boards, agent_is_white = self._boards[ended], self._agent_is_white[ended]
        nothing = np.zeros((len(boards), views.ACTIONS), np.bool_)
        facts = _facts(boards, agent_is_white, illegal[ended], nothing)
        planes = _seen_by_agent(boards, agent_is_white).planes()
        final_obs = np.full(self.num_envs, None, object)
        final_obs[ended] = np.fromiter(planes, dtype=object, count=len(planes))
        self._begin(Boards.start(len(boards)), ended)
        return _with_flags(
            {
                "final_obs": final_obs,
                "final_info": _with_flags(
                    {name: _spread(values, ended) for name, values in facts.items()}, ended
                ),
            },
            ended,
        )

    def _observe(self) -> tuple[views.Planes, dict[str, Any]]:
        """Return what the agent sees on all boards, where it is to move, and the info."""
        self._legal = self._boards.legal_mask()
        self._begun = True
        all_boards = np.ones(self.num_envs, np.bool_)
        info = _facts(self._boards, self._agent_is_white, ~all_boards, self._legal)
        return self._boards.planes(), _with_flags(info, all_boards)

    def _read(self, actions: ArrayLike) -> MoveArray:
        moves = np.asarray(actions)
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise NotationError(
                f"actions are {self.num_envs} whole numbers, one for each board: "
                f"got {moves.dtype} of shape {moves.shape}"
            )
        outside = (moves < 0) | (moves > PASS)
        if outside.any():
            board = int(np.argmax(outside))
            raise NotationError(
                f"board {board}: no such move: {moves[board]}; "
                "moves are a1..h8 (0..63) and pass (64)"
            )
        return moves.astype(np.uint8)

    def _raise_illegal(self, board: int, moves: MoveArray) -> None:
        (position,) = self._boards[board : board + 1]
        try:
            position.play(int(moves[board]))
        except IllegalMoveError as error:
            raise IllegalMoveError(f"board {board}: {error}") from None


def _put(boards: Boards, where: Flags, part: Boards) -> Boards:
    """Return the batch with some of its boards replaced."""
    own, other, white = boards.own.copy(), boards.other.copy(), boards.white_to_move.copy()
    own[where], other[where], white[where] = part.own, part.other, part.white_to_move
    return Boards(own, other, white)


def _seen_by_agent(boards: Boards, agent_is_white: Flags) -> Boards:
    """Return the boards with the agent as the mover, whoever is to move."""
    to_move = boards.white_to_move == agent_is_white
    own = np.where(to_move, boards.own, boards.other)
    return Boards(own, np.where(to_move, boards.other, boards.own), agent_is_white)


def _score(boards: Boards, agent_is_white: Flags) -> NDArray[np.int64]:
    """Return the agent's scores as if the games ended here."""
    return _seen_by_agent(boards, agent_is_white).score().astype(np.int64)


def _facts(
    boards: Boards, agent_is_white: Flags, illegal: Flags, legal: Flags
) -> dict[str, NDArray[Any]]:
    """Return what info says about each board."""
    white = boards.white_to_move
    return {
        "action_mask": legal.astype(np.int8),
        "agent": np.where(agent_is_white, "white", "black"),
        "black": np.where(white, boards.other, boards.own),
        "illegal": illegal,
        "score": _score(boards, agent_is_white),
        "turn": np.where(white, "white", "black"),
        "white": np.where(white, boards.own, boards.other),
    }


def _spread(values: NDArray[Any], where: Flags) -> NDArray[Any]:
    """Return an array for all boards that holds the values of some, and zeros."""
    spread = np.zeros((len(where), *values.shape[1:]), values.dtype)
    spread[where] = values
    return spread


def _with_flags(info: dict[str, Any], where: Flags) -> dict[str, Any]:
    """Add to each entry, under its name with a "_" before it, which boards it is about."""
    return info | {f"_{name}": where.copy() for name in info}
