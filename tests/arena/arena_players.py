"""Players whose games are known. Worker processes import them by this module's name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from outflank.errors import OutflankError
from outflank.othello import Game, Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players import Keys, Player, make_player

# Black takes everything with the ninth move.
WIPE_OUT = "f5d6c5f4e3f6g5e6e7"

# Black plays c1, c3 and c5 in any order, white can only pass, and black wins by 64.
WHITE_NEVER_MOVES = Position.from_string(("XO------" + "-" * 8) * 3 + "-" * 16, "black")

# Black's only move, c1, ends the game with three discs each.
DRAWN = Position.from_string("XO------" + "-" * 32 + "-------O" * 3, "black")


@dataclass
class Steady(Player):
    """Plays one move in one position, far from always the first legal one; needs no chance."""

    asked: list[int] = field(default_factory=list)  # sizes of the batches

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        self.asked.append(len(boards))
        legal = boards.legal_mask()
        wanted = (boards.own ^ boards.other >> np.uint64(7)) % np.uint64(61)
        number = wanted % legal.sum(axis=1).astype(np.uint64)
        moves = np.argmax(legal.cumsum(axis=1) == number[:, None] + 1, axis=1)
        return np.asarray(moves, np.uint8)


@dataclass
class OneByOne(Steady):
    """As Steady, but gains nothing by batches."""

    batched = False


@dataclass
class Chancy(OneByOne):
    """Plays at random by its keys, one board at a time."""

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        self.asked.append(len(boards))
        return make_player("random").choose_many(boards, keys)


@dataclass
class Scripted(Player):
    """Plays the game of a transcript, whichever side it has; looks at how the game went."""

    transcript: str = WIPE_OUT
    needs_games = True

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        raise AssertionError("it needs games")

    def choose_in_games(self, games: Sequence[Game], keys: Keys | None = None) -> list[Move]:
        script = Game.from_transcript(self.transcript).moves
        return [script[len(game)] for game in games]


@dataclass
class Failing(Steady):
    """Fails, or plays an illegal move, where the mover has so many discs."""

    discs: int = 10
    answer: int | None = None

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        moves = super().choose_many(boards, keys)
        bad = np.bitwise_count(boards.own) == self.discs
        if self.answer is None:
            if bad.any():
                raise OutflankError("the engine is gone")
            return moves
        return np.where(bad, self.answer, moves.astype(np.int16))


@dataclass
class Mortal(OneByOne):
    """Kills its process the first time that it is asked, if the file named MORTAL is there."""

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        try:
            os.unlink(os.environ["MORTAL"])
        except FileNotFoundError:
            return super().choose_many(boards, keys)
        os.kill(os.getpid(), 9)
        raise AssertionError


def make(spec: str) -> Player:
    """Make one of these players, or one that everybody knows."""
    kind, _, option = spec.partition(":")
    if kind == "illegal":
        return Failing(answer=int(option or 0))
    known: dict[str, Player] = {
        "steady": Steady(),
        "one-by-one": OneByOne(),
        "chancy": Chancy(),
        "mortal": Mortal(),
        "failing": Failing(),
    }
    return known[kind] if kind in known else make_player(spec)


@dataclass
class Pondering(OneByOne):
    """As OneByOne; notes when it thinks on the opponent's time, and about what."""

    events: list[Position | str] = field(default_factory=list)

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        self.events.append("choose")
        return super().choose_many(boards, keys)

    def start_pondering(self, position: Position) -> None:
        self.events.append(position)

    def stop_pondering(self) -> None:
        self.events.append("stop")
