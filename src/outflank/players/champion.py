"""The champion: selective search over its learned evaluation, then the exact solver."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from outflank import _core
from outflank.errors import SpecError
from outflank.evaluations import Unit, fingerprint_of
from outflank.evaluations.champion import (
    ENDINGS,
    KIND,
    PROBCUT,
    champion_facts,
    champion_regressions,
    load_champion,
)
from outflank.evaluations.learned import learned_path
from outflank.files import located, needed
from outflank.fingerprints import fingerprint
from outflank.nets.files import kind_of
from outflank.othello import PASS, WHITE, Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.book import BookMoves, book_file, load_book
from outflank.players.duration import Seconds
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.pondering import SearchingPlayer
from outflank.players.registry import register

_DEEPEST = 60
# How sure the ending is made, step by step, in standard deviations: 73%, 91%, 99%; 0 is certain.
_SURENESS = (1.1, 1.7, 2.6, 0.0)

# A limit of time: when to look at the end, and for how long to look at the middlegame first.
_SOLVED_IN_A_SECOND = 21.0  # empty squares, about, with one thread
_EMPTIES_OF_A_DOUBLING = 0.85  # what twice the time adds
_SELECTIVE_EARLIER = 2  # empty squares before that, from which endings are searched selectively
_MIDGAME_SHARE = 0.2  # of the time, before the ending is tried
_MIDGAME_DEPTH = 10

_LEVELS = 20
_LONGEST_SOLUTION = 22  # empty squares that a level solves; more would take minutes
_LONGEST_ESTIMATE = 26  # empty squares up to which calibrations measure end-cuts
_ALMOST = 1.7  # deviations at which a level prunes endings: 91% sure


@dataclass(frozen=True)
class Level:
    """How strong a level plays.

    Attributes:
        depth: Plies of the midgame search.
        solve: Empty squares from which it plays perfectly.
        almost: Empty squares from which it searches to the end, pruning what is almost certain.
    """

    depth: int
    solve: int
    almost: int


def level(number: int) -> Level:
    """Return a level, 1 to 20."""
    if not 1 <= number <= _LEVELS:
        raise ValueError(f"level must be 1..{_LEVELS}")
    solve = min(2 * number, number + 8, _LONGEST_SOLUTION)
    return Level(number, solve, min(solve + number // 4, _LONGEST_ESTIMATE))


@register("champion", "the strongest player: a selective search over its own evaluation")
@dataclass
class ChampionPlayer(SearchingPlayer):
    """The strongest player. Give it time, a depth or a level; without any, it has level 10.

    Args:
        net: Its evaluation: a shipped one, a run's folder, or a file.
        time: Time for one move. It is used up, unless the game is solved or there is one move.
        depth: Plies.
        level: 1 to 20: plies, and empty squares from which it plays perfectly or almost so.
        selectivity: Standard deviations at which probcut prunes; 0: never.
        threads: 0 for all cores.
        memory: Megabytes of each transposition table.
        ponder: Think on the opponent's time.
        book: Play the first moves from an opening book: yes (the one beside the evaluation's file,
            if there is one), no, or a book's file.
    """

    net: str = "champion"
    time: Seconds | None = None
    depth: int | None = None
    level: int | None = None
    selectivity: float = 1.5
    threads: int = 1
    memory: int = 64
    ponder: bool = False
    book: str = "yes"

    stoppable = True
    gives_values = True
    unit = Unit.DISCS

    def __post_init__(self) -> None:
        given = [name for name in ("time", "depth", "level") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"{' and '.join(given)} exclude each other")
        if not given:
            self.level = 10
        if self.time is not None and self.time <= 0:
            raise ValueError("time must be positive")
        if self.memory <= 0:
            raise ValueError("memory must be positive")
        if self.selectivity < 0:
            raise ValueError("selectivity must not be negative")
        if self.depth is not None:
            if not 1 <= self.depth <= _DEEPEST:
                raise ValueError(f"depth must be 1..{_DEEPEST}")
            self._level = Level(self.depth, self.depth, self.depth)
        elif self.level is not None:
            self._level = level(self.level)
        # A wrong name should fail now, and making the tables should not take a move's time.
        self._searcher, self._solver, self._book  # noqa: B018
        self.guides_endings = len(self._sureness) > 1

    @cached_property
    def _path(self) -> Path:
        path = learned_path(self.net)
        if not path.is_file():
            raise SpecError(
                f"net: no evaluation called {self.net!r}; give a file or a run's folder"
            )
        if kind_of(path) != KIND:
            raise SpecError(f"net: {self.net} is not an evaluation of the champion's form")
        return path

    @cached_property
    def _evaluation(self) -> _core.ChampionEvaluation:
        return load_champion(self._path)

    @cached_property
    def _searcher(self) -> _core.Searcher:
        searcher = _core.Searcher(self._evaluation, self.memory, "discs")
        measured = champion_regressions(self._path, PROBCUT)
        if measured:
            searcher.set_selectivity(self.selectivity, measured)
        return searcher

    @cached_property
    def _solver(self) -> _core.Solver:
        return self.make_solver(self.memory)

    def make_solver(self, megabytes: int) -> _core.Solver:
        """Return a solver that the evaluation guides."""
        solver = _core.Solver(megabytes)
        solver.set_guide(
            self._evaluation,
            self.selectivity,
            champion_regressions(self._path, PROBCUT),
            champion_regressions(self._path, ENDINGS),
        )
        return solver

    @cached_property
    def _book(self) -> BookMoves | None:
        if self.book == "no":
            return None
        path = book_file(self._path) if self.book == "yes" else located(self.book)
        if self.book == "yes" and not path.is_file():
            return None
        return load_book(needed(path))

    @cached_property
    def _sureness(self) -> tuple[float, ...]:
        """The steps in which endings are searched; only the last without a calibration."""
        return _SURENESS if champion_regressions(self._path, ENDINGS) else _SURENESS[-1:]

    @property
    def batched(self) -> bool:
        """No: boards are given to several processes."""
        return False

    @property
    def pondered(self) -> _core.Searcher:
        """The search over the evaluation."""
        return self._searcher

    @property
    def fingerprint(self) -> str:
        """Of the evaluation and its calibration, and of the book, if it plays from one."""
        facts = champion_facts(self._path)
        measured = json.dumps([facts.get(name) for name in (PROBCUT, ENDINGS)])
        known = fingerprint(fingerprint_of(str(self._path)), measured)
        return f"{known}+{self._book.fingerprint}" if self._book else known

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Search each board."""
        moves = [self._consider(position, 1, None, None).move for position in boards]
        return np.array(moves, np.uint8)

    def _consider(
        self,
        position: Position,
        lines: int,
        stop: _core.Stop | None,
        on_thought: OnThought | None,
    ) -> Thought:
        """Pass, or search within the limits."""
        self.stop_pondering()
        if position.must_pass:
            return Thought(PASS)
        known = self._book.find(position) if self._book else None
        if known:
            move, value = next(iter(known.items()))
            return Thought(move, value, line=(move,), values=known, unit=self.unit)
        if self.time is not None:
            return self._use_time(position, self.time, lines, stop, on_thought)
        if position.empties <= self._level.solve:
            return self._end(position, None, stop, None)
        if position.empties <= self._level.almost and self.guides_endings:
            return self._end(position, None, stop, None, _ALMOST)
        return self._search(position, self._level.depth, 0.0, lines, stop, on_thought)

    def _use_time(
        self,
        position: Position,
        seconds: float,
        lines: int,
        stop: _core.Stop | None,
        on_thought: OnThought | None,
    ) -> Thought:
        """Search for a time: the middlegame or, after a look at it, the ending."""
        deadline = time.perf_counter() + seconds
        only = position.legal_squares.bit_count() == 1
        solvable = (
            _SOLVED_IN_A_SECOND
            + _EMPTIES_OF_A_DOUBLING * math.log2(seconds * self._cores())
            + (_SELECTIVE_EARLIER if len(self._sureness) > 1 else 0)
        )
        if position.empties > solvable:
            depth = _MIDGAME_DEPTH if only else _DEEPEST
            return self._search(position, depth, seconds, lines, stop, on_thought)
        first = self._search(
            position, _MIDGAME_DEPTH, _MIDGAME_SHARE * seconds, lines, stop, on_thought
        )
        if only or (stop is not None and stop.is_set):
            return first
        return self._end(position, deadline, stop, first)

    def _cores(self) -> int:
        return self.threads or _core.available_threads()

    def _search(
        self,
        position: Position,
        depth: int,
        seconds: float,
        lines: int,
        stop: _core.Stop | None,
        on_thought: OnThought | None,
    ) -> Thought:
        report = self._searcher.search(
            *position.bits,
            position.turn is WHITE,
            depth=min(depth, position.empties),
            seconds=seconds,
            threads=self.threads,
            lines=lines,
            stop=stop,
            on_depth=None if on_thought is None else lambda one: on_thought(self._thought(one)),
        )
        return self._thought(report)

    def _thought(self, report: _core.SearchReport) -> Thought:
        units = self._evaluation.units
        line = tuple(map(Move, report.lines[0].moves))
        return Thought(
            line[0],
            report.lines[0].value / units,
            report.depth,
            report.nodes,
            report.seconds,
            line=line,
            values={Move(one.moves[0]): one.value / units for one in report.lines},
            unit=self.unit,
        )

    def _end(
        self,
        position: Position,
        deadline: float | None,
        stop: _core.Stop | None,
        known: Thought | None,
        sure: float = 0.0,
    ) -> Thought:
        """Search to the end of the game, pruning less and less, until it is solved or time is up.

        Args:
            position: Near the end of the game.
            deadline: On the clock of time.perf_counter; None: one search, without a limit.
            stop: Ends it from another thread.
            known: The answer if time is up before there is a better one.
            sure: Deviations at which it prunes without a deadline; 0: not at all.
        """
        best, nodes = known, known.nodes or 0 if known else 0
        for deviations in self._sureness if deadline is not None else (sure,):
            left = 0.0 if deadline is None else deadline - time.perf_counter()
            if deadline is not None and left <= 0:
                break
            solution = self._solver.solve(
                *position.bits,
                threads=self.threads,
                stop=stop,
                seconds=left,
                deviations=deviations,
            )
            nodes += solution.nodes
            if not solution.complete:
                break
            line = tuple(map(Move, solution.line))
            best = Thought(
                Move(solution.best),
                float(solution.score),
                position.empties,
                exact=deviations == 0,
                line=line or (Move(solution.best),),
                unit=self.unit,
            )
        if best is None:  # stopped before anything was found
            return self._search(position, 4, 0.0, 1, None, None)
        return replace(best, nodes=nodes)

    def after_move(self) -> Player:
        """Look one ply less far, if it is a number of plies that ends the search."""
        if self.depth is not None and self.depth > 1:
            return replace(self, depth=self.depth - 1)
        return self
