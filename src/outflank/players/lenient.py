"""A player with a handicap: it may give away a number of discs in a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outflank import _core
from outflank.chance import generator_of
from outflank.evaluations import Unit
from outflank.models import load_network
from outflank.nets import PolicyNetwork, legal_probabilities
from outflank.othello import PASS, Game, Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.registry import register
from outflank.players.search import AlphaBetaPlayer
from outflank.players.simple import Drawing

_AT_ONCE = 0.5  # share of what is left that one move may give away
_FLOOR = -24.0  # discs; it gives nothing away that would put it further behind
_DISCS_FOR_ONE = 6  # on the board, for each of which it keeps a disc, and one more
_JUDGE = "patterns"  # another judge finds other costs: the levels would have to be tuned anew
_SOLVE = 10  # empty squares from which costs are exact
_REMEMBERED = 4096  # positions


@register("lenient", "plays as people do, but gives away only a limited number of discs")
@dataclass
class LenientPlayer(Drawing, Player):
    """Draws moves as often as people play them, among those that do not cost too much.

    A search judges the cost of a move. Everything the player gave away in the game so far counts;
    one move may give away half of what is left of `discs`. Two rules keep it from collapsing. Once
    it is far behind it plays the best move that the search finds. And it does not let its discs
    dwindle to a handful, which the search would allow, because a player that only takes discs could
    then wipe it out.

    Args:
        discs: How many it may give away; 0 plays the best move that the search finds.
        name: Of the network that knows how people play.
        depth: Of the search.
        temperature: 1 plays as experts do; more varies more, as beginners do.
        seed: Of the draws; different each time if not given.
        once: Discs that one move may give away at most; if not given, only `discs` limits it.
    """

    discs: float = 20.0
    name: str = "imitation-fast"
    depth: int = 4
    temperature: float = 1.0
    seed: int | None = None
    once: float | None = None

    needs_games = True
    batched = False
    unit = Unit.DISCS
    gives_values = True

    def __post_init__(self) -> None:
        if not 0 <= self.discs <= 1000:
            raise ValueError(f"discs cannot be {self.discs:g}; from 0 to 1000")
        if not 0.1 <= self.temperature <= 10:
            raise ValueError(f"temperature cannot be {self.temperature:g}; from 0.1 to 10")
        if self.once is not None and not 0 <= self.once <= 1000:
            raise ValueError(f"once cannot be {self.once:g}; from 0 to 1000")
        self._judge, self._people  # noqa: B018  # a wrong name should fail now
        self._known: dict[Position, dict[Move, float]] = {}

    @cached_property
    def _judge(self) -> AlphaBetaPlayer:
        return AlphaBetaPlayer(eval=_JUDGE, depth=self.depth, solve=_SOLVE, memory=8)

    @cached_property
    def _people(self) -> PolicyNetwork:
        return load_network(self.name)

    @property
    def fingerprint(self) -> str:
        """The fingerprints of the network and of the evaluation that judges costs."""
        return f"{self._people.fingerprint}+{self._judge.fingerprint}"

    def costs(self, position: Position) -> dict[Move, float]:
        """Return how many discs each legal move gives away."""
        values = self._values(position)
        best = max(values.values())
        return {move: best - value for move, value in values.items()}

    def _values(self, position: Position) -> dict[Move, float]:
        """Return the value of each legal move, in discs, by a search."""
        if position not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[position] = {
                move: self._value_after(position.play(move)) for move in position.legal_moves
            }
        return self._known[position]

    def _value_after(self, position: Position) -> float:
        """Return the value of a position for the side that just moved, in discs."""
        if position.is_over:
            return float(-position.score)
        if position.must_pass:
            return -self._value_after(position.play(PASS))
        return -(self._judge.think(Game(position)).value or 0.0)

    def spent(self, game: Game) -> float:
        """Return how many discs the side to move gave away in a game so far."""
        side = game.position.turn
        pairs = zip(game.positions(), game.moves, strict=False)
        return sum(
            self.costs(position)[move]
            for position, move in pairs
            if position.turn is side and move != PASS
        )

    def affordable(self, game: Game) -> list[Move]:
        """Return the moves that it may play in a game: of the safe ones, those it can afford."""
        position = game.position
        costs, best = self.costs(position), max(self._values(position).values())
        left = max(0.0, self.discs - self.spent(game))
        most = min(_AT_ONCE * left, max(0.0, best - _FLOOR))
        if self.once is not None:
            most = min(most, self.once)
        kept = {move: discs_kept(position, move) for move, cost in costs.items() if cost <= left}
        enough = min(1 + position.discs // _DISCS_FOR_ONE, max(kept.values()))
        safe = [move for move, number in kept.items() if number >= enough]
        most = max(most, min(costs[move] for move in safe))
        return [move for move in safe if costs[move] <= most]

    def choose_in_games(self, games: Sequence[Game], keys: Keys | None = None) -> list[Move]:
        """Choose a move in each game."""
        boards = Boards.from_positions(game.position for game in games)
        return [
            self._choose(game, generator_of(int(key)).random())
            for game, key in zip(games, self._keys(boards, keys), strict=True)
        ]

    def _choose(self, game: Game, chance: float) -> Move:
        position = game.position
        if position.must_pass:
            return PASS
        moves = self.affordable(game)
        boards = Boards.from_positions([position])
        shares = legal_probabilities(boards, self._people.predict(boards))[0][moves]
        sums = np.cumsum((shares.astype(np.float64) + 1e-6) ** (1 / self.temperature))
        return moves[int(np.searchsorted(sums, chance * sums[-1], side="right"))]

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose a move for each board, each as a game that begins there."""
        return np.array(self.choose_in_games([Game(board) for board in boards], keys), np.uint8)

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Choose a move, with the search's values of all moves."""
        (move,) = self.choose_in_games([game])
        if move == PASS:
            return Thought(PASS)
        values = dict(self._values(game.position))
        return Thought(move, values[move], line=(move,), values=values, unit=self.unit)


def discs_kept(position: Position, move: Move) -> int:
    """Return how many discs the mover keeps after a move and the reply that takes the most."""
    after = position.play(move)
    takes = [len(after.flips(reply)) for reply in after.legal_moves if reply != PASS]
    return after.other.bit_count() - max(takes, default=0)
