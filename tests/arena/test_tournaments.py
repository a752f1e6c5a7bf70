"""Tournaments: who meets whom, the same games however they are played, and going on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from arena import arena_players
from arena.arena_players import DRAWN, WHITE_NEVER_MOVES, OneByOne, Steady
from outflank import Game, Move
from outflank.arena import (
    PairResult,
    Standings,
    Store,
    Tournament,
    TournamentError,
    TournamentListener,
    TournamentRunner,
    find_openings,
    match,
)
from outflank.arena.running import GameTask, GameWork
from outflank.chance import key_of, keys_of
from outflank.players import Player

OPENINGS = tuple(find_openings("random:6", 5))


def play(tournament: Tournament, path: Path | str = ":memory:", workers: int = 1) -> Standings:
    """Play a tournament with the players of arena_players."""
    with (
        Store(path) as store,
        TournamentRunner(tournament, store, workers=workers, make=arena_players.make) as run,
    ):
        return run.play()


def without_times(standings: Standings) -> list[object]:
    """All that does not depend on the clock."""
    players = [(row.spec, row.rating, row.games, row.wins, row.discs) for row in standings.players]
    pairs = [
        (pair.first, pair.second, pair.games, pair.wins, pair.draws, pair.interval, pair.discs)
        for pair in standings.pairs
    ]
    return [*players, *pairs]


def test_everybody_meets_everybody_from_the_same_openings() -> None:
    tournament = Tournament(("a", "b", "c"), OPENINGS, 6)
    assert tournament.kind == "round robin"
    assert [tournament.names(pairing) for pairing in range(3)] == [
        ("a", "b"), ("a", "c"), ("b", "c"),
    ]  # fmt: skip
    for pairing in range(3):
        fixtures = tournament.fixtures(pairing)
        assert [fixture.opening for fixture in fixtures] == [
            OPENINGS[0], OPENINGS[0], OPENINGS[1], OPENINGS[1], OPENINGS[2], OPENINGS[2],
        ]  # fmt: skip
        assert [fixture.number for fixture in fixtures] == [0, 1, 2, 3, 4, 5]


def test_in_a_gauntlet_the_first_meets_all_others() -> None:
    tournament = Tournament(("a", "b", "c", "d"), OPENINGS, 2, gauntlet=True)
    assert tournament.kind == "gauntlet"
    assert tournament.pairings == [(0, 1), (0, 2), (0, 3)]
    assert tournament.total == 6


def test_openings_are_used_again_when_there_are_no_more() -> None:
    fixtures = Tournament(("a", "b"), OPENINGS[:2], 10).fixtures(0)
    assert [fixture.opening for fixture in fixtures[4:6]] == [OPENINGS[0]] * 2
    assert len({fixture.key for fixture in fixtures}) == 10


def test_a_pairing_plays_the_same_games_in_every_tournament() -> None:
    two = Tournament(("a", "b"), OPENINGS, 4, seed=1)
    three = Tournament(("z", "a", "b"), OPENINGS, 10, seed=1)
    assert three.fixtures(2)[:4] == two.fixtures(0)
    assert two.fixtures(0) != Tournament(("a", "b"), OPENINGS, 4, seed=2).fixtures(0)


@pytest.mark.parametrize(
    ("players", "games", "problem"),
    [
        (("a",), 2, "it takes two players"),
        (("a", "b", "a"), 2, "a is named twice"),
        (("a", "b"), 3, "cannot play 3 games: every opening is played twice"),
        (("a", "b"), 0, "even and at least 2"),
        (("a", "b"), -2, "even and at least 2"),
    ],
)
def test_what_cannot_be_played_is_explained(
    players: tuple[str, ...], games: int, problem: str
) -> None:
    with pytest.raises(TournamentError, match=problem):
        Tournament(players, OPENINGS, games)


def test_a_match_whose_result_is_known() -> None:
    """Black wins the one opening by 64, whoever it is, and the other is a draw."""
    openings = (Game(WHITE_NEVER_MOVES), Game(DRAWN))
    (pair,) = play(Tournament(("steady", "one-by-one"), openings, 4)).pairs
    assert (pair.games, pair.wins, pair.draws, pair.losses) == (4, 1, 2, 1)
    assert (pair.winning_rate, pair.discs) == (0.5, 0.0)
    assert (pair.black_rate, pair.white_rate) == (0.75, 0.25)
    assert pair.interval[0] < 0.5 < pair.interval[1]


def test_a_player_meets_itself() -> None:
    result = match("random", "random", openings=OPENINGS, games=40)
    assert (result.games, result.different) == (40, 40)
    deterministic = play(Tournament(("steady", "steady"), OPENINGS, 20)).pairs[0]
    assert deterministic.winning_rate == 0.5
    assert deterministic.different == 10


def test_a_match_from_the_other_side() -> None:
    """Without chance, a match is the same with the players named the other way round."""
    one = play(Tournament(("steady", "illegal"), OPENINGS, 10)).pairs[0]
    other = play(Tournament(("illegal", "steady"), OPENINGS, 10)).pairs[0]
    assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins)
    assert one.errors
    assert {error.player for error in (*one.errors, *other.errors)} == {"illegal"}


@pytest.mark.parametrize("way", [{"workers": 2, "batch": 2}, {"workers": 1, "batch": 7}])
def test_workers_and_batches_do_not_change_the_games(way: dict[str, int]) -> None:
    tournament = Tournament(("chancy", "greedy", "random", "failing"), OPENINGS, 10, seed=5)
    played = []
    for how in ({"workers": 1}, way):
        with (
            Store(":memory:") as store,
            TournamentRunner(tournament, store, make=arena_players.make, **how) as run,
        ):
            table = without_times(run.play())
            played.append((table, [(game.moves, game.result) for game in run.games()]))
    assert played[0] == played[1]


def test_who_fails_loses_and_the_tournament_goes_on() -> None:
    table = play(Tournament(("failing", "steady", "illegal:64"), OPENINGS, 10))
    assert table.games == table.total == 30
    errors = {row.spec: row.errors for row in table.players}
    assert errors["failing"] > 0
    assert errors["illegal:64"] > 0
    assert errors["steady"] == 0
    reasons = {error.reason for pair in table.pairs for error in pair.errors}
    assert "the engine is gone" in reasons
    assert any("may not pass" in reason for reason in reasons)


class Stopping(TournamentListener):
    """Interrupts a tournament after some games, as a person does."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.began_with = -1

    def began(self, run: TournamentRunner, played: int) -> None:
        self.began_with = played

    def advanced(self, played: float) -> None:
        if played >= self.after:
            raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("players", "workers"), [(("random", "greedy", "steady"), 1), (("chancy", "one-by-one"), 2)]
)
def test_an_interrupted_tournament_goes_on(
    tmp_path: Path, players: tuple[str, ...], workers: int
) -> None:
    tournament = Tournament(players, OPENINGS, 10, seed=1)
    expected = without_times(play(tournament))
    began = []
    with Store(tmp_path / "results.sqlite") as store:
        for after in (3, 6, 1000):
            with TournamentRunner(
                tournament, store, workers=workers, batch=2, make=arena_players.make
            ) as run:
                watch = Stopping(after)
                if after < 1000:
                    with pytest.raises(KeyboardInterrupt):
                        run.play(watch)
                else:
                    assert without_times(run.play(watch)) == expected
            began.append(watch.began_with)
    assert began[0] == 0
    assert 1 <= began[1] < began[2] < tournament.total


