"""Players that ask policy networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from outflank import Game, Position
from outflank._core import LineNetwork
from outflank.errors import DataError, SpecError
from outflank.nets import Averaged, Card, Prediction, Symmetrised, legal_probabilities
from outflank.nets.line import LinePolicy
from outflank.othello.boards import Boards
from outflank.players import Player, Unit, make_player
from outflank.players.policy import PolicyPlayer
from strategies import MUST_PASS, random_game


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Files of two networks that have opinions, though untrained ones."""
    folder = tmp_path_factory.mktemp("networks")
    paths = [folder / f"net-{seed}.safetensors" for seed in (1, 2)]
    for seed, path in enumerate(paths, 1):
        network = LineNetwork(channels=16, hidden=16, seed=seed)
        LinePolicy(network, Card("line", "pieces", f"net-{seed}")).save(path)
    return paths


def middle_games(count: int) -> Boards:
    found = [random_game(seed, 8 + seed % 44).position for seed in range(2 * count)]
    return Boards.from_positions([p for p in found if not p.is_over and not p.must_pass][:count])


def shares_of(player: Player, boards: Boards) -> NDArray[np.float32]:
    assert isinstance(player, PolicyPlayer)
    return legal_probabilities(boards, player.network.predict(boards))


def test_it_plays_the_likeliest_legal_move(networks: list[Path]) -> None:
    boards = middle_games(50)
    player = make_player(f"policy:{networks[0]}")
    expected = LinePolicy.load(networks[0]).predict(boards).logits.argmax(axis=1)
    assert player.choose_many(boards).tolist() == expected.tolist()
    assert isinstance(player, PolicyPlayer)
    assert player.fingerprint == LinePolicy.load(networks[0]).fingerprint


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_moves_are_drawn_as_often_as_they_are_likely(
    temperature: float, networks: list[Path]
) -> None:
    games, repeats = middle_games(5), 4000
    boards = Boards.concatenate([games] * repeats)
    player = make_player(f"policy:{networks[0]},temperature={temperature},seed=1")
    drawn = player.choose_many(boards, np.arange(len(boards), dtype=np.uint64))
    shares = shares_of(player, games).astype(np.float64) ** (1 / temperature)
    shares /= shares.sum(axis=1, keepdims=True)
    for i in range(len(games)):
        frequency = np.bincount(drawn[i :: len(games)], minlength=64) / repeats
        assert not frequency[shares[i] == 0].any()
        deviation = np.sqrt(shares[i] * (1 - shares[i]) / repeats)
        assert (np.abs(frequency - shares[i]) <= 5 * deviation + 1e-4).all()


def test_cold_draws_are_the_likeliest_moves(networks: list[Path]) -> None:
    boards = middle_games(50)
    cold = make_player(f"policy:{networks[0]},temperature=0.001,seed=1")
    still = make_player(f"policy:{networks[0]}")
    shares = np.sort(shares_of(still, boards), axis=1)
    clear = shares[:, -1] > 1.1 * shares[:, -2]
    assert clear.sum() > 20
    np.testing.assert_array_equal(cold.choose_many(boards)[clear], still.choose_many(boards)[clear])


def test_draws_depend_on_keys_and_seed_alone(networks: list[Path]) -> None:
    boards = middle_games(60)
    keys = np.arange(60, dtype=np.uint64)
    player = make_player(f"policy:{networks[0]},temperature=2,seed=1")
    together = player.choose_many(boards, keys)
    order = np.random.default_rng(1).permutation(60)
    np.testing.assert_array_equal(player.choose_many(boards[order], keys[order]), together[order])
    other = make_player(f"policy:{networks[0]},temperature=2,seed=2").choose_many(boards, keys)
    assert (other != together).any()
    assert (player.choose_many(boards, keys + np.uint64(1)) != together).any()
    drawn = [player.choose_many(boards) for _ in range(2)]  # without keys, a new draw each time
    assert (drawn[0] != drawn[1]).any()


def test_moves_are_drawn_early_in_the_game_only(networks: list[Path]) -> None:
    boards = middle_games(60)
    plies = np.bitwise_count(boards.own | boards.other) - 4
    limit = int(np.median(plies))
    keys = np.arange(60, dtype=np.uint64)
    spec = f"policy:{networks[0]},temperature=3,seed=1"
    found = make_player(f"{spec},temperature_plies={limit}").choose_many(boards, keys)
    hot = make_player(spec).choose_many(boards, keys)
    cold = make_player(f"policy:{networks[0]}").choose_many(boards, keys)
    np.testing.assert_array_equal(found, np.where(plies < limit, hot, cold))
    assert (found != hot).any()
    assert (found != cold).any()
    with pytest.raises(SpecError, match="temperature_plies must be 0 to 60"):
        make_player(f"{spec},temperature_plies=61")


def test_asking_all_symmetries(networks: list[Path]) -> None:
    player = make_player("policy:imitation-conv,symmetric=yes")
    assert isinstance(player, PolicyPlayer)
    assert isinstance(player.network, Symmetrised)
    assert player.fingerprint.endswith("*8")


