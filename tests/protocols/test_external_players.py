"""Other programs' engines as players: specs, whole games, and GRhino itself."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

from outflank import BLACK, PASS, WHITE, Color, Game, Move, Position, records
from outflank._core import Stop
from outflank.errors import EngineError, SpecError, ThinkingStoppedError
from outflank.players import Player, Spec, kinds, make_player
from outflank.players.external import ExternalPlayer
from protocols.called_engines import (
    fake_edax,
    faulty_engine,
    own_engine,
    play_games,
    rhino,
    spec_of,
)
from strategies import MUST_PASS, random_game


@pytest.fixture(scope="module")
def grhino() -> Iterator[Player]:
    """GRhino as a player."""
    with make_player(spec_of("gtp", rhino(), timeout=20)) as player:
        yield player


@pytest.fixture
def opponent() -> Player:
    return make_player("random:seed=5")


def test_grhino_plays_both_colors(grhino: Player, opponent: Player) -> None:
    (black,) = play_games(grhino, opponent, [Game()])
    (white,) = play_games(opponent, grhino, [Game()])
    assert black.is_over
    assert white.is_over
    assert black.score - white.score > 0  # it is no random player


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_grhino_plays_on_after_a_pass(color: Color, grhino: Player, opponent: Player) -> None:
    """It passes by itself and refuses to be told so, whoever it is that must pass."""
    start = game_to_a_pass(color)
    for players in ((grhino, opponent), (opponent, grhino)):
        (game,) = play_games(*players, [start])
        assert game.moves[len(start)] == PASS
        assert game.is_over


def game_to_a_pass(color: Color) -> Game:
    """A game in which a side must pass, and which is not over after a few plies."""
    for seed in range(1000):
        game = random_game(seed)
        for ply in range(len(game) - 5):
            if game.moves[ply] == PASS and (ply % 2 == 0) == (color is BLACK):
                return game.undo(len(game) - ply)
    raise AssertionError("no such game")


def test_grhino_begins_at_other_positions(
    grhino: Player, opponent: Player, openings_data: Path
) -> None:
    """White is to move, or black, which no moves from the start could bring about."""
    openings = [game.start for game in records.read(openings_data)][:2]
    for start in (*openings, replace(openings[0], turn=BLACK)):
        assert play_games(grhino, opponent, [Game(start)])[0].is_over
        assert play_games(opponent, grhino, [Game(start)])[0].is_over


def test_grhino_refuses_a_board_without_its_centre(grhino: Player) -> None:
    """It sets up only boards on which the four centre squares are taken."""
    with pytest.raises(EngineError, match="gtp-rhino: cannot be brought to"):
        grhino.choose(MUST_PASS.play(PASS))


@pytest.mark.parametrize("kind", ["gtp", "nboard"])
def test_our_own_engine_plays_whole_games(kind: str, opponent: Player) -> None:
    """Several games in lockstep, with fewer engines than games."""
    command = own_engine(kind, "greedy:seed=1")
    starts = [Game(), random_game(1, 40), random_game(2, 50)]
    with make_player(spec_of(kind, command, processes=2)) as player:
        for games in (play_games(player, opponent, starts), play_games(opponent, player, starts)):
            assert all(game.is_over for game in games)


def test_an_engine_may_stand_between() -> None:
    """NBoard to us, GTP to the engine behind us."""
    inner = f"gtp:cmd={' '.join(faulty_engine('gtp', 'f5'))}"
    with make_player(spec_of("nboard", own_engine("nboard", inner))) as player:
        assert player.choose(Position.start()) == Move("f5")


def test_nboard_tells_value_and_line() -> None:
    command = own_engine("nboard", "minimax:eval=discs,depth=1")
    with make_player(spec_of("nboard", command, depth=2)) as player:
        thought = player.think(Game())
    assert thought.value == 0.0  # three discs more, and then as many for the other side
    assert thought.depth == 2
    assert thought.line[:1] == (thought.move,)
    assert thought.seconds > 0


def test_edax_tells_value_and_line(tmp_path: Path) -> None:
    with make_player(f"edax:level=5,path={fake_edax(tmp_path)}") as player:
        thought = player.think(Game())
        assert player.choose(Position.start()) == thought.move == Move("d3")
    assert (thought.value, thought.depth, thought.nodes) == (4.0, 5, 2500)
    assert thought.line == (Move("d3"), Move("c3"))


def test_an_error_names_the_engine_and_the_game_can_be_asked_again() -> None:
    with make_player(spec_of("gtp", faulty_engine("gtp", "dies", "f5"))) as player:
        assert isinstance(player, ExternalPlayer)
        assert player.choose(Position.start()) == Move("f5")
        with pytest.raises(EngineError, match="exit code 3: out of memory"):
            player.choose(Position.start())
        found = player.answers([Game(), Game()])
        assert [isinstance(answer, EngineError) for answer in found] == [False, True]


def test_an_engine_that_is_stopped_is_ended_and_can_be_asked_again() -> None:
    """It plays one move, then hangs; the one that is started anew plays its move again."""
    stop = Stop()
    with make_player(spec_of("gtp", faulty_engine("gtp", "hangs", "f5"))) as player:
        assert player.think(Game(), stop=stop).move == Move("f5")
        threading.Timer(0.3, stop.set).start()
        began = time.monotonic()
        with pytest.raises(ThinkingStoppedError, match="stopped before it answered"):
            player.think(Game(), stop=stop)
        assert time.monotonic() - began < 10
        assert player.think(Game()).move == Move("f5")


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("gtp", "gtp: cmd is missing: the command line of the engine"),
        ('gtp:cmd="no-such-engine -x"', "there is no program 'no-such-engine'"),
        ('gtp:cmd="it\'s"', "cmd cannot be read: No closing quotation"),
        ("gtp:cmd=true,timeout=0", "timeout must be more than 0 seconds"),
        ("gtp:cmd=true,timeout=nan", "a number is accepted"),
        ("gtp:cmd=true,processes=0", "processes must be 1 to 256"),
        ("nboard:cmd=true,depth=0", "depth must be at least 1"),
        ("edax:level=99", "level must be 0 to 60"),
        ("edax:threads=0", "threads must be at least 1"),
        ("edax:path=/no/edax", "there is no program '/no/edax': give path="),
    ],
)
def test_a_wrong_spec_is_explained(spec: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        make_player(spec)


def test_edax_is_found_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "/bin")
    with pytest.raises(SpecError, match=r"edax: there is no program 'edax'.* set OUTFLANK_EDAX"):
        make_player("edax")
    monkeypatch.setenv("OUTFLANK_EDAX", str(fake_edax(tmp_path)))
    make_player("edax")


def test_edax_runs_where_its_data_are(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "edax"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\npwd >&2\nexit 1\n")
    program.chmod(0o755)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "eval.dat").touch()
    with (
        make_player(f"edax:path={program}") as player,
        pytest.raises(EngineError, match=f"edax: ended with exit code 1: {tmp_path}"),
    ):
        player.choose(Position.start())


def test_the_specs_of_the_documentation_are_right() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "engines.md").read_text()
    specs = re.findall(r"`((?:gtp|nboard|edax):[^`]+)`", text)
    assert len(specs) >= 4
    for spec in map(Spec.parse, specs):
        assert set(spec.options) <= {option.name for option in fields(kinds()[spec.kind])}
