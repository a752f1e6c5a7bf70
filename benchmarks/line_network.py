"""How fast the line network answers and learns, beside paper 1's Conv8 with normalisation.

Positions a second on all cores, in one run: boards of random games in batches of 8192 and of 256
(the paper's) and alone, by the shipped networks and by untrained ones; training in batches of 512.
Conv8+BN runs in ONNX Runtime; without the extra `train` it is left out.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from outflank import _core
from outflank._core import LineNetwork, LineTrainer
from outflank.models import load_network, shipped_networks
from outflank.nets import Card, OnnxPolicy, PolicyNetwork
from outflank.nets.line import LinePolicy
from outflank.othello.boards import Boards


def random_boards(count: int) -> Boards:
    """Boards of random games, at all stages, with a move to make."""
    boards = Boards.start(count)
    own, other = [], []
    for ply in range(54):
        boards = boards[~boards.is_over()]
        kept = boards[ply % 54 :: 54]
        kept = kept[kept.legal_moves() != 0]
        own.append(kept.own)
        other.append(kept.other)
        boards = boards.play(_core.random_moves(boards.own, boards.other, ply))
    joined = np.concatenate(own), np.concatenate(other)
    order = np.random.default_rng(1).permutation(len(joined[0]))
    return Boards(joined[0][order], joined[1][order], np.zeros(len(order), np.bool_))


def rate(work: Callable[[int], int], seconds: float) -> float:
    """Positions a second of work(i), which returns how many it did, after one to warm up."""
    work(0)
    began, done, i = time.perf_counter(), 0, 1
    while (spent := time.perf_counter() - began) < seconds:
        done += work(i)
        i += 1
    return done / spent


def answers(network: PolicyNetwork, boards: Boards, batch: int, seconds: float) -> float:
    def work(i: int) -> int:
        at = i * batch % (len(boards) - batch)
        network.predict(boards[at : at + batch])
        return batch

    return rate(work, seconds)


def learns(network: LineNetwork, boards: Boards, seconds: float) -> float:
    trainer = LineTrainer(network)
    moves = _core.random_moves(boards.own, boards.other, 1)
    value = np.zeros(512, np.float32)

    def work(i: int) -> int:
        at = i * 512 % (len(boards) - 512)
        part = boards[at : at + 512]
        trainer.step(
            part.own, part.other, move=moves[at : at + 512], value=value, rates=(1e-3, 1e-2, 2e-3)
        )
        return 512

    return rate(work, seconds)


def conv8() -> OnnxPolicy | None:
    try:
        from outflank.nets import build
        from outflank.nets.torch.export import export_onnx
    except ModuleNotFoundError:
        return None
    path = Path(tempfile.mkdtemp()) / "conv8-bn.onnx"
    export_onnx(path, build("conv8-bn"), Card("conv8-bn", "pieces"))
    return OnnxPolicy(path)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    seconds = options.parse_args().seconds
    boards = random_boards(20_000)
    print(f"{'network':<28}{8192:>10}{256:>10}{1:>10}{'learning':>10}   positions/s")
    base = 0.0
    if slow := conv8():
        base = show("conv8-bn (ONNX Runtime)", slow, boards, seconds)
    for name, model in shipped_networks().items():
        show(name, load_network(model.path), boards, seconds, base)
    shapes = {
        "line, 1 block": (1, True),
        "line, 2 blocks": (2, True),
        "line-0ply, 3 blocks": (3, False),
    }
    for name, (blocks, after) in shapes.items():
        line = LineNetwork(blocks=blocks, afterstates=after)
        show(name, LinePolicy(line, Card("line", "pieces")), boards, seconds, base, line)


def show(
    name: str,
    network: PolicyNetwork,
    boards: Boards,
    seconds: float,
    base: float = 0.0,
    line: LineNetwork | None = None,
) -> float:
    """Print a network's figures; return that of batches of 256."""
    rates = [answers(network, boards, batch, seconds) for batch in (8192, 256, 1)]
    learning = f"{learns(line, boards, seconds):,.0f}" if line else ""
    times = f"   {rates[1] / base:.0f} times conv8-bn at 256" if base else ""
    print(f"{name:<28}" + "".join(f"{one:>10,.0f}" for one in rates) + f"{learning:>10}{times}")
    return rates[1]


if __name__ == "__main__":
    main()
