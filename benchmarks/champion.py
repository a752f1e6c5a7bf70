"""The champion's speed and errors, beside the evaluation by patterns, in one run.

Seconds are of the processor, so that a busy machine changes them less. Positions to solve are
those of the FFO suite; errors are measured on games that the evaluation did not learn from.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine

from outflank import Game, Position, _core, records
from outflank.arena import random_openings
from outflank.data import extract_examples, parse_years
from outflank.data.example_folder import open_examples
from outflank.evaluations import evaluation
from outflank.evaluations.champion import ENDINGS, PROBCUT, champion_regressions
from outflank.evaluations.learned import learned_path
from outflank.othello import WHITE
from outflank.players import make_player

Solved = dict[int, tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.float64]]]

_DEVIATIONS = 1.5
_EMPTIES = {12: 600, 14: 300, 16: 400, 18: 200, 20: 200}  # and how many positions are solved
_CHOSEN = (14, 16, 18, 20)  # where the best moves of shallow searches are compared with exact ones
# Where solving takes too long: how many positions, and the depth of the champion's own search that
# replaces the exact score. These errors flatter the champion a little.
_DEEP = {24: (100, 18), 36: (100, 16)}


def nodes_a_second(found: _core.Evaluation, games: list[Game], depth: int) -> float:
    """Return million nodes a second of a full search, in the middlegame."""
    searcher = _core.Searcher(found, 64, "discs")
    nodes, began = 0, time.process_time()
    for game in games:
        position = game.position
        nodes += searcher.search(*position.bits, position.turn is WHITE, depth=depth).nodes
    return nodes / (time.process_time() - began) / 1e6


def milliseconds_a_move(spec: str, games: list[Game]) -> float:
    """Return the processor's time for a move, over whole games against itself."""
    player = make_player(spec)
    times: list[float] = []
    for game in games:
        while not game.position.is_over:
            began = time.process_time()
            thought = player.think(game)
            if not game.position.must_pass:
                times.append(time.process_time() - began)
            game = game.play(thought.move)
    return 1000 * mean(times)


def share_of_time(spec: str, seconds: float, games: list[Game]) -> float:
    """Return the share of a limit that is used, where nothing is solved and there is a choice."""
    player = make_player(spec)
    shares = []
    for game in games:
        for _ in range(30):
            choices = game.position.legal_squares.bit_count()
            thought = player.think(game)
            if choices > 1 and not thought.exact:
                shares.append(thought.seconds / seconds)
            game = game.play(thought.move)
    return mean(shares)


def solve_all(
    make: Callable[[], _core.Solver], games: list[Game], threads: int
) -> tuple[float, float, float]:
    """Return seconds, the processor's seconds, and million nodes."""
    wall = processor = nodes = 0.0
    for game in games:
        solver = make()
        began, used = time.perf_counter(), time.process_time()
        nodes += solver.solve(*game.start.bits, threads=threads).nodes
        wall += time.perf_counter() - began
        processor += time.process_time() - used
    return wall, processor, nodes / 1e6


def errors(found: _core.Evaluation, boards: Solved) -> list[list[float]]:
    """Return mean absolute errors in discs: static, depth 1, depth 3; by empty squares."""
    searcher = _core.Searcher(found, 16, "discs")
    rows = []
    for depth in (0, 1, 3):
        rows.append(
            [
                float(
                    np.abs(
                        searcher.value_many(own, other, np.zeros(len(own), np.bool_), depth)
                        / found.units
                        - scores
                    ).mean()
                )
                for own, other, scores in boards.values()
            ]
        )
    return rows


def agreement(found: _core.Evaluation, boards: Solved, solver: _core.Solver) -> float:
    """Return how often the best move at depth 1 is a best move, by the exact solver."""
    searcher = _core.Searcher(found, 16, "discs")
    right = []
    for empties in _CHOSEN:
        for mine, theirs, score in zip(*(one.tolist() for one in boards[empties]), strict=True):
            move = searcher.search(mine, theirs, False, depth=1).lines[0].moves[0]
            after = Position.from_bits(mine, theirs).play(move)
            right.append(-solver.solve(*after.bits).score == score)
    return float(mean(right))


