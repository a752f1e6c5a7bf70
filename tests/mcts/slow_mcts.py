"""Monte Carlo tree search, slowly: objects for nodes, lists for boards, one formula a line.

Follows Fu and Xu's Algorithm 1, with what the core adds to it: virtual loss, noise, forced
playouts and Gumbel's sequential halving at the root, a solver at the leaves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import reference
from reference import Board, splitmix

PASS = 64
GOLDEN = 0x9E3779B97F4A7C15

# From (own, other), as bits, to 64 logits and a value from the mover's view.
Evaluate = Callable[[int, int], tuple[list[float], float]]


@dataclass
class Options:
    """The options of the core's MctsOptions, under the same names."""

    selection: str = "puct"
    exploration: float = 1.5
    first_play: str = "mean"
    fpu_reduction: float = 0.1
    leaves: int = 1
    virtual_loss: float = 1.0
    solve_empties: int = 0
    wipe_outs: bool = False
    noise_alpha: float = 0.3
    noise_share: float = 0.0
    forced_playouts: float = 0.0
    gumbel_moves: int = 0
    gumbel_visit: float = 50.0
    gumbel_scale: float = 1.0
    gumbel_noise: float = 1.0
    canonical: bool = True


@dataclass
class Edge:
    move: int
    prior: float
    visits: int = 0
    total: float = 0.0
    pending: int = 0
    child: Node | None = None

    @property
    def begun(self) -> int:
        return self.visits + self.pending

    @property
    def mean(self) -> float:
        return self.total / self.visits


@dataclass
class Node:
    board: Board
    value: float | None = None  # exact, or what the evaluator said
    final: bool = False  # over or solved
    waiting: bool = False
    edges: list[Edge] = field(default_factory=list)
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits

    @property
    def edge_visits(self) -> int:
        return sum(edge.begun for edge in self.edges)


class Random:
    """The core's random numbers: SplitMix64, of a seed and a stream."""

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.state = splitmix(splitmix((seed + GOLDEN) % 2**64) ^ (stream + GOLDEN) % 2**64)

    def next(self) -> int:
        self.state = (self.state + GOLDEN) % 2**64
        return splitmix(self.state)

    def uniform(self) -> float:
        return ((self.next() >> 11) + 0.5) * 2.0**-53

    def gumbel(self) -> float:
        return -math.log(-math.log(self.uniform()))

    def gamma(self, shape: float) -> float:
        d = (shape + 1 if shape < 1 else shape) - 1 / 3
        while True:
            square = 0.0
            while not 0 < square < 1:
                x, y = 2 * self.uniform() - 1, 2 * self.uniform() - 1
                square = x * x + y * y
            normal = x * math.sqrt(-2 * math.log(square) / square)
            root = 1 + normal / (3 * math.sqrt(d))
            if root <= 0:
                continue
            cube = root**3
            if math.log(self.uniform()) < normal**2 / 2 + d - d * cube + d * math.log(cube):
                return d * cube * (self.uniform() ** (1 / shape) if shape < 1 else 1)


def key_of(seed: int, stream: int) -> int:
    """The key of a tree of a forest."""
    return splitmix(splitmix((seed + GOLDEN) % 2**64) ^ stream)


def sign(score: float) -> int:
    return (score > 0) - (score < 0)


def solve(board: Board) -> int:
    """The final score under perfect play, by plain minimax."""
    if reference.is_over(board):
        return reference.final_score(board)
    moves = reference.legal_moves(board)
    if not moves:
        return -solve(reference.swap(board))
    return max(-solve(reference.play(board, move)) for move in moves)


