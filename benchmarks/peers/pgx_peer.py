"""pgx: Othello in JAX, compiled for the processor, many games in one call.

Compilation is not measured. XLA alone leaves a core partly idle, so the calls are also tried
from one Python thread for each core, and several batch sizes: the fastest of all is measured.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import pgx
from benchmarks.peers.protocol import (
    PASS,
    Boards,
    Peer,
    Positions,
    check,
    check_perft,
    rate,
    serve,
)

ENV = pgx.make("othello")
CORES = len(os.sched_getaffinity(0))
POOL = ThreadPoolExecutor(CORES)

PERFT_DEPTH = 9  # the shortest games have 9 moves; a finished game of pgx has every move legal
PERFT_CHUNK = 8192
PLAYOUT_BATCHES = (512, 1024, 4096)
LEGAL_BATCHES = (4096, 16384, 65536)


def play_all(states: Any, parent: Any, move: Any) -> Any:
    """The states after one move each of the states with these indices."""
    return jax.vmap(ENV.step)(jax.tree_util.tree_map(lambda part: part[parent], states), move)


def count_grandchildren(states: Any, parent: Any, move: Any, used: Any) -> Any:
    """Legal moves, a pass being one, after the first `used` of these moves, added up."""
    legal = play_all(states, parent, move).legal_action_mask.sum(axis=1)
    return jnp.where(jnp.arange(PERFT_CHUNK) < used, legal, 0).sum()


fast_play_all = jax.jit(play_all)
fast_count_grandchildren = jax.jit(count_grandchildren)


def perft_below(states: Any, legal: npt.NDArray[np.bool_], depth: int) -> int:
    """Breadth first in chunks of one shape, so that two programs are compiled for all depths."""
    if depth == 1:
        return int(legal.sum())
    parents, moves = np.nonzero(legal)
    total = 0
    for begin in range(0, len(parents), PERFT_CHUNK):
        used = min(PERFT_CHUNK, len(parents) - begin)
        parent, move = np.zeros((2, PERFT_CHUNK), dtype=np.int32)
        parent[:used] = parents[begin : begin + used]
        move[:used] = moves[begin : begin + used]
        if depth == 2:
            total += int(fast_count_grandchildren(states, parent, move, used))
        else:
            below = fast_play_all(states, parent, move)
            below_legal = np.array(below.legal_action_mask)
            below_legal[used:] = False
            total += perft_below(below, below_legal, depth - 1)
    return total


@cache
def first_chunk() -> Any:
    """The starting position in every place of a chunk."""
    return jax.jit(jax.vmap(ENV.init))(jax.random.split(jax.random.key(0), PERFT_CHUNK))


def perft(depth: int) -> int:
    start = first_chunk()
    legal = np.array(start.legal_action_mask)
    legal[1:] = False
    return perft_below(start, legal, depth)


def random_moves(key: Any, legal: Any) -> Any:
    """One of the legal moves of each state, all equally likely."""
    rank = jnp.cumsum(legal.astype(jnp.int8), axis=1, dtype=jnp.int8)
    wanted = (jax.random.uniform(key, (len(legal),)) * rank[:, -1]).astype(jnp.int8)
    wanted = jnp.minimum(wanted, rank[:, -1] - 1)  # a product may be rounded up
    return (rank <= wanted[:, None]).sum(axis=1)


def compile_playouts(games: int) -> Callable[[Any], Any]:
    """A program that plays so many games side by side until the last is over."""

    def go_on(carried: tuple[Any, Any, Any]) -> Any:
        return ~carried[0].terminated.all()

    def one_ply(carried: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        states, rewards, key = carried
        key, choice = jax.random.split(key)
        moves = random_moves(choice, states.legal_action_mask)
        states = jax.vmap(ENV.step)(states, moves)
        return states, rewards + states.rewards, key  # given once, when a game ends

    def playouts(key: Any) -> Any:
        first, key = jax.random.split(key)
        states = jax.vmap(ENV.init)(jax.random.split(first, games))
        _, rewards, _ = jax.lax.while_loop(go_on, one_ply, (states, states.rewards, key))
        return rewards

    program: Callable[[Any], Any] = jax.jit(playouts).lower(new_key(0)).compile()
    check("most games are won", bool((program(new_key(1)) != 0).mean() > 0.9), True)
    return program


def new_key(seed: int) -> Any:
    return jax.random.key(seed, impl="unsafe_rbg")


def legal_after_pass(board: Any) -> Any:
    """Legal moves of one board, 1 for the mover's discs, -1 for the other's.

    pgx finds legal moves only when it plays a move: here the opponent's pass, of which the
    compiler keeps no more than the legal moves need.
    """
    start = ENV.init(jax.random.key(0))
    state = start.replace(
        _x=start._x._replace(board=-board, turn=jnp.int32(1)),
        legal_action_mask=jnp.ones(65, dtype=jnp.bool_),
    )
    return ENV.step(state, jnp.int32(PASS)).legal_action_mask[:64]


def compile_legal_moves(boards: int) -> Callable[[Any], Any]:
    shape = jax.ShapeDtypeStruct((boards, 64), jnp.int32)
    program: Callable[[Any], Any] = jax.jit(jax.vmap(legal_after_pass)).lower(shape).compile()
    return program


def bits_to_cells(bits: Boards) -> npt.NDArray[np.int32]:
    """(boards,) bitboards to (boards, 64) zeros and ones."""
    cells = np.unpackbits(bits.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    return cells.astype(np.int32)


def run_on(threads: int, call: Callable[[Any], Any], arguments: list[Any]) -> None:
    """Calls for each argument, from so many threads, and waits until all are done."""
    if threads == 1:
        jax.block_until_ready([call(argument) for argument in arguments])
    else:
        list(POOL.map(lambda argument: jax.block_until_ready(call(argument)), arguments))


def playout_works() -> Iterator[tuple[str, Callable[[], int]]]:
    """The ways to play out, each with its name."""
    seeds = count(2)
    for games in PLAYOUT_BATCHES:
        program = compile_playouts(games)
        for threads in (1, CORES):

            def work(games: int = games, threads: int = threads, program: Any = program) -> int:
                run_on(threads, program, [new_key(next(seeds)) for _ in range(threads)])
                return games * threads

            yield f"vmap of step in while_loop, {games} games x {threads} threads", work


def legal_works(positions: Positions) -> Iterator[tuple[str, Callable[[], int]]]:
    """The ways to find legal moves, each with its name."""
    cells = bits_to_cells(positions.own) - bits_to_cells(positions.other)
    legal = bits_to_cells(positions.legal).astype(bool)
    for size in LEGAL_BATCHES:
        whole = len(cells) - len(cells) % size
        batches = [jnp.asarray(cells[begin : begin + size]) for begin in range(0, whole, size)]
        program = compile_legal_moves(size)
        found = np.concatenate([np.asarray(program(batch)) for batch in batches])
        check("legal moves", np.array_equal(found, legal[:whole]), True)
        for threads in (1, CORES):

            def work(
                whole: int = whole,
                threads: int = threads,
                program: Any = program,
                batches: list[Any] = batches,
            ) -> int:
                run_on(threads, program, batches)
                return whole

            yield f"vmap of a passing step, {size} boards x {threads} threads", work


def fastest(
    works: Iterator[tuple[str, Callable[[], int]]], seconds: float
) -> tuple[str, Callable[[], int]]:
    return max(works, key=lambda named: rate(named[1], seconds))


def prepare(positions: Positions, seconds: float) -> Peer:
    check_perft(perft, PERFT_DEPTH)
    playout_path, playouts = fastest(playout_works(), seconds / 2)
    legal_path, legal_moves = fastest(legal_works(positions), seconds / 2)
    return Peer(
        packages=("pgx", "jax", "jaxlib"),
        paths={
            "perft": f"vmap of step by ply, {PERFT_CHUNK} states at once, depth {PERFT_DEPTH}",
            "playouts": playout_path,
            "legal_moves": legal_path,
        },
        work={
            "perft": lambda: perft(PERFT_DEPTH),
            "playouts": playouts,
            "legal_moves": legal_moves,
        },
    )


if __name__ == "__main__":
    serve(prepare)
