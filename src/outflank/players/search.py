"""Players that search: alpha-beta over an evaluation, and the papers' plain minimax."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from outflank import _core
from outflank.evaluations import Unit, evaluation, fingerprint_of, unit_of
from outflank.evaluations.units import shown_value
from outflank.models import load_network
from outflank.nets import PolicyNetwork
from outflank.othello import PASS, WHITE, Game, Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.duration import Seconds
from outflank.players.network_search import MoveChooser, NetworkSearch
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.pondering import LONGEST_PONDERING, SearchingPlayer
from outflank.players.probcut import regressions_for
from outflank.players.registry import register

# How deep a search goes at most; no game is longer.
_DEEPEST = 120
_AT_LEAST = 4  # plies that are searched if the solver is stopped
_USUAL_EVALUATION, _USUAL_DEPTH, _USUAL_NETWORK_DEPTH = "iago", 6, 3
_FOR_THE_SOLVER = 0.6  # of the time; if that is too short, a search has the rest


@register("minimax", "looks a fixed number of plies ahead without any pruning")
@dataclass
class MinimaxPlayer(Player):
    """Plain minimax to a fixed depth. Among equal moves it takes the first square, from a1 on.

    Args:
        eval: Name of an evaluation.
        depth: Plies; a pass is a ply.
        ends: Value of a finished game: its `score` (beyond every evaluation), or the
            evaluation's value (`evaluate`).
    """

    eval: str = "discs"
    depth: int = 2
    ends: str = "score"

    gives_values = True

    def __post_init__(self) -> None:
        _check_depth(self.depth)
        self._searcher  # noqa: B018  # a wrong name should fail now, not at the first move
        self.unit = unit_of(self._evaluation)

    @cached_property
    def _evaluation(self) -> _core.Evaluation:
        return evaluation(self.eval)

    @cached_property
    def _searcher(self) -> _core.Searcher:
        return _core.Searcher(self._evaluation, 1, self.ends)

    @property
    def batched(self) -> bool:
        """Whether batches are searched in one call; deeper searches go to several processes."""
        return self.depth <= 1

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the evaluation."""
        return fingerprint_of(self.eval)

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Search each board."""
        moves = [self._minimax(position)[1] for position in boards]
        return np.array(moves, np.uint8)

    def _minimax(self, position: Position) -> tuple[int, int, int]:
        return self._searcher.minimax(*position.bits, position.turn is WHITE, self.depth)

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Search one position."""
        value, move, nodes = self._minimax(game.position)
        shown, exact = shown_value(value, self._evaluation.units)
        return Thought(Move(move), shown, self.depth, nodes, exact=exact, unit=self.unit)

    def after_move(self) -> Player:
        """Look one ply less far."""
        return replace(self, depth=self.depth - 1) if self.depth > 1 else self


