"""Monte Carlo tree search, guided by a network or by random games."""

from __future__ import annotations

import time as clock
from dataclasses import InitVar, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from outflank import _core
from outflank.evaluations import Unit
from outflank.models import load_network
from outflank.nets import PolicyNetwork
from outflank.othello import PASS, Game, Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.duration import Seconds
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.policy import check_temperature, gumbel
from outflank.players.registry import register
from outflank.players.simple import Drawing
from outflank.players.tree_search import Reporter, check_values, evaluator_of, thought_of

_USUAL_SIMS, _USUAL_ROLLOUTS = 100, 200
# A network that is called from Python does 2.6 times as many simulations in the same time with 8
# leaves. 1040 of these won 68% (57 to 79) against 400 with one leaf; but 100 against 100, 29%.
_LEAVES_BY_TIME = 8
# With the network `selfplay` and 100 simulations, c=1 and fpu=0.3 won 55.1% (52.7 to 57.5) of 1000
# games against the 1.5 and 0.1 that its self-play explores with.
_USUAL_C, _USUAL_FPU = 1.0, 0.3
_MOST = 1 << 30  # simulations of one search
_LIMITS = {
    "sims": (1, _MOST),
    "rollouts": (1, _MOST),
    "c": (0, 1000),
    "fpu": (-2, 2),
    "solve": (0, 14),  # a few milliseconds; in more, nobody could stop it
    "temperature_plies": (0, 60),
    "leaves": (1, 256),
    "threads": (0, 1024),
    "memory": (1, 1 << 20),
}
_SOLVER_MEMORY = 4  # megabytes
_BYTES_A_NODE = 768  # with its edges, and what growing arrays and moving on take

# A tree that knows all positions below it does its simulations without asking whether to stop, and
# so does one whose leaves are solved. So a search that can be stopped has them in portions.
_PORTION, _PORTION_WITH_SOLVER = 1024, 16
_BETWEEN_LOOKS = 0.05  # seconds


