"""Monte Carlo tree search as a player."""

from __future__ import annotations

import dataclasses
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from outflank import Game, Position, _core
from outflank.errors import DataError, SpecError
from outflank.models import load_network
from outflank.nets import Card, PolicyNetwork, Prediction, legal_probabilities
from outflank.nets.files import KEY, describe
from outflank.nets.line import LinePolicy
from outflank.othello.boards import Boards
from outflank.players import Player, Thought, Unit, make_player
from outflank.players.mcts import MctsPlayer
from strategies import MUST_PASS, random_game


class Plain(PolicyNetwork):
    """Another network as one that the core does not know, perhaps a slow one."""

    def __init__(self, network: PolicyNetwork, *, seconds: float = 0.0) -> None:
        self.card = network.card
        self._network = network
        self._seconds = seconds

    def predict(self, boards: Boards) -> Prediction:
        time.sleep(self._seconds)
        return self._network.predict(boards)


class Silent(Plain):
    """One without an opinion on any move, and perhaps without one on positions."""

    valued = True

    def predict(self, boards: Boards) -> Prediction:
        logits = np.full((len(boards), 64), -np.inf, np.float32)
        return Prediction(logits, np.zeros(len(boards), np.float32) if self.valued else None)


class Wild(Plain):
    """One whose value is whatever it is told."""

    value = 0.0

    def predict(self, boards: Boards) -> Prediction:
        values = np.full(len(boards), self.value, np.float32)
        return Prediction(super().predict(boards).logits, values)


@pytest.fixture(scope="module")
def network() -> LinePolicy:
    made = _core.LineNetwork(channels=16, hidden=16, seed=3)
    return LinePolicy(made, Card("line", "pieces", "made"))