@register("alphabeta", "searches with alpha-beta over an evaluation or a network")
@dataclass
class AlphaBetaPlayer(SearchingPlayer):
    """Iterative deepening over an evaluation or a network, with the exact solver for the end.

    Args:
        eval: Name of an evaluation; iago if neither this nor `net` is given.
        net: A network with a value head, used instead of an evaluation: a shipped network's name,
            a run's folder, or a file. Its values are expected results. Without a limit, the depth
            is 3, or 6 for networks that run in the core.
        depth: Plies. The first limit reached of depth, nodes and time ends the search. Without a
            limit, the depth is 6.
        nodes: Positions to look at.
        time: Time for one move.
        solve: Empty squares from which the endgame is solved exactly, if time suffices. Default:
            16 without a depth, 0 (never) with one.
        ends: As for minimax.
        selectivity: Standard deviations at which probcut prunes (1.5 is usual; 0: never). Only
            for evaluations that were calibrated for it.
        threads: Of the search or of the networks; 0 for all cores. Networks that PyTorch runs have
            its own number.
        memory: Megabytes of the transposition table.
        ponder: Think on the opponent's time.
        filter: A network that scores moves; only its likeliest moves are searched. Only with a
            `net` that does not run in the core.
        window: How many moves `filter` keeps.
    """

    eval: str | None = None
    net: str | None = None
    depth: int | None = None
    nodes: int | None = None
    time: Seconds | None = None
    solve: int | None = None
    ends: str = "score"
    selectivity: float = 0.0
    threads: int = 1
    memory: int = 64
    ponder: bool = False
    filter: str | None = None
    window: int = 4

    stoppable = True
    gives_values = True

    def __post_init__(self) -> None:
        if self.net is not None:
            self._check_network_options()
        elif self.eval is None:
            self.eval = _USUAL_EVALUATION
        if self.depth is None and self.nodes is None and self.time is None:
            self.depth = _USUAL_DEPTH if self._network is None else _USUAL_NETWORK_DEPTH
        if self.depth is not None:
            _check_depth(self.depth)
        for name in ("nodes", "time", "memory"):
            given = getattr(self, name)
            if given is not None and given <= 0:
                raise ValueError(f"{name} must be positive")
        if self.solve is None:
            self.solve = 16 if self.depth is None else 0
        # A wrong name or option should fail now, not at the first move.
        self.unit = unit_of(self._evaluation) if self.net is None else Unit.RESULT
        if self._network is None:
            self._searcher  # noqa: B018
        self.needs_games = self._network is not None and self._network.network.rotated

    def _check_network_options(self) -> None:
        """Refuse what a search over a network cannot do."""
        if self.eval is not None:
            raise ValueError("eval and net exclude each other")
        if self.selectivity:
            raise ValueError("selectivity cannot be given with net")
        if self._network is None:
            if self.filter is not None:
                raise ValueError(f"filter cannot be given with {self.net}, which runs in the core")
        elif self.nodes:
            raise ValueError("nodes cannot be given with net, which is limited by depth or time")

    @property
    def pondered(self) -> _core.Searcher:
        """The search over the evaluation; there is none over a network."""
        return self._searcher

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the evaluation or of the network."""
        if self._loaded is not None:
            return self._loaded.fingerprint
        return fingerprint_of(self.eval or _USUAL_EVALUATION)

    @cached_property
    def _loaded(self) -> PolicyNetwork | None:
        """The network, if there is one: it has values, and they are numbers."""
        if self.net is None:
            return None
        network = load_network(self.net, threads=self.threads)
        values = network.predict(Boards.start(1)).values
        if values is None:
            raise ValueError(
                f"net cannot be {self.net}: the network has no value head to search over"
            )
        if not np.isfinite(values).all():
            raise ValueError(f"net cannot be {self.net}: its values are no numbers")
        return network

    @cached_property
    def _evaluation(self) -> _core.Evaluation:
        if self._loaded is not None and self._loaded.evaluation is not None:
            return self._loaded.evaluation
        return evaluation(self.eval or _USUAL_EVALUATION)

    @cached_property
    def _searcher(self) -> _core.Searcher:
        searcher = _core.Searcher(self._evaluation, self.memory, self.ends)
        if self.selectivity > 0:
            regressions = regressions_for(self.eval or _USUAL_EVALUATION)
            searcher.set_selectivity(self.selectivity, regressions)
        return searcher

    @cached_property
    def _network(self) -> NetworkSearch | None:
        """The search over a network that does not run in the core."""
        if self._loaded is None or self._loaded.evaluation is not None:
            return None
        if not 1 <= self.window <= 64:
            raise ValueError("window must be 1..64")
        chooser = None
        if self.filter is not None:
            chooser = MoveChooser(self.filter, self.window, threads=self.threads)
        return NetworkSearch(self._loaded, self.ends, chooser)

    @cached_property
    def _solver(self) -> _core.Solver:
        return _core.Solver(self.memory)

    @property
    def batched(self) -> bool:
        """Whether a batch is searched on all cores at once: not by time, nor with the solver."""
        alone = self.threads == 1 and self._network is None and not self.ponder
        return alone and self.time is None and not self.solve

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Search each board, several at once if the limit is not time."""
        self._follow(None)
        return self._choose(boards)

    def choose_in_games(self, games: Sequence[Game], keys: Keys | None = None) -> list[Move]:
        """Choose a move in each game, one by one if its first move turns the boards."""
        if not self.needs_games:
            return super().choose_in_games(games, keys)
        moves = []
        for game in games:
            self._follow(game)
            move = Move(int(self._choose(Boards.from_positions([game.position]))[0]))
            self._follow(game.play(move))
            moves.append(move)
        return moves

    def _follow(self, game: Game | None) -> None:
        """Prepare for a game, whose first move may turn the boards; None: for no game."""
        self.stop_pondering()
        if self._network is not None:
            self._network.follow(game)

    def _choose(self, boards: Boards) -> MoveArray:
        """Search each board; choose_many and choose_in_games have prepared for it."""
        plain = self.time is None and not self.solve and not self.ponder
        if self._network is not None and self.depth and plain:
            return self._network.choose_many(boards, self.depth)
        if not self.batched:
            moves = [self._consider(position, 1, None, None).move for position in boards]
            return np.array(moves, np.uint8)
        return self._searcher.search_many(
            boards.own,
            boards.other,
            boards.white_to_move,
            depth=self.depth or _DEEPEST,
            nodes=self.nodes or 0,
        )

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Search one position; what is pondered next belongs to the same game."""
        self._follow(game)
        thought = super()._think(game, stop, on_thought)
        if self.needs_games:
            self._follow(game.play(thought.move))
        return thought

    def rank_moves(
        self,
        game: Game,
        count: int,
        *,
        stop: _core.Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought:
        """Search for the best `count` moves; the solver still finds only one."""
        self._follow(game)
        return super().rank_moves(game, count, stop=stop, on_thought=on_thought)

    def after_move(self) -> Player:
        """Look one ply less far, if it is a number of plies that ends the search."""
        depth = self.depth or 0
        return replace(self, depth=depth - 1) if depth > 1 else self

    def _consider(
        self,
        position: Position,
        lines: int,
        stop: _core.Stop | None,
        on_thought: OnThought | None,
    ) -> Thought:
        """Pass, solve or search."""
        self.stop_pondering()
        if position.must_pass:
            return Thought(PASS)
        if position.empties <= (self.solve or 0):
            return self._solve(position, stop)
        if self._network is not None:
            return self._network.think(
                position,
                self.depth,
                seconds=self.time,
                lines=lines,
                stop=stop,
                on_thought=on_thought,
            )
        report = self._searcher.search(
            *position.bits,
            position.turn is WHITE,
            depth=self.depth or _DEEPEST,
            nodes=self.nodes or 0,
            seconds=self.time or 0.0,
            threads=self.threads,
            lines=lines,
            stop=stop,
            on_depth=None
            if on_thought is None
            else lambda so_far: on_thought(self._thought(so_far)),
        )
        return self._thought(report)

    def _thought(self, report: _core.SearchReport) -> Thought:
        """Turn a report into a thought; values in another unit than the best one's are left out."""
        shown = [self._shown(line.value) for line in report.lines]
        value, exact = shown[0]
        values = {
            Move(line.moves[0]): one
            for line, (one, decided) in zip(report.lines, shown, strict=True)
            if decided is exact or self.unit is Unit.DISCS
        }
        line = tuple(map(Move, report.lines[0].moves))
        return Thought(
            line[0],
            value,
            report.depth,
            report.nodes,
            report.seconds,
            exact,
            line,
            values,
            unit=self.unit,
        )

    def _shown(self, value: int) -> tuple[float, bool]:
        """Turn a value into one for people; a network's becomes the expected result."""
        shown, exact = shown_value(value, self._evaluation.units)
        return (shown if exact or self.net is None else math.tanh(shown)), exact

    def _solve(self, position: Position, stop: _core.Stop | None) -> Thought:
        began = time.perf_counter()
        solution = self._solver.solve(
            *position.bits,
            threads=self.threads,
            stop=stop,
            seconds=_FOR_THE_SOLVER * (self.time or 0.0),
        )
        if not solution.complete:  # a searched move is better than an arbitrary one
            thought = self._search_instead(position, stop, time.perf_counter() - began)
            return replace(thought, seconds=time.perf_counter() - began)
        return Thought(
            Move(solution.best),
            float(solution.score),
            position.empties,
            solution.nodes,
            time.perf_counter() - began,
            exact=True,
            line=tuple(map(Move, solution.line)),
        )

    def _search_instead(self, position: Position, stop: _core.Stop | None, spent: float) -> Thought:
        """Search instead of solving: briefly if stopped, otherwise for the rest of the time."""
        if self._network is not None:
            left = None if self.time is None else max(1e-3, self.time - spent)
            return self._network.think(position, self.depth, seconds=left, stop=stop)
        at_once = stop is not None and stop.is_set
        report = self._searcher.search(
            *position.bits,
            position.turn is WHITE,
            depth=min(_AT_LEAST if at_once else _DEEPEST, self.depth or _DEEPEST),
            seconds=0.0 if at_once else max(1e-3, (self.time or 0.0) - spent),
            threads=self.threads,
            stop=None if at_once else stop,
        )
        return self._thought(report)

    def think_ahead(self, position: Position, stop: _core.Stop) -> None:
        """Search the opponent's position, over the network if it is asked from Python."""
        if self._network is not None:
            self._network.think(position, seconds=LONGEST_PONDERING, stop=stop)
        else:
            super().think_ahead(position, stop)


def _check_depth(depth: int) -> None:
    if not 1 <= depth <= 60:
        raise ValueError("depth must be 1..60")