def test_a_finished_tournament_is_not_played_again_unless_told() -> None:
    tournament = Tournament(("random", "greedy"), OPENINGS, 10)
    with Store(":memory:") as store:
        tables = []
        for again, before in ((False, 0), (False, 10), (True, 0)):
            with TournamentRunner(tournament, store) as run:
                watch = Stopping(1000)
                tables.append(without_times(run.play(watch, again=again)))
                assert watch.began_with == before
    assert tables[0] == tables[1] == tables[2]


def test_players_of_new_data_play_anew() -> None:
    @dataclass
    class Trained(Steady):
        weights: str = ""

        @property
        def fingerprint(self) -> str:
            return self.weights

    tournament = Tournament(("net", "other"), OPENINGS, 2)
    with Store(":memory:") as store:
        for weights in ("first", "second"):
            with TournamentRunner(
                tournament,
                store,
                make=lambda spec, w=weights: Trained(weights=w),  # type: ignore[misc]
            ) as run:
                watch = Stopping(1000)
                run.play(watch)
                assert watch.began_with == 0


def test_a_worker_that_dies_costs_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = Tournament(("mortal", "steady"), OPENINGS, 6)
    monkeypatch.setenv("MORTAL", str(tmp_path / "mortal"))
    expected = play(tournament)
    (tmp_path / "mortal").touch()
    table = play(tournament, workers=2)
    assert without_times(table) == without_times(expected)
    assert not (tmp_path / "mortal").exists()


class Bad(Steady):
    def choose_many(self, boards: object, keys: object = None) -> Any:
        raise ZeroDivisionError("a fault in the code of a player")


def test_a_fault_in_a_player_stops_the_tournament() -> None:
    def make(spec: str) -> Player:
        return Bad() if spec == "bad" else Steady()

    tournament = Tournament(("bad", "steady"), OPENINGS, 4)
    with (
        Store(":memory:") as store,
        TournamentRunner(tournament, store, make=make) as run,
        pytest.raises(ZeroDivisionError),
    ):
        run.play()


@dataclass
class Closing(OneByOne):
    """Counts how many of it are open."""

    open: ClassVar[int] = 0
    made: ClassVar[int] = 0

    def __post_init__(self) -> None:
        Closing.open += 1
        Closing.made += 1

    def close(self) -> None:
        Closing.open -= 1


