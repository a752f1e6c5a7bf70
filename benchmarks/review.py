"""Do reviews mark the moves that lose? Checks them against the exact solver.

Reviews finished games that no evaluation learned from. The truth is the exact loss of every move
made with 16 to 22 empty squares. The bar: of the moves that lose at least 4 discs, at least 90% are
marked, and of the marked moves at most 5% lose less than 2. A move is marked if its review says
that it lost at least 4 discs; the lab shows ? or ?? then.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from outflank import Game, _core, records
from outflank.othello import PASS
from outflank.players import Player, make_player
from outflank.players.analysis import REVIEWER, exact_from, review_game

EARLIEST, LATEST = 22, 16  # empty squares of the moves that are judged
LOSES, HARMLESS = 4.0, 2.0  # discs
CAUGHT, FALSE = 0.90, 0.05  # the bar


@dataclass
class Tally:
    """What reviews said of moves whose losses are known."""

    losing: int = 0
    caught: int = 0
    marked: int = 0
    harmless: int = 0
    jumps: list[float] = field(default_factory=list)

    def add(self, loss: float, truth: float) -> None:
        """Count a move: the loss that its review gives, and what it really lost."""
        marked = loss >= LOSES
        self.losing += truth >= LOSES
        self.caught += marked and truth >= LOSES
        self.marked += marked
        self.harmless += marked and truth < HARMLESS


def finished_games(folder: Path, years: str, count: int, seed: int) -> list[Game]:
    """Draw finished games of some years from WThor files."""
    first, _, last = years.partition("-")
    games: list[Game] = []
    for year in range(int(first), int(last or first) + 1):
        for path in sorted(folder.rglob(f"*{year}*.[wW][tT][bB]")):
            games += [game for game in records.read(path) if game.is_over and len(game) > 40]
    if not games:
        sys.exit(f"{folder}: no finished games of {years}")
    chosen = np.random.default_rng(seed).permutation(len(games))[:count]
    return [games[number] for number in sorted(chosen.tolist())]


def true_losses(game: Game, solver: _core.Solver, threads: int) -> dict[int, float]:
    """Return what moves lost under perfect play, by ply, where it is judged.

    A move's value is the score of the position after it, solved on its own, so it does not depend
    on how reviews propagate values.
    """
    losses = {}
    for ply, (position, move) in enumerate(zip(game.positions(), game.moves, strict=False), 1):
        if LATEST <= position.empties <= EARLIEST and move != PASS:
            best = solver.solve(*position.bits, threads=threads).score
            reply = position.play(move)
            played = -solver.solve(*reply.bits, threads=threads).score
            losses[ply] = float(best - played)
    return losses


def judge(game: Game, critic: Player, options: argparse.Namespace, tally: Tally) -> None:
    """Review a game and count its moves."""
    solver = critic.make_solver(256)
    truth = true_losses(game, solver, options.threads)
    before = None
    reviews = review_game(game, critic, solve_from=options.solve_from, threads=options.threads)
    for one in reviews:
        if one.ply in truth and one.loss is not None:
            tally.add(one.loss, truth[one.ply])
        if before is not None and before.value is not None and one.best_value is not None:
            tally.jumps.append(abs(before.value + one.best_value))
        before = one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wthor", type=Path, required=True, help="folder of .wtb files")
    parser.add_argument("--years", default="2019-2020")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--player", default=REVIEWER, help="who reviews")
    parser.add_argument("--threads", type=int, default=0, help="of the solver; 0: all cores")
    parser.add_argument("--solve-from", type=int, help="default: as reviews do")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.solve_from is None:
        options.solve_from = exact_from(options.threads)
    tally, began = Tally(), time.perf_counter()
    games = finished_games(options.wthor, options.years, options.games, options.seed)
    with make_player(options.player) as critic:
        for number, game in enumerate(games, 1):
            judge(game, critic, options, tally)
            print(f"\r{number} games", end="", file=sys.stderr, flush=True)
    caught = tally.caught / max(tally.losing, 1)
    harmless = tally.harmless / max(tally.marked, 1)
    print(
        f"\n{len(games)} games of {options.years}, reviewed by {options.player}, "
        f"exact from {options.solve_from} empty squares, {time.perf_counter() - began:.0f} s"
    )
    print(
        f"of {tally.losing} moves that lose at least {LOSES:g} discs, {caught:.1%} are marked "
        f"(bar: {CAUGHT:.0%})"
    )
    print(
        f"of {tally.marked} marked moves, {harmless:.1%} lose less than {HARMLESS:g} discs "
        f"(bar: {FALSE:.0%})"
    )
    print(f"greatest jump that no loss explains: {max(tally.jumps, default=0):.1f} discs, "
          f"mean {np.mean(tally.jumps or [0]):.2f}")  # fmt: skip
    sys.exit(0 if caught >= CAUGHT and harmless <= FALSE else 1)


if __name__ == "__main__":
    main()
