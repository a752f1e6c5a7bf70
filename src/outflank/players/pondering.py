"""What players that search share: one way to think, and thinking on the opponent's time."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable
from functools import partial

from outflank import _core
from outflank.othello import WHITE, Game, Position
from outflank.players.player import OnThought, Player, Thought, refuse_finished

_DEEPEST = 120  # plies; no game is longer
LONGEST_PONDERING = 60.0  # seconds; nobody should pay for an opponent who went away


class SearchingPlayer(Player):
    """A player over a `_core.Searcher`, with the options `threads` and `ponder`."""

    ponder: bool
    threads: int
    _pondering: Pondering | None = None

    @property
    @abstractmethod
    def pondered(self) -> _core.Searcher:
        """The search whose table is filled on the opponent's time."""

    @abstractmethod
    def _consider(
        self,
        position: Position,
        lines: int,
        stop: _core.Stop | None,
        on_thought: OnThought | None,
    ) -> Thought:
        """Think about a position that is not over, and rank `lines` moves."""

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Search one position; `on_thought` is called after each depth."""
        return self._consider(game.position, 1, stop, on_thought)

    def rank_moves(
        self,
        game: Game,
        count: int,
        *,
        stop: _core.Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought:
        """Search for the best `count` moves; the solver still finds only one."""
        refuse_finished(game)
        return self._consider(game.position, count, stop, on_thought)

    def think_ahead(self, position: Position, stop: _core.Stop) -> None:
        """Search a position of the opponent's until stopped; what is found is remembered."""
        self.pondered.search(
            *position.bits,
            position.turn is WHITE,
            depth=_DEEPEST,
            seconds=LONGEST_PONDERING,
            threads=self.threads,
            stop=stop,
        )

    def start_pondering(self, position: Position) -> None:
        """With `ponder`, think on the opponent's time: about the replies, until asked to choose."""
        self.stop_pondering()
        if self.ponder and position.legal_squares:
            self._pondering = Pondering(partial(self.think_ahead, position))

    def stop_pondering(self) -> None:
        """End thinking on the opponent's time; what was found stays in memory."""
        if self._pondering is not None:
            self._pondering.end()
            self._pondering = None

    def close(self) -> None:
        """End thinking on the opponent's time."""
        self.stop_pondering()


class Pondering:
    """A search in the background, over the opponent's moves, that fills the player's memory.

    Args:
        search: Searches until the stop that it is given is set.
    """

    def __init__(self, search: Callable[[_core.Stop], None]) -> None:
        self._stop = _core.Stop()
        self._thread = threading.Thread(
            target=search, args=(self._stop,), daemon=True, name="pondering"
        )
        self._thread.start()

    def end(self) -> None:
        """Stop the search, and wait until it has stopped."""
        self._stop.set()
        self._thread.join()
