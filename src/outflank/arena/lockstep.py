"""Plays many games between two players in lockstep, so that a player sees them as one batch."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank.chance import keys_at_ply
from outflank.errors import IllegalMoveError, NotationError, OutflankError
from outflank.othello import PASS, Game, Move, Position
from outflank.othello.boards import BitArray, Boards
from outflank.othello.lockstep import Lockstep
from outflank.players import Keys, Player

# Score of a game lost by an error: all discs.
FORFEIT = 64


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played.

    Attributes:
        number: Of the game between these two players, from 0. The first player has black in games
            of even number.
        opening: The moves that lead to where it begins.
        position: Where it begins.
        key: Of its randomness.
    """

    number: int
    opening: Game
    position: Position
    key: int


@dataclass(frozen=True)
class PlayedGame:
    """A game that has ended."""

    number: int
    moves: bytes  # after the opening, passes included
    score: int  # black's view, empty squares going to the winner; 64 or -64 if lost by error
    reason: str = ""  # why the loser lost, if not on the board
    black_seconds: float = 0.0
    white_seconds: float = 0.0
    black_moves: int = 0  # that the player was asked for: forced passes are played for it
    white_moves: int = 0


def play(players: tuple[Player, Player], fixtures: Sequence[Fixture]) -> Iterator[PlayedGame]:
    """Play games to the end, and yield them as they end."""
    for ended, _ in steps(players, fixtures):
        yield from ended


def steps(
    players: tuple[Player, Player], fixtures: Sequence[Fixture]
) -> Iterator[tuple[list[PlayedGame], float]]:
    """Play games one ply at a time.

    Yields, for each ply, the games that ended with it, and how much of the others is played, as a
    number of games (by the share of empty squares filled).
    """
    state = _Games(players, fixtures)
    ended = state.over_from_the_start()
    try:
        while state.games:
            ended += state.advance()
            yield ended, state.share_played()
            ended = []
    finally:
        for player in players:
            player.stop_pondering()
    if ended:
        yield ended, 0.0


