"""mctx's muzero_policy over pgx's Othello, compiled; equal logits and values of zero, all cores.

Prints one JSON line: simulations a second of the fastest batch from the starting position, and
the version. Compilation is not measured.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import pgx
from benchmarks.peers.protocol import check, rate

ENV = pgx.make("othello")
SIMULATIONS = 100
BATCHES = (64, 256, 1024)
WORST = -1e9  # logit of a move that is not legal


def step(_params: Any, _key: Any, action: Any, states: Any) -> tuple[Any, Any]:
    """What follows the moves: the reward of whoever moved, and a value of zero."""
    mover = states.current_player
    after = jax.vmap(ENV.step)(states, action)
    reward = after.rewards[jnp.arange(len(action)), mover]
    return mctx.RecurrentFnOutput(
        reward=reward,
        discount=jnp.where(after.terminated, 0.0, -1.0),
        prior_logits=jnp.where(after.legal_action_mask, 0.0, WORST),
        value=jnp.zeros_like(reward),
    ), after


def compile_search(batch: int) -> Any:
    states = jax.jit(jax.vmap(ENV.init))(jax.random.split(jax.random.key(0), batch))

    def search(key: Any) -> Any:
        root = mctx.RootFnOutput(
            prior_logits=jnp.where(states.legal_action_mask, 0.0, WORST),
            value=jnp.zeros(batch),
            embedding=states,
        )
        output = mctx.muzero_policy(
            None,
            key,
            root,
            step,
            num_simulations=SIMULATIONS,
            invalid_actions=~states.legal_action_mask,
            dirichlet_fraction=0.0,
        )
        return output.search_tree.node_visits[:, 0]

    return jax.jit(search).lower(jax.random.key(1)).compile()


def main() -> None:
    best = 0.0
    for batch in BATCHES:
        program = compile_search(batch)

        def search(program: Any = program, batch: int = batch) -> int:
            visits = program(jax.random.key(1)).block_until_ready()
            check("visits of a root", int(visits[0]), SIMULATIONS + 1)
            return batch * SIMULATIONS

        search()
        best = max(best, rate(search, float(sys.argv[1])))
    print(json.dumps({"simulations": best, "version": version("mctx")}))


if __name__ == "__main__":
    main()
