"""open_spiel: states of C++; playouts by its own evaluator, which never leaves C++.

RandomRolloutEvaluator can only be called by MCTSBot. A search of one simulation evaluates the
root itself, so it is the asked number of playouts from the starting position. One thread.
"""

from __future__ import annotations

from typing import Any

import pyspiel
from benchmarks.peers.protocol import PASS, Peer, Positions, check, check_perft, serve, squares

PERFT_DEPTH = 8
GAMES = 400
PLAYOUTS = 1000
EXPLORATION, SIMULATIONS, MEMORY_MB, SOLVE, SEED, VERBOSE = 1.0, 1, 100, False, 1, False


def perft(state: Any, depth: int) -> int:
    moves = state.legal_actions()
    if depth == 1:
        return len(moves)
    return sum([perft(state.child(move), depth - 1) for move in moves])


def states_of(game: Any, positions: Positions) -> list[Any]:
    """One state for each position, by replaying the games before the stopwatch starts."""
    states = []
    for begin, end in zip(positions.offsets[:-1], positions.offsets[1:], strict=True):
        state = game.new_initial_state()
        for move in positions.moves[begin:end].tolist():
            states.append(state.clone())
            state.apply_action(move)
    return states


def prepare(positions: Positions, seconds: float) -> Peer:
    game = pyspiel.load_game("othello")
    start = game.new_initial_state()
    check_perft(lambda depth: perft(start, depth), PERFT_DEPTH)
    sample = positions.first(GAMES)
    states = states_of(game, sample)
    for state, legal in zip(states, sample.legal.tolist(), strict=True):
        check("legal moves", state.legal_actions(), squares(legal) or [PASS])
    evaluator = pyspiel.RandomRolloutEvaluator(PLAYOUTS, SEED)
    bot = pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, SIMULATIONS, MEMORY_MB, SOLVE, SEED, VERBOSE
    )

    def playouts() -> int:
        root = bot.mcts_search(start)
        check("simulations", root.explore_count, SIMULATIONS)
        return PLAYOUTS

    def all_legal_moves() -> int:
        for state in states:
            state.legal_actions()
        return len(states)

    return Peer(
        packages=("open_spiel",),
        paths={
            "perft": f"State.child and legal_actions, depth {PERFT_DEPTH}",
            "playouts": f"RandomRolloutEvaluator through MCTSBot, {PLAYOUTS} playouts a call",
            "legal_moves": f"State.legal_actions, {len(states)} states",
        },
        work={
            "perft": lambda: perft(start, PERFT_DEPTH),
            "playouts": playouts,
            "legal_moves": all_legal_moves,
        },
    )


if __name__ == "__main__":
    serve(prepare)