class _Games:
    """All games, and arrays of what is known of them, one row for each game.

    Arrays with two columns hold the first and the second player's values.
    """

    def __init__(self, players: tuple[Player, Player], fixtures: Sequence[Fixture]) -> None:
        self.players = players
        self.fixtures = fixtures
        self.games = Lockstep(Boards.from_positions(game.position for game in fixtures))
        self.keys: Keys = np.array([fixture.key for fixture in fixtures], np.uint64)
        self.black = np.array([fixture.number % 2 for fixture in fixtures], np.uint8)  # who has it
        self.seconds = np.zeros((len(fixtures), 2))
        self.asked = np.zeros((len(fixtures), 2), np.int64)
        self.empties = _count_empties(self.games.all_boards)

    def share_played(self) -> float:
        """Return how much of the running games is played, as a number of games."""
        left = _count_empties(self.games.boards)
        return float((1.0 - left / self.empties[self.games.running]).sum())

    def over_from_the_start(self) -> list[PlayedGame]:
        """Return the games that are over after the opening."""
        rows = np.arange(len(self.fixtures))
        return self._finished(np.setdiff1d(rows, self.games.running))

    def advance(self) -> list[PlayedGame]:
        """Play one ply in every running game; return the games that ended with it.

        Games lost by an error come first, then those that are over on the board.
        """
        rows, boards = self.games.running, self.games.boards
        legal = boards.legal_moves()
        mover = self.black[rows] ^ boards.white_to_move
        moves = np.full(len(rows), PASS, np.int64)
        wrong: dict[int, str] = {}  # reasons by row
        for side in (0, 1):
            asked = np.flatnonzero((legal != 0) & (mover == side))
            if len(asked):
                moves[asked] = self._ask(side, rows[asked], wrong)
        for at in np.flatnonzero(~_are_legal(moves, legal)).tolist():
            wrong.setdefault(int(rows[at]), _why_illegal(boards[np.array([at])], int(moves[at])))
        lost = [
            self._played(row, _forfeit(int(side), int(self.black[row])), wrong[row])
            for row, side in zip(rows.tolist(), mover.tolist(), strict=True)
            if row in wrong
        ]
        failed = np.isin(rows, list(wrong))
        self.games.withdraw(failed)
        finished = self._finished(self.games.play(moves[~failed].astype(np.uint8)))
        if len(self.fixtures) == 1 and self.games:
            self._ponder(self.players[int(mover[0])])
        return lost + finished

    def _ponder(self, player: Player) -> None:
        """Let who moved in the only game think while the opponent does."""
        (position,) = self.games.boards
        if not position.must_pass:
            player.start_pondering(position)

    def _finished(self, rows: NDArray[np.int64]) -> list[PlayedGame]:
        """Return games that are over on the board."""
        boards = self.games.boards_of(rows)
        scores = np.where(boards.white_to_move, -boards.score(), boards.score())
        return [
            self._played(row, score)
            for row, score in zip(rows.tolist(), scores.tolist(), strict=True)
        ]

    def _ask(self, side: int, rows: NDArray[np.int64], wrong: dict[int, str]) -> NDArray[np.int64]:
        """Ask a player for its moves in some games; `wrong` gets the games in which it fails."""
        player = self.players[side]
        self.asked[rows, side] += 1
        if player.batched:
            began = time.perf_counter()
            try:
                return self._choose(player, rows)
            except OutflankError:
                pass  # ask again game by game, to find the one that failed
            finally:
                self.seconds[rows, side] += (time.perf_counter() - began) / len(rows)
        moves = np.full(len(rows), PASS, np.int64)
        for at in range(len(rows)):
            began = time.perf_counter()
            try:
                moves[at] = self._choose(player, rows[at : at + 1])[0]
            except OutflankError as error:
                wrong[int(rows[at])] = str(error)
            finally:
                self.seconds[rows[at], side] += time.perf_counter() - began
        return moves

    def _choose(self, player: Player, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        keys = keys_at_ply(self.keys[rows], self.games.ply)
        if player.needs_games:
            answer = np.asarray(player.choose_in_games([self._game(row) for row in rows], keys))
        else:
            answer = np.asarray(player.choose_many(self.games.boards_of(rows), keys))
        if answer.shape != (len(rows),) or answer.dtype.kind not in "iu":
            raise TypeError(
                f"{player}: must choose {len(rows)} moves as integers,"
                f" not {answer.dtype}{list(answer.shape)}"
            )
        return answer.astype(np.int64)

    def _game(self, row: int) -> Game:
        opening = self.fixtures[row].opening
        return Game(opening.start, (*opening.moves, *map(Move, self.games.moves_of(row))))

    def _played(self, row: int, score: int, reason: str = "") -> PlayedGame:
        black, white = int(self.black[row]), 1 - int(self.black[row])
        return PlayedGame(
            self.fixtures[row].number,
            self.games.moves_of(row),
            score,
            reason,
            float(self.seconds[row, black]),
            float(self.seconds[row, white]),
            int(self.asked[row, black]),
            int(self.asked[row, white]),
        )


def _count_empties(boards: Boards) -> NDArray[np.uint8]:
    empties: NDArray[np.uint8] = np.bitwise_count(~(boards.own | boards.other))
    return empties


def _are_legal(moves: NDArray[np.int64], legal: BitArray) -> NDArray[np.bool_]:
    """Return which moves are legal: squares, or passes where no square is legal."""
    on_board = (moves >= 0) & (moves < 64)
    bits = legal >> np.where(on_board, moves, 0).astype(np.uint64) & np.uint64(1)
    are_legal: NDArray[np.bool_] = np.where(on_board, bits != 0, (moves == PASS) & (legal == 0))
    return are_legal


def _why_illegal(board: Boards, move: int) -> str:
    (position,) = board
    try:
        position.play(move)
    except (IllegalMoveError, NotationError) as error:
        return str(error)
    raise AssertionError(f"{move} is legal in {position!r}")


def _forfeit(loser: int, black: int) -> int:
    """Return the score, from black's view, of a game that a player lost by an error."""
    return -FORFEIT if loser == black else FORFEIT