def test_a_line_network_is_symmetric_by_itself(networks: list[Path]) -> None:
    """The average says the same, and would forget which of equal moves is recorded."""
    boards = middle_games(30)
    plain, asked = (
        make_player(f"policy:{networks[0]}{option}") for option in ("", ",symmetric=yes")
    )
    assert asked.fingerprint == plain.fingerprint
    mean = Symmetrised(LinePolicy.load(networks[0])).predict(boards)
    np.testing.assert_allclose(
        legal_probabilities(boards, mean), shares_of(plain, boards), atol=1e-5
    )
    for option in ("", ",symmetric=yes"):
        assert make_player(f"policy:imitation-0ply{option}").choose(Position.start()).name == "f5"


@pytest.mark.parametrize(
    ("name", "depth", "nodes"), [("fast", 1, 5), ("0ply", 0, 1), ("conv", 0, 1)]
)
def test_how_far_networks_look(name: str, depth: int, nodes: int) -> None:
    thought = make_player(f"policy:imitation-{name}").think(Game())
    assert (thought.depth, thought.nodes) == (depth, nodes)


def test_a_bag_averages_probabilities(networks: list[Path]) -> None:
    boards = middle_games(50)
    bag = make_player(f"bag:{networks[0]}+{networks[1]}")
    both = Averaged([LinePolicy.load(path) for path in networks])
    expected = legal_probabilities(boards, both.predict(boards))
    shares = [shares_of(make_player(f"policy:{path}"), boards) for path in networks]
    np.testing.assert_allclose(expected, (shares[0] + shares[1]) / 2, atol=1e-6)
    assert bag.choose_many(boards).tolist() == expected.argmax(axis=1).tolist()
    assert bag.fingerprint.count("+") == 1
    likely = make_player(f"bag:{networks[0].parent}/net-*")
    assert likely.choose_many(boards).tolist() == expected.argmax(axis=1).tolist()


def test_what_it_thinks(networks: list[Path]) -> None:
    position = middle_games(1).positions()[0]
    player = make_player(f"policy:{networks[0]}")
    thought = player.think(Game(position))
    assert thought.move == player.choose(position)
    assert thought.values == {}
    assert thought.policy.keys() == set(position.legal_moves)
    assert sum(thought.policy.values()) == pytest.approx(1, abs=1e-5)
    assert max(thought.policy, key=lambda move: thought.policy[move]) == thought.move
    assert thought.value is not None
    assert -1 <= thought.value <= 1
    assert (thought.depth, thought.nodes) == (1, 1 + len(position.legal_moves))
    assert thought.unit is Unit.RESULT
    passed = player.think(Game(MUST_PASS))
    assert passed.policy == {}
    assert passed.move == MUST_PASS.legal_moves[0]


@pytest.mark.parametrize("options", ["", ",temperature=1,seed=1"])
def test_a_thought_costs_one_prediction(
    networks: list[Path], monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    asked: list[int] = []
    predict = LinePolicy.predict

    def counted(network: LinePolicy, boards: Boards) -> Prediction:
        asked.append(len(boards))
        return predict(network, boards)

    player = make_player(f"policy:{networks[0]}{options}")
    monkeypatch.setattr(LinePolicy, "predict", counted)
    player.think(Game.from_transcript("f5d6"))
    assert asked == [1]


def test_a_drawn_move_is_the_one_that_would_be_chosen(networks: list[Path]) -> None:
    """Thinking draws from the seed as choosing does."""
    spec = f"policy:{networks[0]},temperature=1,seed=1"
    thinking, choosing = make_player(spec), make_player(spec)
    for position in middle_games(20).positions():
        assert thinking.think(Game(position)).move == choosing.choose(position)


def test_passes_among_other_boards(networks: list[Path]) -> None:
    boards = Boards.from_positions([Position.start(), MUST_PASS, Position.start()])
    for options in ("", ",temperature=1", ",symmetric=yes"):
        moves = make_player(f"policy:{networks[0]}{options}").choose_many(boards)
        assert moves[1] == 64
        assert (moves[[0, 2]] < 64).all()


@pytest.mark.parametrize("temperature", ["-1", "nan", "inf", "1e-9", "2000"])
def test_wrong_temperatures(temperature: str, networks: list[Path]) -> None:
    for kind in ("policy", "bag"):
        with pytest.raises(SpecError, match=r"temperature (cannot|must) be"):
            make_player(f"{kind}:{networks[0]},temperature={temperature}")


def test_wrong_networks(networks: list[Path], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such network"):
        make_player("policy:nothing-is-called-so")
    with pytest.raises(DataError, match="no network's name or file matches"):
        make_player("bag:nothing-is-called-so-*")
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(networks[0].read_bytes()[:1000])
    with pytest.raises(DataError, match=r"broken\.safetensors: not a whole"):
        make_player(f"policy:{broken}")