@pytest.fixture(scope="module")
def onnx_network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with one layer of chance numbers for the policy, and one for the value."""
    onnx = pytest.importorskip("onnx", reason="needs onnx (the extra train)")
    make, kind, draw = onnx.helper, onnx.TensorProto.FLOAT, np.random.default_rng(1)
    weights = {"a": draw.normal(size=(128, 60)), "b": draw.normal(size=(128, 1)) / 8}
    graph = make.make_graph(
        [
            make.make_node("Flatten", ["planes"], ["flat"]),
            make.make_node("MatMul", ["flat", "a"], ["logits"]),
            make.make_node("MatMul", ["flat", "b"], ["sum"]),
            make.make_node("Tanh", ["sum"], ["value"]),
        ],
        "made",
        [make.make_tensor_value_info("planes", kind, ["n", 2, 8, 8])],
        [
            make.make_tensor_value_info("logits", kind, ["n", 60]),
            make.make_tensor_value_info("value", kind, ["n", 1]),
        ],
        [make.make_tensor(name, kind, one.shape, one.ravel()) for name, one in weights.items()],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)
    facts = dataclasses.asdict(Card("made", "pieces"))
    make.set_model_props(model, {KEY: describe("network", facts)})
    path = tmp_path_factory.mktemp("onnx") / "made.onnx"
    onnx.save(model, path)
    return path


@pytest.fixture(scope="module")
def boards() -> Boards:
    """Positions of all stages, among them passes and single moves."""
    games = [random_game(seed, plies=seed % 60) for seed in range(120)]
    return Boards.from_positions(
        [MUST_PASS, *(game.position for game in games if not game.is_over)]
    )


def play(strong: Player, weak: Player, games: int) -> float:
    """Share of the points of the first player, who has black in every second game."""
    boards, points = Boards.start(games), 0.0
    white = np.arange(games) % 2 == 1
    while len(boards):
        over = boards.is_over()
        score = np.where(boards.white_to_move == white, boards.score(), -boards.score())
        points += float((0.5 + 0.5 * np.sign(score[over])).sum())
        boards, white = boards[~over], white[~over]
        moves = np.zeros(len(boards), np.uint8)
        for player, turn in ((strong, boards.white_to_move == white),
                             (weak, boards.white_to_move != white)):  # fmt: skip
            if turn.any():
                moves[turn] = player.choose_many(boards[turn])
        if len(boards):
            boards = boards.play(moves)
    return points / games


class TestSpecs:
    @pytest.mark.parametrize(
        ("spec", "limits"),
        [
            ("mcts", (None, None, 200)),
            ("mcts:rollouts=7", (None, None, 7)),
            ("mcts:time=50ms", (None, 0.05, None)),
            ("mcts:imitation-0ply", (100, None, None)),
            ("mcts:net=imitation-0ply,sims=9", (9, None, None)),
            ("mcts:net=imitation-0ply,time=1s", (None, 1.0, None)),
        ],
    )
    def test_say_what_ends_a_search(
        self, spec: str, limits: tuple[int | None, float | None, int | None]
    ) -> None:
        player = make_player(spec)
        assert isinstance(player, MctsPlayer)
        assert (player.sims, player.time, player.rollouts) == limits
        assert player.batched is (player.time is None)

    @pytest.mark.parametrize(
        ("spec", "problem"),
        [
            ("mcts:net=imitation-0ply,sims=0", "sims must be 1.."),
            ("mcts:rollouts=0", "rollouts must be 1.."),
            ("mcts:rollouts=-1", "rollouts must be 1.."),
            ("mcts:time=0s", "time must be positive"),
            ("mcts:sims=10", "sims needs net"),
            ("mcts:net=imitation-0ply,rollouts=10", "rollouts and net exclude each other"),
            ("mcts:net=imitation-0ply,sims=1,time=1s", "sims and time exclude each other"),
            ("mcts:rollouts=1,time=1s", "rollouts and time exclude each other"),
            ("mcts:net=imitation-conv", "net cannot be imitation-conv: .* no value head"),
            ("mcts:c=-1", "c must be 0 to 1000"),
            ("mcts:c=nan", "c cannot be 'nan'"),
            ("mcts:first_play=best", "first_play is mean or zero"),
            ("mcts:fpu=3", "fpu must be -2 to 2"),
            ("mcts:solve=15", "solve must be 0..14"),
            ("mcts:leaves=0", "leaves must be 1 to 256"),
            ("mcts:threads=-1", "threads must be 0 to 1024"),
            ("mcts:memory=0", "memory must be 1.."),
            ("mcts:temperature=-1", "temperature must be 0 to"),
        ],
    )
    def test_that_are_wrong_are_refused_in_one_line(self, spec: str, problem: str) -> None:
        with pytest.raises(SpecError, match=problem) as refused:
            make_player(spec)
        assert "\n" not in str(refused.value)

    def test_that_name_an_unknown_network_are_refused(self) -> None:
        with pytest.raises(DataError, match="no such network: 'nobody'"):
            make_player("mcts:net=nobody,sims=1")

    def test_may_name_a_file(self, network: LinePolicy, tmp_path: Path) -> None:
        network.save(tmp_path / "net.safetensors")
        player = make_player(f"mcts:net={tmp_path / 'net.safetensors'},sims=5")
        assert player.fingerprint
        assert player.choose(MUST_PASS).is_pass


class TestTheSearch:
    def test_is_the_cores_own(self, network: LinePolicy, boards: Boards) -> None:
        options = _core.MctsOptions(exploration=2.0, fpu_reduction=0.3)
        forest = _core.Forest(network.network, boards.own, boards.other, options)
        forest.search(40)
        player = MctsPlayer.of_network(network, sims=40, c=2.0, fpu=0.3)
        assert np.array_equal(player.choose_many(boards), forest.best())
        for row in range(1, 20):
            thought = player.think(Game(boards.positions()[row]))
            assert thought.visits == {
                move: count for move, count in enumerate(forest.visits()[row].tolist()) if count
            }
            assert thought.line == tuple(forest.line(row))

    def test_does_not_depend_on_where_the_network_runs(
        self, network: LinePolicy, boards: Boards
    ) -> None:
        compiled = MctsPlayer.of_network(network, sims=30)
        called = MctsPlayer.of_network(Plain(network), sims=30)
        assert np.array_equal(compiled.choose_many(boards), called.choose_many(boards))

    def test_does_not_depend_on_how_many_trees_fit_into_memory(self, boards: Boards) -> None:
        keys = np.arange(len(boards), dtype=np.uint64)
        small = make_player("mcts:rollouts=300,memory=1,seed=1")
        large = make_player("mcts:rollouts=300,memory=100,seed=1")
        assert np.array_equal(small.choose_many(boards, keys), large.choose_many(boards, keys))

    def test_asks_a_network_with_a_memory_as_it_is(self) -> None:
        """Its memory is no part of the compiled network."""
        player = make_player("mcts:net=imitation-fast,sims=1")
        policy = make_player("policy:imitation-fast")
        game = Game.from_transcript("f5d6c3d3c4")
        expected = policy.think(game).policy
        found = player.think(game).policy
        assert found == pytest.approx(expected, abs=1e-5)

    def test_is_guided_by_networks_of_onnx(self, onnx_network: Path, boards: Boards) -> None:
        player = make_player(f"mcts:net={onnx_network},sims=20")
        network = load_network(onnx_network)
        game = random_game(5, plies=12)
        seen = Boards.from_positions([game.position]).canonical()[0]
        prediction = network.predict(seen)
        thought = player.think(game)
        # The search looks at one of the eight images, so only the order of the shares is known.
        expected = legal_probabilities(seen, prediction)[0]
        assert sorted(thought.policy.values()) == pytest.approx(sorted(expected[expected > 0]))
        assert sum(thought.visits.values()) == 20
        assert player.fingerprint == network.fingerprint
        moves = player.choose_many(boards)
        assert boards.legal_mask()[np.arange(len(boards)), moves].all()

    def test_plays_where_a_network_has_no_opinion(self, network: LinePolicy) -> None:
        thought = MctsPlayer.of_network(Silent(network), sims=8, c=1.5, fpu=0.1).think(Game())
        assert list(thought.policy.values()) == [0.25] * 4
        assert sorted(thought.visits.values()) == [2] * 4

    def test_plays_the_only_move_that_wins_at_once_though_moves_are_drawn(self) -> None:
        """Its tree is solved before any move is visited."""
        board = "OOOOO-O-OOOOOOOOOOOOO-OOOOOOXXOOOOOXOXOOOOOOOOOOOOOOOOOOOOOOOOOO O"
        player = make_player("mcts:net=selfplay,sims=20,temperature=0.5,seed=1")
        assert player.choose(Position.from_string(board)).name == "f3"

    def test_refuses_a_network_without_values(self, network: LinePolicy) -> None:
        silent = Silent(network)
        silent.valued = False
        with pytest.raises(ValueError, match="net cannot be made: the network has no value head"):
            MctsPlayer.of_network(silent)

    @pytest.mark.parametrize("wrong", [np.nan, np.inf, 1.5, -1.5])
    def test_refuses_values_that_are_no_results(self, network: LinePolicy, wrong: float) -> None:
        wild = Wild(network)
        player = MctsPlayer.of_network(wild, sims=20)
        wild.value = wrong
        with pytest.raises(DataError, match="made: the network gave values beyond"):
            player.think(Game())
        with pytest.raises(DataError, match="made: the network gave values beyond"):
            player.choose_many(Boards.start(3))
        with pytest.raises(ValueError, match="net cannot be made: it gives values beyond"):
            MctsPlayer.of_network(wild)

    def test_knows_the_value_of_leaves_that_are_solved(self) -> None:
        """Whoever wins the solved positions below wins here, long before the end."""
        game = next(
            game
            for seed in range(50)
            if (game := random_game(seed, plies=50)).position.empties == 10
            and len(game.position.legal_moves) > 2
        )
        found = _core.Solver(1).solve(*game.position.bits, win_draw_loss=True)
        thought = make_player("mcts:rollouts=2000,solve=9,seed=1").think(game)
        assert not thought.exact
        assert thought.value == pytest.approx(found.score, abs=0.05)

    def test_goes_with_the_weights_of_a_network_in_training(self) -> None:
        made = _core.LineNetwork(channels=16, hidden=16, seed=1)
        player = MctsPlayer.of_network(LinePolicy(made, Card("line", "pieces")), sims=10)
        before, game = player.think(Game()), Game()
        for weights in made.parameters().values():
            weights *= np.float32(0.5)
        assert player.think(game).value != before.value

    @pytest.mark.parametrize(
        "spec", ["mcts:rollouts=4,solve=8,seed=1", "mcts:net=selfplay,sims=4,solve=8"]
    )
    def test_plays_the_end_perfectly_with_the_solver(self, spec: str) -> None:
        player = make_player(spec)
        solver = _core.Solver(1)
        for seed in range(40):  # some of them have one legal move
            game = random_game(seed, plies=53)
            if game.is_over or game.position.empties > 8 or game.position.must_pass:
                continue
            score = solver.solve(*game.position.bits).score
            thought = player.think(game)
            assert (thought.value, thought.exact, thought.unit) == (score, True, Unit.DISCS)
            after = game.position.play(thought.move)
            assert -solver.solve(*after.bits).score == score
            after = game.position.play(player.choose(game.position))
            assert -solver.solve(*after.bits).score == score

    def test_finds_a_win_that_the_rules_decide(self) -> None:
        """White takes the last square at h8 or loses: values are from the mover's view."""
        position = Position.from_string("X" * 56 + "OXXXXXX-" + "O")
        game = Game(position)
        thought = make_player("mcts:rollouts=10").think(game)
        assert thought.value == np.sign(-position.play("h8").score)


