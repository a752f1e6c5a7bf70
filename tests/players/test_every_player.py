"""What every player must do, and how specs are read."""

from __future__ import annotations

import contextlib
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluations.champions import random_weights
from outflank import PASS, Game, IllegalMoveError, Position
from outflank._core import LineNetwork, Stop, evolved_weights
from outflank.errors import OutflankError, SpecError, ThinkingStoppedError
from outflank.evaluations.champion import save_champion
from outflank.evaluations.evolved import EvolvedNetwork
from outflank.nets import Card
from outflank.nets.line import LinePolicy
from outflank.othello.boards import Boards
from outflank.players import Spec, Thought, Unit, kinds, make_player
from protocols.called_engines import fake_edax, own_engine, spec_of
from strategies import MUST_PASS, random_game


def small_network(seed: int) -> Path:
    """The file of an untrained network."""
    path = Path(tempfile.mkdtemp()) / "small.safetensors"
    LinePolicy(LineNetwork(channels=16, hidden=16, seed=seed), Card("line", "pieces")).save(path)
    return path


def evolved_network(shape: str) -> Path:
    """The file of a network that has not evolved yet."""
    path = Path(tempfile.mkdtemp()) / f"{shape}.safetensors"
    weights = np.random.default_rng(1).uniform(-0.2, 0.2, evolved_weights(shape))
    EvolvedNetwork(shape, weights.astype(np.float32)).save(path)
    return path


def champion_weights() -> Path:
    """The file of an evaluation of the champion's form that knows little."""
    path = Path(tempfile.mkdtemp()) / "champion.safetensors"
    save_champion(path, random_weights(1), {})
    return path


# Every kind of player is tested, those that are not named here without options. Who is slow or
# needs an option has a spec here that is small enough to play whole games in a test.
SPECS = {kind: kind for kind in kinds() if kind != "human"} | {
    "random": "random:seed=1",
    "greedy": "greedy:seed=1",
    "playouts": "playouts:games=3,seed=1",
    "league": "league:swh,seed=1",
    "policy": f"policy:{small_network(1)},temperature=0.5,seed=1",
    "bag": f"bag:{small_network(1)}+{small_network(2)},symmetric=yes",
    "evolved": f"evolved:{evolved_network('spatial')},filter={evolved_network('filter')}",
    "minimax": "minimax:eval=swh,depth=2",
    "champion": f"champion:net={champion_weights()},depth=2,memory=4",
    "alphabeta": "alphabeta:eval=iago,depth=3",
    "alphabeta over a network": f"alphabeta:net={small_network(1)},depth=2",
    "hybrid": 'hybrid:policy="greedy:seed=1",stage=20-40,with="alphabeta:eval=discs,depth=2"',
    "mcts": "mcts:rollouts=20,seed=1",
    "mcts over a network": f"mcts:net={small_network(1)},sims=20,temperature=0.5,seed=1",
    "mcts over any network": "mcts:net=imitation-fast,sims=3",
    "lenient": f"lenient:discs=10,name={small_network(1)},depth=1,seed=1",
    "level": "level:beginner,seed=1",
    "gtp": spec_of("gtp", own_engine("gtp", "minimax:eval=discs")),
    "nboard": spec_of("nboard", own_engine("nboard", "minimax:eval=discs"), depth=1),
    "edax": f"edax:path={fake_edax(Path(tempfile.mkdtemp()))}",
}


def unfinished(count: int) -> Boards:
    """Positions of random games that are not over; some must pass."""
    games = (random_game(seed, plies=seed % 62) for seed in range(10 * count))
    positions = [game.position for game in games if not game.is_over]
    return Boards.from_positions([MUST_PASS, *positions[: count - 1]])


# The start, the middle of a game, and a position in which there is nothing but to pass.
GAMES = [Game(), random_game(3, plies=25), Game(MUST_PASS)]