@register("mcts", "searches a tree by Monte Carlo, guided by a network or by random games")
@dataclass
class MctsPlayer(Drawing, Player):
    """PUCT over a network's policy and value, or UCT over random games; the most visited move.

    Args:
        net: A network with a value head: the name of a shipped one, a run's folder, or a file.
            Without one, leaves are valued by random games.
        sims: Simulations for a move, with a network; 100 if neither this nor `time` is given.
        time: For one move, in place of a number of simulations.
        rollouts: Simulations for a move without a network, each with one random game; 200 if
            neither this nor `time` is given.
        c: How much the search explores.
        first_play: What a move counts for that was never tried: `mean` (the mean of its position
            less `fpu`) or `zero` (a draw, as in Fu and Xu's paper). Random games try all moves.
        fpu: See first_play.
        solve: Solve positions exactly from this many empty squares on; 0 for never.
        wipe_outs: Whether a position whose mover can take the opponent's last disc counts as won
            without a look further. Usually with a network only.
        temperature: Above 0, moves are drawn: as often as they were visited with 1, closer to
            the most visited with less.
        temperature_plies: Plies of the game (60 less the empty squares) in which they are.
        leaves: Positions that one tree gives to the network at once. Several are faster for a
            network that is not compiled, but each simulation is worth less, most of all where
            there are few. Usually 1; with `time` and such a network, 8.
        threads: 0 for all cores. Usually all; with `time`, 1. Trees do not depend on it.
        reuse: Whether `think` goes on with the tree of the move before. Usually with `time` only:
            with a number of simulations, a move then depends on the position alone.
        memory: Megabytes for trees. A tree that fills them ends its search.
        seed: Of random games and of moves that are drawn.
    """

    net: str | None = None
    sims: int | None = None
    time: Seconds | None = None
    rollouts: int | None = None
    c: float = _USUAL_C
    first_play: str = "mean"
    fpu: float = _USUAL_FPU
    solve: int = 0
    wipe_outs: bool | None = None
    temperature: float = 0.0
    temperature_plies: int = 60
    leaves: int | None = None
    threads: int | None = None
    reuse: bool | None = None
    memory: int = 256
    seed: int | None = None
    loaded: InitVar[PolicyNetwork | None] = None

    unit = Unit.RESULT
    stoppable = True
    gives_values = True
    gives_policy = True
    gives_visits = True

    @classmethod
    def of_network(cls, network: PolicyNetwork, **options: Any) -> MctsPlayer:
        """Make a player of a network that is in memory.

        Args:
            network: With a value head. If its weights change, so does the player.
            options: Those of a spec, such as `sims`.
        """
        return cls(net=network.name, loaded=network, **options)

    def __post_init__(self, loaded: PolicyNetwork | None) -> None:
        self._check_limits()
        check_temperature(self.temperature)
        for name, (least, most) in _LIMITS.items():
            given = getattr(self, name)
            if given is not None and not least <= given <= most:
                raise ValueError(f"{name} must be {least}..{most}, not {given:g}")
        self._network = self._load(loaded)
        self._evaluator = evaluator_of(self._network)
        self.gives_policy = self._network is not None
        timed = self.time is not None
        if self.leaves is None:
            self.leaves = _LEAVES_BY_TIME if timed and callable(self._evaluator) else 1
        if self.threads is None:
            self.threads = int(timed)
        if self.wipe_outs is None:
            self.wipe_outs = self._network is not None
        if self.reuse is None:
            self.reuse = timed
        self._options  # noqa: B018  # wrong options should be reported now
        self._kept: _core.Forest | None = None

    def _check_limits(self) -> None:
        """Find what ends a search: simulations, random games, or time."""
        own, others = ("rollouts", "sims") if self.net is None else ("sims", "rollouts")
        if getattr(self, others) is not None:
            raise ValueError(
                "sims needs net; random games are counted by rollouts"
                if self.net is None
                else "rollouts and net exclude each other: a leaf is valued by one of them"
            )
        if self.time is not None:
            if getattr(self, own) is not None:
                raise ValueError(f"{own} and time exclude each other")
            if self.time <= 0:
                raise ValueError("time must be positive")
        elif self.net is None:
            self.rollouts = _USUAL_ROLLOUTS if self.rollouts is None else self.rollouts
        else:
            self.sims = _USUAL_SIMS if self.sims is None else self.sims

    def _load(self, loaded: PolicyNetwork | None) -> PolicyNetwork | None:
        """Read the network, if there is one, and see that it can be searched over."""
        if self.net is None:
            return None
        network = load_network(self.net) if loaded is None else loaded
        check_values(network, self.net)
        return network

    @cached_property
    def _options(self) -> _core.MctsOptions:
        return _core.MctsOptions(
            selection="uct" if self._network is None else "puct",
            exploration=float(self.c),
            first_play=self.first_play,
            fpu_reduction=self.fpu,
            leaves=self.leaves or 1,
            solve_empties=self.solve,
            wipe_outs=bool(self.wipe_outs),
            max_nodes=self._most_nodes,
        )

    @property
    def _most_nodes(self) -> int:
        return min((self.memory << 20) // _BYTES_A_NODE, _MOST)

    @property
    def _simulations(self) -> int:
        return self.sims or self.rollouts or _MOST

    @property
    def batched(self) -> bool:
        """Whether the trees of a batch are searched together: not by time."""
        return self.time is None

    @property
    def fingerprint(self) -> str:
        """That of the network."""
        return "" if self._network is None else self._network.fingerprint

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Search all boards, their leaves in common batches unless the limit is time."""
        keys = self._keys(boards, keys)
        moves = np.full(len(boards), PASS, np.uint8)
        able = np.flatnonzero(boards.legal_moves())
        together = 1
        if self.batched:
            together = max(1, self._most_nodes // (self._simulations + 1))
        for start in range(0, len(able), together):
            rows = able[start : start + together]
            forest = self._forest(boards[rows], keys[rows])
            if self.batched:
                self._search_all(forest, boards[rows])
            else:
                self._search_one(forest, None, None)
            moves[rows] = self._choose(forest, keys[rows])
        return moves

    def _forest(self, boards: Boards, keys: Keys) -> _core.Forest:
        """Plant a tree for each board."""
        return _core.Forest(self._evaluator, boards.own, boards.other, self._options, keys=keys)

    @property
    def _search_threads(self) -> int:
        """Threads of the search itself; a network that is called has its own."""
        return 1 if callable(self._evaluator) else self.threads or 0

    def _search_all(self, forest: _core.Forest, boards: Boards) -> None:
        """Search every tree, but for those with only one move."""
        choices = np.bitwise_count(boards.legal_moves())
        simulations = np.where(choices > 1, self._simulations, 0).astype(np.int32)
        forest.search(simulations, threads=self._search_threads)

    def _search_one(
        self, forest: _core.Forest, stop: _core.Stop | None, report: Reporter | None
    ) -> None:
        """Search a single tree until the limit is reached or somebody stops it."""
        began = clock.perf_counter()
        threads = self._search_threads
        # The root is evaluated in any case, so that there is something to answer with.
        forest.search(np.zeros(1, np.int32), threads=threads)
        left = self._simulations
        portion = _PORTION_WITH_SOLVER if self.solve else _PORTION
        while left > 0 and not (stop is not None and stop.is_set):
            seconds = 0.0
            if self.time is not None:
                seconds = self.time - (clock.perf_counter() - began)
                if seconds <= 0:
                    break
            wanted = min(left, portion)
            done = forest.search(
                wanted,
                seconds=seconds,
                threads=threads,
                stop=stop,
                on_progress=report,
                interval=_BETWEEN_LOOKS,
            )
            left -= done
            if done < wanted or forest.solved()[0]:  # stopped, or full, or there is no need
                break
            if report is not None:
                report(forest)

    def _choose(self, forest: _core.Forest, keys: Keys) -> MoveArray:
        """Choose each tree's most visited move, or draw one early in the game."""
        visits = forest.visits()
        visited = visits.any(axis=1)  # not even a solved tree always is
        best = np.where(visited | forest.solved(), forest.best(), forest.priors().argmax(axis=1))
        if self.temperature > 0:
            with np.errstate(divide="ignore"):  # a move without visits is not drawn
                logits = np.log(visits[:, :PASS].astype(np.float64)) / self.temperature
            drawn = (logits + gumbel(keys)).argmax(axis=1)
            own, other = forest.boards()
            early = np.bitwise_count(own | other) - 4 < self.temperature_plies
            best = np.where(early & visited, drawn, best)
        return best.astype(np.uint8)

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Search one position; `on_thought` is called several times a second."""
        if game.position.must_pass:
            return Thought(PASS)
        thought = self._solve(game.position, stop) or self._explore(game, stop, on_thought)
        if on_thought is not None:
            on_thought(thought)
        return thought

    def _solve(self, position: Position, stop: _core.Stop | None) -> Thought | None:
        """Play perfectly, if few enough squares are empty and nobody stops it."""
        if position.empties > self.solve:
            return None
        solution = _core.Solver(_SOLVER_MEMORY).solve(*position.bits, stop=stop)
        if not solution.complete:
            return None
        line = tuple(map(Move, solution.line))
        return Thought(
            line[0], float(solution.score), position.empties, solution.nodes, exact=True, line=line
        )

    def _explore(
        self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None
    ) -> Thought:
        """Search the tree of a position."""
        position = game.position
        boards = Boards.from_positions([position])
        keys = self._keys(boards, None)
        forest = self._tree_of(game) or self._forest(boards, keys)
        report = None
        if on_thought is not None:
            report = Reporter(position, on_thought, with_policy=self.gives_policy)
        self._search_one(forest, stop, report)
        if self.reuse:
            self._kept = forest
        move = Move(int(self._choose(forest, keys)[0]))
        return thought_of(forest, position, move, with_policy=self.gives_policy)

    def _tree_of(self, game: Game) -> _core.Forest | None:
        """Return the tree that was kept, moved on to where the game is now; None if it cannot."""
        forest, self._kept = self._kept, None
        if forest is None:
            return None
        own, other = (int(bits[0]) for bits in forest.boards())
        positions = game.positions()
        for ply in range(len(game.moves), -1, -1):
            if positions[ply].bits == (own, other):
                for move in game.moves[ply:]:
                    forest.advance(np.array([move], np.uint8))
                return forest
        return None
