"""The results store: what goes in comes out, also with two processes, also in every format."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from outflank import Game, records
from outflank.arena import Store, Tournament, check_export, export, find_openings, ladder
from outflank.arena.lockstep import PlayedGame
from outflank.errors import FileError, RecordError
from strategies import random_game

OPENINGS = tuple(find_openings("random:6", 3))


def tournament(*players: str, games: int = 6, seed: int = 0) -> Tournament:
    return Tournament(players or ("ann", "bo"), OPENINGS, games, seed)


def played(number: int, **facts: object) -> PlayedGame:
    """A random game from the opening that the number has."""
    opening = OPENINGS[number // 2 % 3]
    game = random_game(number, start=opening.position)
    usual = {"score": game.score, "reason": "", "black_moves": 25, "white_moves": 26}
    usual |= {"black_seconds": 0.5, "white_seconds": 0.25}
    return PlayedGame(number, bytes(game.moves), **{**usual, **facts})  # type: ignore[arg-type]


def test_games_come_out_as_they_went_in(tmp_path: Path) -> None:
    wanted = tournament()
    games = [played(number) for number in range(6)]
    with Store(tmp_path / "results.sqlite") as store:
        store.add(store.enter(wanted), wanted, 0, games)
    with Store(tmp_path / "results.sqlite") as store:
        number = store.enter(wanted)
        assert store.played(number) == {0: set(range(6))}
        (scores,) = store.scores(number).values()
        assert [score.score for score in scores] == [game.score for game in games]
        kept = list(store.games(number))
    for game, record in zip(games, kept, strict=True):
        opening = OPENINGS[game.number // 2]
        assert bytes(record.moves) == bytes(opening.moves) + game.moves
        assert record.is_over
        assert record.score == record.result == game.score
        names = ("ann", "bo") if game.number % 2 == 0 else ("bo", "ann")
        assert (record.black, record.white) == names


def test_a_tournament_is_found_by_what_decides_its_games() -> None:
    with Store(":memory:") as store:
        first = store.enter(tournament())
        assert store.enter(tournament()) == first
        others = [
            tournament("ann", "cy"),
            tournament("bo", "ann"),
            tournament(games=4),
            tournament(seed=1),
            Tournament(("ann", "bo"), OPENINGS[:2], 6),
            Tournament(("ann", "bo"), OPENINGS, 6, fingerprints=("new weights", "")),
            tournament("ann", "bo", "cy"),
            Tournament(("ann", "bo", "cy"), OPENINGS, 6, gauntlet=True),
        ]
        numbers = [store.enter(other) for other in others]
    assert len({first, *numbers}) == 9


def test_a_game_that_is_there_stays_as_it_is() -> None:
    with Store(":memory:") as store:
        number = store.enter(tournament())
        store.add(number, tournament(), 0, [played(0, score=2)])
        store.add(number, tournament(), 0, [played(0, score=4), played(1)])
        assert store.scores(number)[0][0].score == 2
        assert store.played(number) == {0: {0, 1}}
        store.forget_games(number)
        assert store.played(number) == {}


def test_games_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        number = store.enter(tournament())
        bad = played(1, score=None)
        with pytest.raises(FileError, match="cannot write: NOT NULL constraint failed"):
            store.add(number, tournament(), 0, [played(0), bad])
        assert store.played(number) == {}
        store.add(number, tournament(), 0, [played(0)])
    with Store(tmp_path / "results.sqlite") as store:
        assert store.played(number) == {0: {0}}


def test_the_ladder_counts_a_game_once_however_often_it_was_played() -> None:
    with Store(":memory:") as store:
        for seed in range(3):  # the same games in three tournaments
            wanted = tournament(seed=seed)
            store.add(store.enter(wanted), wanted, 0, [played(0, score=6), played(1, score=-2)])
        table = ladder(store)
    assert table.games == 2
    assert [(row.spec, row.wins, row.discs) for row in table.players] == [
        ("ann", 2, 4.0), ("bo", 0, -4.0),
    ]  # fmt: skip


def test_the_ladder_tells_players_of_different_data_apart() -> None:
    with Store(":memory:") as store:
        for fingerprint in ("", "0123456789"):
            wanted = Tournament(("ann", "bo"), OPENINGS, 6, fingerprints=(fingerprint, ""))
            store.add(store.enter(wanted), wanted, 0, [played(0), played(1)])
        names = {row.spec for row in ladder(store).players}
    assert names == {"ann [no data]", "ann [01234567]", "bo"}


@pytest.mark.parametrize("content", [b"this is no database at all, but text" * 50, b"\x89PNG" * 9])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other"
    file.write_bytes(content)
    with pytest.raises(FileError, match="other: cannot open: it is not a results store"):
        Store(file)
    assert file.read_bytes() == content


def test_databases_of_others_are_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(FileError, match="it is not a results store"):
        Store(file)
    assert file.read_bytes() == before


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "results.sqlite").close()
    connection = sqlite3.connect(tmp_path / "results.sqlite")
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(FileError, match="it has version 7; this program needs 1"):
        Store(tmp_path / "results.sqlite")


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no results store"):
        Store(tmp_path / "none.sqlite", create=False)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileError, match="cannot open: unable to open database file"):
        Store(tmp_path / "no folder" / "results.sqlite")


_WRITER = """
import sys
from arena.test_store import played, tournament
from outflank.arena import Store