def drawn_positions(
    wthor: Path, years: str, counts: dict[int, int], truth: Callable[[int, int], float]
) -> Solved:
    """Return boards of games with their scores by `truth`, by empty squares."""
    made = extract_examples(wthor=wthor, years=parse_years(years))
    examples = open_examples(made.folder, "original")
    draw = np.random.default_rng(1)
    boards: Solved = {}
    for empties, count in counts.items():
        there = np.flatnonzero(examples.ply == 60 - empties)
        chosen = np.sort(draw.permutation(there)[:count])
        own, other = examples.own[chosen], examples.other[chosen]
        scores = [
            truth(mine, theirs) for mine, theirs in zip(own.tolist(), other.tolist(), strict=True)
        ]
        boards[empties] = own, other, np.array(scores, np.float64)
    return boards


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", help="the champion's evaluation: a file, or a run's folder")
    parser.add_argument("--ffo", type=Path, help="fforum-40-59.obf")
    parser.add_argument("--last", type=int, default=44, help="last number of the FFO suite")
    parser.add_argument("--wthor", type=Path, help="folder of .wtb files, for the errors")
    parser.add_argument("--years", default="2019-2020", help="of games not learned from")
    parser.add_argument("--games", type=int, default=4, help="games to time")
    arguments = parser.parse_args()
    path = learned_path(arguments.net)
    champion, patterns = evaluation(str(path)), evaluation("patterns")
    assert isinstance(champion, _core.ChampionEvaluation)
    console = Console()
    console.print(machine.describe())
    games = random_openings(11, arguments.games, seed=1)

    table = Table("", "champion", "patterns")
    table.add_row(
        "million nodes/s, depth 10 from move 11",
        *(f"{nodes_a_second(one, games, 10):.2f}" for one in (champion, patterns)),
    )
    net = f"champion:net={path}"
    table.add_row(
        "ms a move at depth 8, whole games",
        f"{milliseconds_a_move(f'{net},depth=8', games):.2f}",
        f"{milliseconds_a_move('alphabeta:eval=patterns,depth=8', games):.2f}",
    )
    searcher = _core.Searcher(champion, 256, "discs")
    searcher.set_selectivity(_DEVIATIONS, champion_regressions(path, PROBCUT))
    deep = []
    for game in games:
        began = time.process_time()
        searcher.search(*game.position.bits, game.position.turn is WHITE, depth=16)
        deep.append(time.process_time() - began)
    table.add_row("s for depth 16, selective, from move 11", f"{mean(deep):.2f}", "-")
    table.add_row(
        "share of 0.1 s that is used",
        f"{share_of_time(f'{net},time=0.1s', 0.1, games[:2]):.0%}",
        f"{share_of_time('alphabeta:eval=patterns,time=0.1s', 0.1, games[:2]):.0%}",
    )
    console.print(table)

    def guided() -> _core.Solver:
        solver = _core.Solver(256)
        measured = (champion_regressions(path, name) for name in (PROBCUT, ENDINGS))
        solver.set_guide(champion, _DEVIATIONS, *measured)
        return solver

    if arguments.ffo:
        suite = list(records.read(arguments.ffo))[: arguments.last - 39]
        table = Table("FFO 40 to " + str(arguments.last), "s", "processor s", "million nodes")
        for name, make, threads in (
            ("guided by the champion", guided, 1),
            ("without a guide", lambda: _core.Solver(256), 1),
            ("guided, two threads", guided, 2),
        ):
            figures = solve_all(make, suite, threads)
            table.add_row(name, *(f"{figure:.1f}" for figure in figures))
        console.print(table)
    if arguments.wthor:
        solver = guided()
        reference = _core.Searcher(champion, 256, "discs")
        reference.set_selectivity(_DEVIATIONS, champion_regressions(path, PROBCUT))

        def searched(own: int, other: int) -> float:
            _, depth = _DEEP[64 - (own | other).bit_count()]
            return reference.search(own, other, False, depth=depth).lines[0].value / champion.units

        solved = drawn_positions(
            arguments.wthor,
            arguments.years,
            _EMPTIES,
            lambda own, other: float(solver.solve(own, other).score),
        )
        counts = {empties: count for empties, (count, _) in _DEEP.items()}
        boards = solved | drawn_positions(arguments.wthor, arguments.years, counts, searched)
        titles = [
            f"{n} empty" + (f", against depth {_DEEP[n][1]}" if n in _DEEP else "") for n in boards
        ]
        table = Table(f"error in discs, {arguments.years}", *titles)
        for name, one in (("champion", champion), ("patterns", patterns)):
            for depth, row in zip(
                ("static", "depth 1", "depth 3"), errors(one, boards), strict=True
            ):
                table.add_row(f"{name}, {depth}", *(f"{figure:.2f}" for figure in row))
        console.print(table)
        for name, one in (("champion", champion), ("patterns", patterns)):
            rate = agreement(one, boards, solver)
            console.print(
                f"{name}: best move at depth 1 is a best move in {rate:.1%}, 14 to 20 empty"
            )


if __name__ == "__main__":
    main()
