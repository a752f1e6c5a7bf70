"""The line network once more, slowly, in PyTorch and in double precision.

It is written from docs/line-network.md: rows come from line_geometry.py, rules from reference.py,
gradients from autograd.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

import reference
from nets import line_geometry as geometry
from outflank._core import LineNetwork
from reference import Board

_GOLDEN = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class Uses:
    """Rows that one board looks up: table, row, where its vector is added, what may be dropped."""

    moves: list[int]
    empties: int
    for_squares: list[tuple[str, int, int, int]]  # ..., square, number of the line
    for_moves: list[tuple[str, int, int, int]]  # ..., place in moves, number of the pattern or -1


def look_at(board: Board, afterstates: bool) -> Uses:
    """All rows of one board."""
    moves = reference.legal_moves(board)
    empties = board.count(0)
    for_squares = []
    for number, (kind, squares) in enumerate(geometry.LINES):
        rows = geometry.line_rows(len(squares))[geometry.state_number(board, squares)]
        for square, row in zip(squares, rows.tolist(), strict=True):
            for_squares.append((f"line{kind}", row, square, number))
    for_moves = []
    regions = geometry.empty_regions(board)
    for place, move in enumerate(moves):
        facts = _facts_before(board, move, regions)
        if afterstates:
            facts |= _facts_after(board, move)
            for row in _pairs(board, move):
                for_moves.append(("pairs", row, place, -1))
            for kind, row, number in _patterns(board, move):
                for_moves.append((f"pattern{kind}", row, place, number))
        for name, value in facts.items():
            for_moves.append(("facts", geometry.fact_row(name, value, empties), place, -1))
    return Uses(moves, empties, for_squares, for_moves)


def _facts_before(board: Board, move: int, regions: list[set[int]]) -> dict[str, int]:
    odd = sum(len(region) % 2 for region in regions)
    even = len(regions) - odd
    own = next(len(region) for region in regions if move in region)
    return {
        "square": 4 * geometry.CLASS[move] + board.count(0) % 4,
        "region": own,
        "odd regions": 2 * min(odd, 7) + own % 2,
        "even regions": 2 * min(even, 7) + own % 2,
    }


def _facts_after(board: Board, move: int) -> dict[str, int]:
    after = reference.play(board, move)  # from the opponent's view
    again = reference.swap(after)
    replies, own_moves = reference.legal_moves(after), reference.legal_moves(again)

    def corners(squares: list[int]) -> int:
        return len(set(squares) & set(geometry.CORNERS))

    return {
        "replies": len(replies),
        "own moves": len(own_moves),
        "corners": 5 * corners(replies) + corners(own_moves),
        "flips": len(reference.flips(board, move)),
        "potential replies": len(reference.potential_mobility(after)),
        "potential moves": len(reference.potential_mobility(again)),
        "discs kept": min(
            [reference.play(after, reply).count(1) for reply in replies], default=again.count(1)
        ),
    }


def _pairs(board: Board, move: int) -> list[int]:
    after = reference.play(board, move)
    related = [
        reference.legal_moves(after),
        reference.legal_moves(reference.swap(after)),
        reference.flips(board, move),
    ]
    return [
        528 * kind + int(geometry.PAIR[move, square])
        for kind, squares in enumerate(related)
        for square in squares
    ]


def _patterns(board: Board, move: int) -> list[tuple[int, int, int]]:
    """(type, row, number) of all patterns after a move, still from the mover's view."""
    again = reference.swap(reference.play(board, move))
    return [
        (kind, int(geometry.pattern_rows(kind)[geometry.state_number(again, squares)]), number)
        for number, (kind, squares) in enumerate(geometry.PATTERNS)
    ]


@dataclass(frozen=True)
class Dropped:
    """What is left out of one position."""

    lines: NDArray[np.bool_]
    patterns: NDArray[np.bool_]
    channels: NDArray[np.bool_]  # (blocks + layers, the wider of channels and hidden)


