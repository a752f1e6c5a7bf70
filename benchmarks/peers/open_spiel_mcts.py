"""open_spiel's MCTSBot with one random playout a simulation: all of it C++, one thread.

Prints one JSON line: simulations a second from the starting position, and the version.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version

import pyspiel
from benchmarks.peers.protocol import check, rate

SIMULATIONS = 2000
EXPLORATION, PLAYOUTS, MEMORY_MB, SOLVE, SEED, VERBOSE = 1.0, 1, 1000, False, 1, False


def main() -> None:
    game = pyspiel.load_game("othello")
    start = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(PLAYOUTS, SEED)
    bot = pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, SIMULATIONS, MEMORY_MB, SOLVE, SEED, VERBOSE
    )

    def search() -> int:
        root = bot.mcts_search(start)
        check("simulations", root.explore_count, SIMULATIONS)
        return SIMULATIONS

    search()
    figure = rate(search, float(sys.argv[1]))
    print(json.dumps({"simulations": figure, "version": version("open_spiel")}))


if __name__ == "__main__":
    main()