# Players that can be stopped, at work for longer than anybody waits.
SLOW = {
    "alphabeta": "alphabeta:eval=patterns,depth=50",
    "alphabeta over a network": f"alphabeta:net={small_network(1)},depth=50",
    "champion": f"champion:net={champion_weights()},time=1m,memory=16",
    "mcts": "mcts:rollouts=100000000,memory=2000",
    "mcts over a network": f"mcts:net={small_network(1)},time=1m",
    "mcts over any network": "mcts:net=imitation-fast,sims=1000000",
}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
class TestEveryPlayer:
    def test_chooses_legal_moves(self, spec: str) -> None:
        boards = unfinished(200)
        moves = make_player(spec).choose_many(boards)
        assert moves.dtype == np.uint8
        assert boards.legal_mask()[np.arange(len(boards)), moves].all()

    def test_passes_where_it_must(self, spec: str) -> None:
        boards = unfinished(1)
        assert make_player(spec).choose_many(boards).tolist() == [PASS]
        assert make_player(spec).choose(boards.positions()[0]) == PASS

    def test_plays_a_whole_game(self, spec: str) -> None:
        player = make_player(spec)
        game = Game()
        while not game.is_over:
            game = game.play(player.choose(game.position))
        assert len(game) >= 9

    def test_plays_the_same_with_the_same_seed(self, spec: str) -> None:
        boards = unfinished(100)
        one, other = make_player(spec), make_player(spec)
        for _ in range(2):
            assert np.array_equal(one.choose_many(boards), other.choose_many(boards))

    def test_plays_by_the_keys_in_whatever_batches(self, spec: str) -> None:
        boards = unfinished(60)
        keys = np.arange(60, dtype=np.uint64)
        player = make_player(spec)
        together = player.choose_many(boards, keys)
        apart = [player.choose_many(boards[i : i + 7], keys[i : i + 7]) for i in range(0, 60, 7)]
        assert np.array_equal(together, np.concatenate(apart))
        games = [Game(position) for position in boards.positions()]
        assert player.choose_in_games(games, keys) == together.tolist()

    def test_thinks(self, spec: str) -> None:
        """Whoever asks may stop it and listen, and it may take no notice of either."""
        with make_player(spec) as player:
            for game in GAMES:
                heard: list[Thought] = []
                thought = player.think(game, stop=Stop(), on_thought=heard.append)
                assert game.position.is_legal(thought.move)
                assert thought.seconds > 0
                assert all(game.position.is_legal(one.move) for one in heard)
                assert game.position.is_legal(player.rank_moves(game, 3).move)

    def test_gives_what_its_class_promises(self, spec: str) -> None:
        with make_player(spec) as player:
            thoughts = [(game, player.think(game)) for game in GAMES]
        for game, thought in thoughts:
            legal = set(game.position.legal_moves)
            assert thought.values.keys() <= legal
            assert thought.visits.keys() <= legal
            if thought.policy:
                assert thought.policy.keys() == legal
                assert sum(thought.policy.values()) == pytest.approx(1, abs=1e-5)
            if thought.value is not None:
                assert thought.unit is (Unit.DISCS if thought.exact else player.unit)
                assert thought.unit is not Unit.RESULT or -1 <= thought.value <= 1
            assert thought.line[:1] in ((), (thought.move,))
            Game.from_moves([*game.moves, *thought.line], game.start)  # the line is legal
        found = [thought for _, thought in thoughts]
        assert any(thought.value is not None for thought in found) == player.gives_values
        assert any(thought.policy for thought in found) == player.gives_policy
        assert any(thought.visits for thought in found) == player.gives_visits
        assert player.gives_values or not any(thought.values for thought in found)

    def test_is_stopped_before_it_begins(self, spec: str) -> None:
        stop = Stop()
        stop.set()
        with make_player(spec) as player:
            try:
                thought = player.think(GAMES[1], stop=stop)
            except ThinkingStoppedError:
                assert not player.stoppable
            else:
                assert GAMES[1].position.is_legal(thought.move)

    def test_refuses_a_finished_game(self, spec: str) -> None:
        over = Position.from_string("X" * 64)
        with make_player(spec) as player:
            with pytest.raises(IllegalMoveError, match="the game is over"):
                player.choose(over)
            with pytest.raises(IllegalMoveError, match="the game is over"):
                player.think(Game(over))
            with pytest.raises(IllegalMoveError, match="the game is over"):
                player.rank_moves(Game(over), 2)

    def test_answers_an_empty_batch(self, spec: str) -> None:
        assert make_player(spec).choose_many(Boards.start(0)).tolist() == []

    def test_has_a_line_that_says_what_it_does(self, spec: str) -> None:
        player = make_player(spec)
        assert player.kind == spec.split(":")[0]
        assert player.summary


