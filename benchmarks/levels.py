"""Levels: how far apart they are, their Elo, and the time that they take.

`people` plays each named level against the one below and against players that only take discs.
`champion` plays each of the champion's levels against the one before, and rates all of them on the
lab's scale, where `random` has 0. Prints the tables of docs/champion.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from itertools import pairwise
from pathlib import Path
from statistics import mean

from outflank import Game
from outflank.arena import PairResult, Store, Tournament, TournamentRunner, find_openings
from outflank.arena.standings import ratings_beside
from outflank.lab import roster
from outflank.players import make_player
from outflank.players.champion import level
from outflank.players.levels import LEVELS

_WEAK = ("greedy", "alphabeta:eval=discs,depth=2", "random")
_WIPED_OUT = 64
_ANCHORS = ("alphabeta:eval=iago", "alphabeta:eval=patterns")  # rated players at depth 6
_TIMED = 2  # games in which moves are timed


def play(
    first: str, second: str, games: int, plies: int, seed: int, store: Store, workers: int | None
) -> tuple[PairResult, int]:
    """Play a match over random openings; return it and how often the first was wiped out."""
    openings = find_openings(f"random:{plies}", games // 2, seed=seed)
    tournament = Tournament((first, second), tuple(openings), games, seed)
    with TournamentRunner(tournament, store, workers=workers) as run:
        result = run.play().pairs[0]
        scores = store.scores(run.number).values()
        return result, sum(one.first_score == -_WIPED_OUT for pair in scores for one in pair)


def share(result: PairResult) -> str:
    low, high = result.interval
    return f"{result.winning_rate:.1%} ({low:.0%} to {high:.0%})"


def people(arguments: argparse.Namespace) -> None:
    with Store(":memory:") as store:
        options = arguments.games, arguments.plies, arguments.seed, store, arguments.workers
        print("| level | against the one below | wiped out by greedy / discs / random |")
        print("| --- | --: | --: |")
        names = list(LEVELS)
        for below, name in zip([None, *names], names, strict=False):
            spec = f"level:{name}"
            found = "-" if below is None else share(play(spec, f"level:{below}", *options)[0])
            lost = "-"
            if arguments.weak:
                rest = (arguments.weak, *options[1:])
                lost = " / ".join(str(play(spec, weak, *rest)[1]) for weak in _WEAK)
            print(f"| {name} | {found} | {lost} |", flush=True)


def seconds_a_move(spec: str, openings: list[Game]) -> float:
    """Return the mean processor time of a move, over whole games against itself."""
    times = []
    with make_player(spec) as player:
        for opening in openings:
            game = opening
            while not game.is_over:
                began = time.process_time()
                move = player.think(game).move
                times.append(time.process_time() - began)
                game = game.play(move)
    return mean(times)


def champion(arguments: argparse.Namespace) -> None:
    numbers = [int(one) for one in arguments.levels.split(",")]
    net = f"net={arguments.net}," if arguments.net else ""
    specs = {number: f"champion:{net}level={number},book=no" for number in numbers}
    rated = json.loads(Path(roster.__file__).with_name(roster.RATINGS).read_bytes())["players"]
    known = {one: rated[one]["elo"] for one in _ANCHORS}
    with Store(":memory:") as store:
        options = arguments.games, arguments.plies, arguments.seed, store, arguments.workers
        against = dict.fromkeys(numbers, "-")
        for below, number in pairwise(numbers):
            against[number] = share(play(specs[number], specs[below], *options)[0])
            print(f"level {number} against {below}: {against[number]}", file=sys.stderr)
        for number in numbers[:3]:  # the others are connected with them
            for anchor in _ANCHORS:
                play(specs[number], anchor, *options)
        elo = ratings_beside(store, known)
    openings = find_openings(f"random:{arguments.plies}", _TIMED, seed=arguments.seed)
    print("| level | depth | perfect from | against the one before | Elo | ms a move |")
    print("| --: | --: | --: | --: | --: | --: |")
    for number in numbers:
        budget, one = level(number), elo[specs[number]]
        print(
            f"| {number} | {budget.depth} | {budget.solve} | {against[number]} | "
            f"{one.elo:.0f} ({one.low:.0f} to {one.high:.0f}) | "
            f"{1000 * seconds_a_move(specs[number], openings):.2f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=("people", "champion"))
    parser.add_argument("--games", type=int, default=200, help="in each match")
    parser.add_argument("--weak", type=int, default=0, help="games against each weak player")
    parser.add_argument("--plies", type=int, default=8, help="random plies of the openings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, help="processes; default: all cores")
    parser.add_argument("--net", help="the champion's evaluation, if not the shipped one")
    parser.add_argument("--levels", default="1,2,3,4,5,6,7,8,10,12", help="of the champion")
    arguments = parser.parse_args()
    (people if arguments.which == "people" else champion)(arguments)


if __name__ == "__main__":
    main()