@dataclass
class Shares:
    """Shares of dropout, and the trainer's seed."""

    lines: float = 0.0
    patterns: float = 0.0
    channels: float = 0.0
    seed: int = 0

    def draw(self, position: int, parts: int, width: int) -> Dropped:
        """Draw for one position of a run, numbered from its beginning."""
        seed = reference.splitmix((self.seed + _GOLDEN) % 2**64)
        state = reference.splitmix(
            reference.splitmix((seed + _GOLDEN) % 2**64) ^ (position + _GOLDEN) % 2**64
        )
        shares = [self.lines] * 46 + [self.patterns] * 50
        shares += [self.channels] * (parts * width if self.channels else 0)
        dropped = []
        for i, share in enumerate(shares):
            if i % 4 == 0:
                state = (state + _GOLDEN) % 2**64
                bits = reference.splitmix(state)
            dropped.append((bits >> 16 * (i % 4)) % 2**16 < int(np.float32(share) * 65536))
        lines, patterns, channels = np.split(np.array(dropped), [46, 96])
        if not self.channels:
            channels = np.zeros(parts * width, np.bool_)
        return Dropped(lines, patterns, channels.reshape(parts, width))


def _normalise(x: torch.Tensor) -> torch.Tensor:
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-6)


@dataclass
class LineTwin:
    """Computes what a LineNetwork computes, with its weights."""

    network: LineNetwork
    dropout: Shares = field(default_factory=Shares)
    weights: dict[str, torch.Tensor] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = {
            name: torch.tensor(array, dtype=torch.float64, requires_grad=True)
            for name, array in self.network.parameters().items()
        }

    def predict(
        self, boards: Sequence[Board], first_key: int = 0
    ) -> tuple[list[torch.Tensor], torch.Tensor, list[list[int]]]:
        """Logits of each board's legal moves, values of the boards, and these moves."""
        net, w = self.network, self.weights
        uses = [look_at(board, net.afterstates) for board in boards]
        width = max(net.channels, net.hidden)
        dropped = [
            self.dropout.draw(first_key + i, net.blocks + net.layers, width)
            for i in range(len(boards))
        ]
        x = self._squares(uses, dropped)
        kind = torch.tensor(geometry.CLASS)
        active = x
        for b in range(net.blocks):
            mixed = torch.einsum("nsc,scd->nsd", _normalise(x), w[f"block{b}.channel"][kind])
            active = torch.relu(mixed + w[f"block{b}.bias"][kind])
            active = active * self._kept(dropped, b, net.channels)[:, None]
            matrices = w[f"block{b}.squares"][:, torch.tensor(geometry.PAIR)]  # group, to, from
            groups = active.reshape(len(boards), 64, -1, 16)
            x = x + torch.einsum("gts,nsgc->ntgc", matrices, groups).reshape(x.shape)
        empties = torch.tensor([min(use.empties, 63) for use in uses])
        pooled = w["stage"][empties] + (w["pool"][kind] * active).sum(1) / 8
        context = torch.relu(pooled)
        hidden = torch.relu(context @ w["value.in"] + w["value.bias"])
        values = torch.tanh(hidden @ w["value.out"] + w["value.offset"])
        owner = [i for i, use in enumerate(uses) for _ in use.moves]
        square = [move for use in uses for move in use.moves]
        h = x[owner, square] + self._moves(uses, dropped)
        h = self._layers(h, context, torch.tensor(owner, dtype=torch.int64), dropped)
        of_move = kind[square]
        logits = (w["logit"][of_move] * h).sum(-1) + w["logit_bias"][of_move]
        counts = [len(use.moves) for use in uses]
        return list(torch.split(logits, counts)), values, [use.moves for use in uses]

    def _squares(self, uses: Sequence[Uses], dropped: Sequence[Dropped]) -> torch.Tensor:
        x = self.weights["class_bias"][torch.tensor(geometry.CLASS)].repeat(len(uses), 1)
        found = [
            (table, row, 64 * i + square)
            for i, use in enumerate(uses)
            for table, row, square, line in use.for_squares
            if not dropped[i].lines[line]
        ]
        x = x + self._looked_up(found, len(x)) / (1 - self.dropout.lines)
        return x.reshape(len(uses), 64, -1)

    def _moves(self, uses: Sequence[Uses], dropped: Sequence[Dropped]) -> torch.Tensor:
        first = np.cumsum([0, *(len(use.moves) for use in uses)])
        plain, patterns = [], []
        for i, use in enumerate(uses):
            for table, row, place, pattern in use.for_moves:
                if pattern < 0:
                    plain.append((table, row, int(first[i]) + place))
                elif not dropped[i].patterns[pattern]:
                    patterns.append((table, row, int(first[i]) + place))
        scale = 1 / (1 - self.dropout.patterns)
        size = int(first[-1])
        return self._looked_up(plain, size) + scale * self._looked_up(patterns, size)

    def _looked_up(self, uses: Sequence[tuple[str, int, int]], size: int) -> torch.Tensor:
        """The sums of rows at the places they are added to."""
        sums = torch.zeros((size, self.network.channels), dtype=torch.float64)
        for table in sorted({table for table, _, _ in uses}):
            rows, places = zip(*((row, to) for name, row, to in uses if name == table), strict=True)
            sums = sums.index_add(0, torch.tensor(places), self.weights[table][list(rows)])
        return sums

    def _kept(self, dropped: Sequence[Dropped], part: int, width: int) -> torch.Tensor:
        """Factors of the channels of each position: 0, or what makes up for those left out."""
        kept = torch.tensor(np.array([~one.channels[part, :width] for one in dropped]))
        return kept / (1 - self.dropout.channels)

    def _layers(
        self,
        h: torch.Tensor,
        context: torch.Tensor,
        owner: torch.Tensor,
        dropped: Sequence[Dropped],
    ) -> torch.Tensor:
        net, w = self.network, self.weights
        share = torch.nn.functional.one_hot(owner, len(dropped)).double().T  # position, move
        share = share / share.sum(1, keepdim=True).clamp(min=1)
        active = h
        for i in range(net.layers):
            common = context @ w[f"layer{i}.context"] + w[f"layer{i}.bias"]
            if i:
                common = common + (share @ active) @ w[f"layer{i}.others"]
            active = torch.relu(_normalise(h) @ w[f"layer{i}.in"] + common[owner])
            active = active * self._kept(dropped, net.blocks + i, net.hidden)[owner]
            h = h + active @ w[f"layer{i}.out"]
        return h

    def loss(
        self,
        boards: Sequence[Board],
        policy: NDArray[np.float32],
        value: NDArray[np.float32],
        weight: NDArray[np.float32],
        *,
        value_weight: float,
        square_logits: float,
        smoothing: float,
        first_key: int = 0,
    ) -> tuple[torch.Tensor, float, float]:
        """What training makes small, and the batch's means of its first and its last part."""
        logits, values, moves = self.predict(boards, first_key)
        policy_loss = torch.zeros((), dtype=torch.float64)
        squares = torch.zeros((), dtype=torch.float64)
        for i, scores in enumerate(logits):
            if len(moves[i]) < 2:  # there is nothing to choose
                continue
            target = torch.tensor(policy[i, moves[i]], dtype=torch.float64)
            target = (1 - smoothing) * target + smoothing / len(moves[i])
            total = torch.logsumexp(scores, 0)
            policy_loss = policy_loss + float(weight[i]) * (target * (total - scores)).sum()
            squares = squares + float(weight[i]) * total**2
        error = (values - torch.tensor(value, dtype=torch.float64)) ** 2
        value_loss = (torch.tensor(weight, dtype=torch.float64) * error).sum()
        whole = policy_loss + square_logits * squares + value_weight * value_loss
        n = len(boards)
        return whole / n, float(policy_loss.detach()) / n, float(value_loss.detach()) / n

    def gradients(self, loss: torch.Tensor) -> dict[str, NDArray[np.float64]]:
        """The gradient of the loss by every weight; zeros where it has no influence."""
        names = list(self.weights)
        found = torch.autograd.grad(loss, [self.weights[name] for name in names], allow_unused=True)
        return {
            name: np.zeros(self.weights[name].shape) if one is None else one.numpy()
            for name, one in zip(names, found, strict=True)
        }