def halving(moves: int, simulations: int) -> list[int]:
    """How many visits the move has that each simulation of sequential halving takes."""
    order: list[int] = []
    visits = [0] * moves
    left = moves
    rounds = max(1, math.ceil(math.log2(moves)))
    while len(order) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            order += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(min(moves, 2), left // 2)
    return order[:simulations]


class SlowTree:
    """One tree, searched as the core searches it."""

    def __init__(self, board: Board, evaluate: Evaluate, options: Options, key: int = 0) -> None:
        self.evaluate, self.options, self.key = evaluate, options, key
        self.root = self.make_node(board)
        self.evaluations = 0

    def make_node(self, board: Board) -> Node:
        if reference.is_over(board):
            return Node(board, sign(reference.final_score(board)), final=True)
        if board.count(0) <= self.options.solve_empties:
            return Node(board, sign(solve(board)), final=True)
        if self.options.wipe_outs and any(
            1 not in reference.play(board, move) for move in reference.legal_moves(board)
        ):
            return Node(board, 1, final=True)
        if not reference.legal_moves(board):
            return Node(board, edges=[Edge(PASS, 1.0)])
        return Node(board)

    def image(self, board: Board) -> tuple[Board, int]:
        if not self.options.canonical:
            return board, 0
        symmetry = reference.canonical(board)[2]
        return reference.image(board, symmetry), symmetry

    def expand(self, node: Node) -> None:
        """Ask the evaluator; edges are in the order of the evaluated image's squares."""
        image, symmetry = self.image(node.board)
        logits, value = self.evaluate(*reference.bits(image))
        self.evaluations += 1
        squares = reference.legal_moves(image)
        highest = max(logits[square] for square in squares)
        shares = [math.exp(logits[square] - highest) for square in squares]
        back = {reference.image_of_square(move, symmetry): move for move in range(64)}
        node.edges = [
            Edge(back[square], float(np.float32(share / sum(shares))))
            for square, share in zip(squares, shares, strict=True)
        ]
        if self.options.selection == "uct":
            turn = reference.hash64(image) % len(squares)
            node.edges = node.edges[turn:] + node.edges[:turn]
        node.value = node.total = value
        node.visits = 1
        node.waiting = False

    def search(self, simulations: int) -> None:
        if self.root.value is None and not self.root.edges:
            self.expand(self.root)
        if self.root.final:
            return
        self.simulations = simulations
        self.prepare_root()
        done = 0
        while done < simulations:
            # One round: leaves are selected one after the other, then all are evaluated.
            paths: list[list[tuple[Node, Edge]]] = []
            while len(paths) < self.options.leaves and done + len(paths) < simulations:
                path, leaf = self.select(done + len(paths))
                if leaf.final:
                    leaf.visits += 1
                    assert leaf.value is not None
                    self.back_up(path, leaf.value)
                    done += 1
                elif leaf.waiting:
                    for _, edge in path:
                        edge.pending -= 1
                    break
                else:
                    leaf.waiting = True
                    paths.append(path)
            for path in paths:
                leaf = path[-1][1].child or self.root
                self.expand(leaf)
                assert leaf.value is not None
                self.back_up(path, leaf.value)
            done += len(paths)

    def select(self, begun: int) -> tuple[list[tuple[Node, Edge]], Node]:
        path: list[tuple[Node, Edge]] = []
        node = self.root
        while node.edges and not node.final:
            edge = self.root_edge(begun) if node is self.root else self.choose(node)
            edge.pending += 1
            path.append((node, edge))
            if edge.child is None:
                board = node.board
                edge.child = self.make_node(
                    reference.swap(board) if edge.move == PASS else reference.play(board, edge.move)
                )
            node = edge.child
        return path, node

    def back_up(self, path: list[tuple[Node, Edge]], value: float) -> None:
        for node, edge in reversed(path):
            value = -value
            edge.total += value
            edge.visits += 1
            edge.pending -= 1
            node.total += value
            node.visits += 1

    def action_value(self, node: Node, edge: Edge) -> float:
        if edge.begun:
            return (edge.total - self.options.virtual_loss * edge.pending) / edge.begun
        return 0.0 if self.options.first_play == "zero" else node.mean - self.options.fpu_reduction

    def choose(self, node: Node, priors: list[float] | None = None) -> Edge:
        """The first edge of the highest number."""
        if len(node.edges) == 1:
            return node.edges[0]
        visits = max(1, node.edge_visits)
        c = self.options.exploration

        def number(edge: Edge) -> float:
            if self.options.selection == "uct":
                if not edge.begun:
                    return math.inf
                return self.action_value(node, edge) + c * math.sqrt(math.log(visits) / edge.begun)
            prior = priors[node.edges.index(edge)] if priors else edge.prior
            return self.action_value(node, edge) + c * math.sqrt(visits) * prior / (1 + edge.begun)

        return max(node.edges, key=number)

    def prepare_root(self) -> None:
        edges = self.root.edges
        self.before = [edge.visits for edge in edges]
        self.priors = [edge.prior for edge in edges]
        image, _ = self.image(self.root.board)
        key = splitmix((self.key + GOLDEN) % 2**64) ^ reference.hash64(image)
        share = self.options.noise_share
        if share and len(edges) > 1:
            random = Random(key, 1)
            noise = [random.gamma(self.options.noise_alpha) for _ in edges]
            self.priors = [
                (1 - share) * prior + share * one / sum(noise)
                for prior, one in zip(self.priors, noise, strict=True)
            ]
        random = Random(key, 2)
        self.gumbels = [self.options.gumbel_noise * random.gumbel() for _ in edges]
        if self.options.gumbel_moves:
            considered = min(self.options.gumbel_moves, len(edges))
            self.order = halving(considered, self.simulations)

    def root_edge(self, begun: int) -> Edge:
        edges = self.root.edges
        if self.options.gumbel_moves and len(edges) > 1:
            numbers = self.improved_logits()
            due = [
                i
                for i, edge in enumerate(edges)
                if edge.begun - self.before[i] == self.order[begun]
            ]
            return edges[max(due, key=lambda i: self.gumbels[i] + numbers[i])]
        for edge, prior in zip(edges, self.priors, strict=True):
            if 0 < edge.begun < self.forced(prior):
                return edge
        return self.choose(self.root, self.priors)

    def forced(self, prior: float) -> int:
        visits = self.root.edge_visits
        return int(math.sqrt(self.options.forced_playouts * prior * visits))

    def improved_logits(self) -> list[float]:
        """Logits of Gumbel's improved policy, with completed values."""
        edges = self.root.edges
        visited = [edge for edge in edges if edge.visits]
        mixed = self.root.value or 0.0  # a pass has no value of its own
        if visited:
            visits = sum(edge.visits for edge in visited)
            weighted = sum(edge.prior * edge.mean for edge in visited)
            mixed += visits * (weighted / sum(edge.prior for edge in visited))
            mixed /= 1 + visits
        most = max(edge.visits for edge in edges)
        scale = (self.options.gumbel_visit + most) * self.options.gumbel_scale
        return [
            math.log(edge.prior) + scale * ((edge.mean if edge.visits else mixed) + 1) / 2
            for edge in edges
        ]

    def visits(self) -> list[int]:
        counts = [0] * 65
        for edge in self.root.edges:
            counts[edge.move] = edge.visits
        return counts

    def values(self) -> list[float]:
        values = [math.nan] * 65
        for edge in self.root.edges:
            if edge.visits:
                values[edge.move] = edge.mean
        return values

    def policy(self) -> list[float]:
        """The training target."""
        edges = self.root.edges
        if self.options.gumbel_moves:
            logits = self.improved_logits()
            weights = [math.exp(logit - max(logits)) for logit in logits]
        else:
            weights = self.pruned()
        policy = [0.0] * 65
        for edge, weight in zip(edges, weights, strict=True):
            policy[edge.move] = weight / sum(weights)
        return policy

    def pruned(self) -> list[float]:
        """Visits without those that were forced: tried one by one, as KataGo describes it."""
        edges = self.root.edges
        counts = [float(edge.visits) for edge in edges]
        if not self.options.forced_playouts:
            return counts
        best = max(
            range(len(edges)), key=lambda i: (counts[i], edges[i].mean if counts[i] else 0.0)
        )
        scale = self.options.exploration * math.sqrt(sum(counts))
        limit = edges[best].mean + scale * self.priors[best] / (1 + edges[best].visits)
        for i, edge in enumerate(edges):
            if i == best or not edge.visits:
                continue
            for _ in range(self.forced(self.priors[i])):
                fewer = counts[i] - 1
                if fewer < 0 or edge.mean + scale * self.priors[i] / (1 + fewer) > limit:
                    break
                counts[i] = fewer
            if edge.mean < limit and counts[i] <= 1:
                counts[i] = 0
        return counts