class TestThoughts:
    @pytest.mark.parametrize("spec", ["mcts:net=imitation-0ply,time=500ms", "mcts:time=500ms"])
    def test_come_while_it_searches(self, spec: str) -> None:
        game = random_game(3, plies=20)
        heard: list[Thought] = []
        thought = make_player(spec).think(game, on_thought=heard.append)
        assert len(heard) >= 2
        assert 0.4 < thought.seconds < 2
        for one in heard:
            assert one.unit is Unit.RESULT
            assert one.values.keys() == one.visits.keys() <= set(game.position.legal_moves)
            assert one.visits[one.move] == max(one.visits.values())
            assert one.value == one.values[one.move]
            assert one.line[0] == one.move
            assert one.nodes
        assert [one.nodes for one in heard] == sorted(one.nodes or 0 for one in heard)
        assert bool(thought.policy) is ("net" in spec)

    def test_count_the_simulations(self, network: LinePolicy) -> None:
        player = MctsPlayer.of_network(network, sims=3000)  # more than one portion
        assert sum(player.think(Game()).visits.values()) == 3000
        assert sum(player.think(Game()).visits.values()) == 3000

    def test_go_on_with_the_tree_of_the_game(self, network: LinePolicy) -> None:
        player = MctsPlayer.of_network(network, sims=200, reuse=True)
        game = random_game(3, plies=10)
        first = player.think(game)
        game = game.play(first.line[0]).play(first.line[1])
        second = player.think(game)
        fresh = MctsPlayer.of_network(network, sims=200).think(game)
        assert sum(fresh.visits.values()) == 200
        assert sum(second.visits.values()) > 200
        # Another game, one that was taken back, and the same position once more.
        assert sum(player.think(random_game(4, plies=10)).visits.values()) == 200
        assert sum(player.think(Game()).visits.values()) == 200
        assert sum(player.think(Game()).visits.values()) == 400

    def test_are_kept_through_a_pass(self) -> None:
        player = make_player("mcts:rollouts=300,reuse=yes,seed=1")
        game = next(
            game.undo(len(game.moves) - ply + 1)
            for game in map(random_game, range(100))
            for ply in range(40, len(game.moves))
            if game.moves[ply].is_pass
        )
        before = player.think(game)
        assert sum(before.visits.values()) == 300
        passed = next(
            after
            for move in game.position.legal_moves
            if (after := game.play(move)).position.must_pass
        )
        assert player.think(passed).move.is_pass
        then = player.think(passed.play("pass"))
        assert sum(then.visits.values()) > 300

    def test_of_a_slow_network_end_when_they_are_stopped(self, network: LinePolicy) -> None:
        player = MctsPlayer.of_network(Plain(network, seconds=0.02), sims=100_000)
        stop = _core.Stop()
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        began = time.perf_counter()
        thought = player.think(Game(), stop=stop)
        assert time.perf_counter() - began < 0.5
        assert thought.visits

    @pytest.mark.parametrize("spec", ["mcts:rollouts=1000000000", "mcts:time=1m"])
    def test_near_the_end_can_be_stopped(self, spec: str) -> None:
        """All positions are known there, so no simulation waits for an evaluator."""
        game = next(
            game
            for seed in range(100)
            if (game := random_game(seed)).position.empties == 0
            and len((game := game.undo(4)).position.legal_moves) > 1
        )
        stop = _core.Stop()
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        began = time.perf_counter()
        thought = make_player(spec).think(game, stop=stop)
        assert 0.1 < time.perf_counter() - began < 1
        assert game.position.is_legal(thought.move)

    def test_end_when_the_memory_is_full(self) -> None:
        thought = make_player("mcts:time=30s,memory=1").think(Game())
        assert thought.seconds < 10
        assert 1000 < (thought.nodes or 0) < 2000