wanted = tournament(*sys.argv[2:4], games=60)
with Store(sys.argv[1]) as store:
    number = store.enter(wanted)
    for game in range(60):
        store.add(number, wanted, 0, [played(game)])
"""


def test_several_processes_write_to_one_file(tmp_path: Path) -> None:
    """Two write the same tournament, a third another one; all begin with no file."""
    file = tmp_path / "results.sqlite"
    tests = str(Path(__file__).resolve().parents[1])
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(file), *players],
            env={"PYTHONPATH": tests},
            stderr=subprocess.PIPE,
            text=True,
        )
        for players in (("ann", "bo"), ("ann", "bo"), ("ann", "cy"))
    ]
    for writer in writers:
        assert writer.communicate(timeout=60)[1] == ""
        assert writer.returncode == 0
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("SELECT count(*) FROM games").fetchone() == (120,)
    assert connection.execute("SELECT count(*) FROM tournaments").fetchone() == (2,)
    assert connection.execute("SELECT count(*) FROM players").fetchone() == (3,)
    connection.close()


@pytest.mark.parametrize("name", ["a.ggf", "a.sgf", "a.txt", "a.wtb"])
def test_games_are_exported_in_every_format_that_holds_games(tmp_path: Path, name: str) -> None:
    wanted = tournament("alphabeta:eval=swh,depth=1", 'gtp:cmd="engine [1,2] -x"')
    with Store(":memory:") as store:
        number = store.enter(wanted)
        store.add(number, wanted, 0, [played(0), played(1), played(2, reason="the engine is gone")])
        assert export(tmp_path / name, store.games(number)) == 3
        kept = list(store.games(number))
    found = list(records.read(tmp_path / name))
    assert [game.moves for game in found] == [game.moves for game in kept]
    if name in ("a.ggf", "a.sgf"):
        assert [(game.black, game.white, game.result) for game in found] == [
            (game.black, game.white, game.result) for game in kept
        ]


def test_names_that_a_format_has_no_room_for_stay_different(tmp_path: Path) -> None:
    names = [f"alphabeta:eval=iago,depth={depth}" for depth in range(12)]
    games = [Game.from_transcript("f5d6", black=name, white="Ωmega") for name in names]
    export(tmp_path / "a.wtb", games)
    found = list(records.read(tmp_path / "a.wtb"))
    assert len({game.black for game in found}) == 12
    assert found[0].black == "alphabeta:eval=iago"
    assert found[11].black == "alphabeta:eval=i~12"


def test_games_from_a_position_get_the_moves_that_lead_there(tmp_path: Path) -> None:
    opening = Game.from_transcript("f5d6c3d3c4")
    game = Game(opening.position).play("f4")
    check_export(tmp_path / "a.txt", [Game(opening.position)])
    export(tmp_path / "a.txt", [game])
    (found,) = records.read(tmp_path / "a.txt")
    assert found.position == game.position


@pytest.mark.parametrize("name", ["a.obf", "a.boards"])
def test_what_a_format_cannot_hold_is_said_before_the_games(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match=f"{name}: moves: .* hold no moves"):
        check_export(tmp_path / name, [Game()])
    assert list(tmp_path.iterdir()) == []


def test_games_from_positions_that_cannot_be_reached(tmp_path: Path) -> None:
    lonely = Game.from_transcript("f5d6c3").position
    other_side = Game(type(lonely)(lonely.black, lonely.white, lonely.turn.other))
    with pytest.raises(RecordError, match=r"a.txt: start: a transcript begins at the start"):
        check_export(tmp_path / "a.txt", [other_side])
    check_export(tmp_path / "a.ggf", [other_side])