def test_every_player_that_can_be_stopped_is_stopped_here() -> None:
    assert {name for name, spec in SPECS.items() if make_player(spec).stoppable} == set(SLOW)


@pytest.mark.parametrize("spec", SLOW.values(), ids=SLOW)
def test_a_player_answers_as_soon_as_it_is_stopped(spec: str) -> None:
    """With what it has found by then."""
    heard: list[Thought] = []
    stop = Stop()
    with make_player(spec) as player:
        timer = threading.Timer(0.5, stop.set)
        timer.start()
        began = time.monotonic()
        thought = player.think(GAMES[1], stop=stop, on_thought=heard.append)
        timer.cancel()
    assert time.monotonic() - began < 10
    assert stop.is_set
    if player.gives_visits:
        counted = [sum(one.visits.values()) for one in heard]
        assert len(counted) > 1
        assert counted == sorted(counted)
    else:
        assert [one.depth for one in heard] == list(range(1, (thought.depth or 0) + 1))
    assert (thought.move, thought.value) == (heard[-1].move, heard[-1].value)


def test_an_exact_value_is_in_discs() -> None:
    assert Thought(PASS, 2.0, exact=True).unit is Unit.DISCS
    assert Thought(PASS, 2.0).unit is Unit.OWN


def test_a_person_is_asked_until_the_move_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["hello", "a1", "f5"])
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    assert make_player("human").choose(Position.start()).name == "f5"
    assert make_player("human").choose(MUST_PASS) == PASS


def test_nobody_at_the_terminal_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: object) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    with pytest.raises(OutflankError, match="nobody is at the terminal"):
        make_player("human").choose(Position.start())


def test_greedy_flips_the_most() -> None:
    position = Position.from_string("-OOOOX--" + "-OX-----" + "-" * 48 + "X")
    assert make_player("greedy").choose(position).name == "a1"


def test_more_playouts_play_better() -> None:
    """Playouts beat random moves in nearly all games, so the sign of the result is certain."""
    strong, weak = make_player("playouts:games=50,seed=1"), make_player("random:seed=2")
    boards = Boards.start(60)
    points = 0.0
    while len(boards):
        over = boards.is_over()
        done = boards[over]
        black = np.where(done.white_to_move, -done.score(), done.score())
        points += float((0.5 + 0.5 * np.sign(black)).sum())
        boards = boards[~over]
        if len(boards):
            black_moves = strong.choose_many(boards)
            white_moves = weak.choose_many(boards)
            boards = boards.play(np.where(boards.white_to_move, white_moves, black_moves))
    assert points >= 50


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", Spec("random")),
        ("policy:fast", Spec("policy", "fast")),
        ("a:b,c=1", Spec("a", "b", {"c": "1"})),
        ('gtp:cmd="x -a 1,2",n=3', Spec("gtp", "", {"cmd": "x -a 1,2", "n": "3"})),
    ],
)
def test_specs_are_read_and_written(text: str, spec: Spec) -> None:
    assert Spec.parse(text) == spec
    assert str(spec) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not a player spec"),
        ("no such", "not a player spec"),
        ("nobody", "no such player: 'nobody'; players are alphabeta, bag, champion, edax, evolved"),
        ("random:", "random: nothing follows the colon; its options are seed"),
        ("random:seed=", "cannot read"),
        ("random:seed=1,", "cannot read"),
        ('random:seed="1"x', "cannot read"),
        ("random:seed=1,seed=2", "seed is given twice"),
        ("random:seed=1,2", "'2' needs a key"),
        ("random:speed=1", "random has no option 'speed'; its options are seed"),
        ("random:seed=one", "seed cannot be 'one'; a whole number is accepted"),
        ("policy:temperature=warm", "temperature cannot be 'warm'; a number is accepted"),
        ("alphabeta:ponder=maybe", "ponder cannot be 'maybe'; yes or no is accepted"),
        ("alphabeta:time=soon", "time cannot be 'soon'; a time such as 2s or 500ms is accepted"),
        ("playouts:games=0", "games must be 1 to 100000000"),
    ],
)
def test_a_bad_spec_is_explained(text: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        make_player(text)


@given(st.text())
def test_any_text_is_a_player_or_a_spec_error(text: str) -> None:
    with contextlib.suppress(SpecError):
        make_player(text)