class TestDrawing:
    def test_is_over_after_the_first_plies(self, network: LinePolicy) -> None:
        """As Fu and Xu (2018) play: by chance for five plies, then the most visited move."""
        player = MctsPlayer.of_network(
            network, sims=30, temperature=1.0, temperature_plies=5, seed=1
        )
        best = MctsPlayer.of_network(network, sims=30)
        fourth, fifth = (
            Boards.from_positions([random_game(7, plies=plies).position] * 50) for plies in (4, 5)
        )
        assert len(set(player.choose_many(fourth).tolist())) > 1
        assert np.array_equal(player.choose_many(fifth), best.choose_many(fifth))

    def test_follows_the_visits(self, network: LinePolicy) -> None:
        player = MctsPlayer.of_network(network, sims=50, temperature=1.0, seed=1)
        position = random_game(7, plies=9).position
        visits = player.think(Game(position)).visits
        moves = player.choose_many(Boards.from_positions([position] * 2000))
        for move in position.legal_moves:
            assert float((moves == move).mean()) == pytest.approx(
                visits.get(move, 0) / 50, abs=0.04
            )

    def test_has_nothing_to_do_with_a_seed_without_chance(self, network: LinePolicy) -> None:
        one, other = (MctsPlayer.of_network(network, sims=20, seed=seed) for seed in (1, 2))
        start = Boards.start(5)
        assert np.array_equal(one.choose_many(start), other.choose_many(start))


class TestStrength:
    def test_random_games_in_a_tree_beat_random_moves(self) -> None:
        strong, weak = make_player("mcts:rollouts=200,seed=1"), make_player("random:seed=2")
        assert play(strong, weak, 60) > 0.9

    def test_a_search_is_better_than_its_network_alone(self) -> None:
        strong = make_player("mcts:net=imitation-0ply,sims=40,temperature=0.5,seed=1")
        weak = make_player("policy:imitation-0ply,temperature=0.2,seed=2")
        assert play(strong, weak, 30) > 0.6