def test_workers_keep_players_as_long_as_they_play() -> None:
    Closing.open = Closing.made = 0
    fixtures = Tournament(("a", "b"), OPENINGS, 4).fixtures(0)
    work = GameWork(lambda spec: Closing())
    for fixture in fixtures:
        work.do(GameTask("a", "b", [fixture]))
    assert (Closing.made, Closing.open) == (2, 2)
    work.do(GameTask("a", "c", fixtures[:1]))
    assert (Closing.made, Closing.open) == (3, 2)
    work.do(GameTask("a", "a", fixtures[:1]))
    assert (Closing.made, Closing.open) == (4, 2)
    work.close()
    assert Closing.open == 0


def test_all_players_are_closed() -> None:
    Closing.open = Closing.made = 0

    def make(spec: str) -> Player:
        player = Closing()
        player.batched = spec != "a"
        return player

    tournament = Tournament(("a", "b", "c"), OPENINGS, 2)
    with (
        Store(":memory:") as store,
        TournamentRunner(tournament, store, workers=1, make=make) as run,
    ):
        run.play()
    assert Closing.made > 3
    assert Closing.open == 0


def test_a_match_is_one_call() -> None:
    result = match("greedy", "random", openings=OPENINGS)
    assert isinstance(result, PairResult)
    assert result.games == 10
    assert (result.first, result.second) == ("greedy", "random")


def test_games_that_are_kept_are_legal_and_begin_with_their_openings() -> None:
    with Store(":memory:") as store:
        match("greedy", "random", openings=OPENINGS, store=store)
        games = list(store.games())
    for number, game in enumerate(games):
        Game.from_moves(game.moves)
        assert game.is_over
        assert game.moves[:6] == OPENINGS[number // 2].moves
        assert game.black == ("greedy" if number % 2 == 0 else "random")
    assert isinstance(games[0].moves[0], Move)


_TOURNAMENT = [
    sys.executable, "-m", "outflank", "tournament", "playouts:games=150", "greedy", "random",
    "--games", "12", "--seed", "3", "--batch", "2", "--json",
]  # fmt: skip


def count_games(store: Path) -> int:
    """Count from outside, as another process sees the file."""
    if not store.exists():
        return 0
    connection = sqlite3.connect(store, timeout=10)
    try:
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # it is only being made
        return 0
    finally:
        connection.close()


def rows(store: Path, columns: str) -> list[tuple[object, ...]]:
    """All games of a file that must be whole."""
    connection = sqlite3.connect(store)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        query = f"SELECT {columns} FROM games ORDER BY pairing, number"
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_a_tournament_that_is_killed_goes_on_to_the_same_games(tmp_path: Path) -> None:
    """With kill -9, several times, in the middle of whatever it does."""
    store = tmp_path / "results.sqlite"
    command = [*_TOURNAMENT, "--store", str(store)]
    seen = 0
    for more in (1, 6):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            while count_games(store) < seen + more and process.poll() is None:
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        assert count_games(store) >= seen + more
        seen = count_games(store)
    assert seen < 36
    before = rows(store, "*")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = rows(store, "*")
    assert set(before) <= set(after)  # what was there was not played again
    openings = tuple(find_openings("random:6", 6, seed=3))
    whole = tmp_path / "whole.sqlite"
    play(Tournament(("playouts:games=150", "greedy", "random"), openings, 12, 3), whole)
    facts = "pairing, number, opening, moves, score, reason"
    assert rows(store, facts) == rows(whole, facts)
    assert len(after) == 36


def test_an_interrupted_command_says_how_to_go_on(tmp_path: Path) -> None:
    store = tmp_path / "results.sqlite"
    command = [*_TOURNAMENT, "--store", str(store)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while count_games(store) < 2:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert "of 36 games are played and stored; run the same command again to continue." in errors
    assert "Traceback" not in errors


def keys_of_games(*players: str, fingerprints: tuple[str, ...] = ()) -> list[int]:
    tournament = Tournament(players, OPENINGS, 4, fingerprints=fingerprints)
    return [fixture.key for fixture in tournament.fixtures(0)]


def test_where_a_players_files_lie_changes_no_game() -> None:
    """Ties and temperatures are drawn from keys, which have the data's fingerprint for its path."""
    spec = "policy:name={},temperature=1"
    paths = ("/home/a/net.onnx", "b/net.onnx", "net.onnx", "/x/run")
    found = [keys_of_games(spec.format(path), "random", fingerprints=("f1", "")) for path in paths]
    assert found.count(found[0]) == len(paths)
    assert keys_of_games(spec.format("net.onnx"), "random", fingerprints=("f2", "")) != found[0]
    together = [
        keys_of_games(f"bag:networks={one}a+{one}b", "random", fingerprints=("f1", ""))
        for one in ("/home/", "runs/")
    ]
    assert together[0] == together[1]


def test_names_without_a_path_are_drawn_as_ever() -> None:
    """So that stored games are those that would be played today."""
    for name in ("policy:imitation-0ply", "league:cocmaes-4+2x2", "gtp:cmd=gtp-rhino -m 2 -e 4"):
        wanted = keys_of(key_of("games", 0, name, "random"), np.arange(4)).tolist()
        assert keys_of_games(name, "random", fingerprints=("f", "")) == wanted
