"""The public face: every name of it does what it is for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import outflank

ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
OVER = "f5d6c5f4e3f6g5e6e7"


def test_every_public_name_is_used_here() -> None:
    used = set(re.findall(r"outflank\.(\w+)", Path(__file__).read_text()))
    assert set(outflank.__all__) <= used
    assert len(outflank.__all__) < 30


def test_names_are_found_and_others_are_not() -> None:
    assert set(outflank.__all__) <= set(dir(outflank))
    for name in outflank.__all__:
        assert getattr(outflank, name) is getattr(outflank, name)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        outflank.nonsense  # noqa: B018  # type: ignore[attr-defined]


def test_a_star_import_brings_them_all() -> None:
    code = "from outflank import *; import outflank; print(set(outflank.__all__) - set(globals()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_functions_say_what_their_arguments_are() -> None:
    functions = [outflank.load_network, outflank.match, outflank.search, outflank.solve]
    functions += [outflank.make_player, outflank.read, outflank.write]
    for function in functions:
        told = function.__doc__ or ""
        _, _, described = told.partition("Args:\n")
        for name in function.__annotations__.keys() - {"return"}:
            assert re.search(rf"^ +{name}: \w", described, re.MULTILINE), (function, name)


def test_the_rules() -> None:
    position = outflank.Position.start()
    assert position.turn is outflank.BLACK is outflank.Color.BLACK
    assert position.play(outflank.Move("f5")).turn is outflank.WHITE
    assert outflank.SQUARES[0] == outflank.Move("a1")
    assert outflank.PASS.name == "pass"
    game = outflank.Game.from_transcript("f5d6")
    assert game.position == position.play("f5").play("d6")
    assert outflank.Note("good").comment == "good"
    assert re.match(r"\d+\.\d+", outflank.__version__)


def test_errors() -> None:
    with pytest.raises(outflank.IllegalMoveError):
        outflank.Position.start().play("a1")
    with pytest.raises(outflank.NotationError):
        outflank.Move("z9")
    with pytest.raises(outflank.SpecError):
        outflank.make_player("nobody")
    for error in (outflank.RecordError, outflank.SpecError, outflank.IllegalMoveError):
        assert issubclass(error, outflank.OutflankError)


def test_players_and_matches() -> None:
    player = outflank.make_player("greedy:seed=1")
    assert isinstance(player, outflank.Player)
    assert player.choose(outflank.Position.start()) in outflank.Position.start().legal_moves
    result = outflank.match("greedy", "random", games=40, seed=1)
    assert (result.games, result.first) == (40, "greedy")
    again = outflank.match("greedy", "random", games=40, seed=1, openings="random:6")
    assert (again.wins, again.discs) == (result.wins, result.discs)
    assert outflank.match("greedy", "random").games == 100
    assert outflank.match("greedy", "random", openings=[outflank.Game()]).games == 2


def test_a_match_from_the_openings_of_a_file(tmp_path: Path) -> None:
    openings = [outflank.Game.from_transcript(moves) for moves in ("f5d6", "f5f6", "f5f4")]
    outflank.write(tmp_path / "openings.txt", openings)
    result = outflank.match("greedy", "random", openings=str(tmp_path / "openings.txt"))
    assert result.games == 6


def test_reading_and_writing(tmp_path: Path) -> None:
    game = outflank.Game.from_transcript(OVER, black="A")
    outflank.write(tmp_path / "games.ggf", [game])
    (read,) = outflank.read(tmp_path / "games.ggf")
    assert (read.moves, read.black) == (game.moves, "A")
    (tmp_path / "bad.ggf").write_bytes(b"(;GM[Othello]")
    with pytest.raises(outflank.RecordError):
        list(outflank.read(tmp_path / "bad.ggf"))


def test_solving() -> None:
    position = outflank.Position.from_string(ENDGAME)
    solution = outflank.solve(position)
    assert isinstance(solution, outflank.Solution)
    assert solution.score == 18
    assert solution.line[0] == solution.move
    for move in solution.line:
        position = position.play(move)
    assert position.is_over
    assert position.score_of("black") == 18
    assert solution.nodes > 1000
    assert solution.seconds > 0
    start = outflank.Game(outflank.Position.from_string(ENDGAME))
    assert outflank.solve(start, threads=2).score == 18
    assert outflank.solve(start, win_draw_loss=True, memory=8).score == 1


def test_solving_what_is_over() -> None:
    solution = outflank.solve(outflank.Game.from_transcript(OVER))
    assert (solution.score, solution.move, solution.line) == (-64, None, ())


def test_searching() -> None:
    game = outflank.Game.from_transcript("f5d6c3")
    thought = outflank.search(game, depth=5)
    assert isinstance(thought, outflank.Thought)
    assert thought.depth == 5
    assert thought.move in game.position.legal_moves
    assert thought.line[0] == thought.move
    again = outflank.search(game.position, depth=5, evaluation="patterns")
    assert (again.move, again.value, again.line) == (thought.move, thought.value, thought.line)
    assert outflank.search(game).depth == 6
    assert outflank.search(game, evaluation="discs", nodes=2000, threads=2).nodes is not None
    assert outflank.search(game, seconds=0.05, memory=8).seconds < 5
    end = outflank.Position.from_string(ENDGAME).play("g8")
    assert outflank.search(end, seconds=60).exact


def test_what_cannot_be_searched() -> None:
    with pytest.raises(outflank.IllegalMoveError, match="over"):
        outflank.search(outflank.Game.from_transcript(OVER))
    with pytest.raises(outflank.SpecError, match="depth"):
        outflank.search(outflank.Position.start(), depth=0)
    with pytest.raises(outflank.OutflankError, match="nonsense"):
        outflank.search(outflank.Position.start(), evaluation="nonsense")


def test_networks() -> None:
    by_name = outflank.load_network("imitation-fast", threads=1)
    shipped = Path(outflank.__file__).parent / "models"
    by_file = outflank.load_network(shipped / "imitation-fast.safetensors")
    assert by_name.fingerprint == by_file.fingerprint
    with pytest.raises(outflank.OutflankError, match="no such network"):
        outflank.load_network("nothing")
