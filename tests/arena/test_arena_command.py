"""`outflank match`, `tournament` and `ratings`: what they print, for people and for programs."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.arena_players import Failing, OneByOne, Steady
from outflank import records
from outflank.cli import arena as arena_cli
from outflank.cli import arena_tables, main
from outflank.players import registry
from strategies import random_game

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs `outflank ARGUMENTS` and gives its exit code and output."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("OUTFLANK_DATA", str(tmp_path / "data"))

    def run_command(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outflank", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
            code: Any = 0
        except SystemExit as stop:
            code = stop.code or 0
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_command


@pytest.fixture
def answer(run: Run) -> Callable[..., Any]:
    """Return a function that runs a command with --json and gives its answer."""

    def ask(*arguments: object) -> Any:
        code, out, err = run(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return ask


@pytest.mark.parametrize("command", ["match", "tournament", "ratings"])
def test_every_command_explains_itself(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert "Examples:" in out


def test_a_match_for_programs(answer: Callable[..., Any]) -> None:
    match = answer("match", "greedy", "random", "--games", 40, "--seed", 1)
    assert {
        "games", "wins", "draws", "losses", "winning_rate", "interval", "discs",
    } <= set(match)  # fmt: skip
    assert match["games"] == match["wins"] + match["draws"] + match["losses"] == 40
    assert match["winning_rate"] == (match["wins"] + match["draws"] / 2) / 40
    assert match["interval"][0] < match["winning_rate"] < match["interval"][1]
    assert match["players"] == ["greedy", "random"]
    assert len(match["seconds_per_move"]) == 2
    assert match["errors"] == []
    assert match["elo_interval"][0] < match["elo"] < match["elo_interval"][1]


def test_a_match_is_the_same_by_the_same_seed(answer: Callable[..., Any]) -> None:
    def discs(seed: int) -> float:
        return float(answer("match", "greedy", "random", "--games", 20, "--seed", seed)["discs"])

    assert discs(1) == discs(1) != discs(2)


def test_a_shipped_network_has_one_name(answer: Callable[..., Any]) -> None:
    found = answer("match", "evolved:evolved-novice,depth=1", "random", "--games", 2)
    assert found["players"] == ["evolved:novice,depth=1", "random"]
    ladder = answer("ratings", "--anchor", "evolved:evolved-novice,depth=1")
    assert {row["spec"] for row in ladder["players"]} == set(found["players"])


def test_a_match_for_people(run: Run) -> None:
    code, out, _ = run("match", "greedy", "random", "--games", 20)
    assert code == 0
    for words in ("greedy - random", "20:", "winning rate", "95%", "as black", "time per move"):
        assert words in out
    assert run("match", "random", "random", "--games", 2)[0] == 0


def test_a_tournament_for_programs(answer: Callable[..., Any]) -> None:
    table = answer("tournament", "random", "greedy", "playouts:games=9", "--games", 10)
    assert [set(row) >= {"spec", "elo", "interval", "games"} for row in table["players"]] == [
        True
    ] * 3
    best = table["players"][0]
    assert (best["spec"], best["games"]) == ("playouts:games=9", 20)
    assert sum(row["elo"] for row in table["players"]) == pytest.approx(0, abs=1e-6)
    assert [pair["players"] for pair in table["pairs"]] == [
        ["random", "greedy"], ["random", "playouts:games=9"], ["greedy", "playouts:games=9"],
    ]  # fmt: skip
    assert {pair["games"] for pair in table["pairs"]} == {10}


def test_a_tournament_for_people(run: Run) -> None:
    arguments = ["tournament", "random", "greedy", "playouts:games=5", "--games", 4]
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert "playouts:games=5" in out
    assert "row against column" in out
    code, again, err = run(*arguments)
    assert again == out
    assert "All games were played before; --again plays them again." in err
    assert run(*arguments, "--again")[2] == ""


def test_a_gauntlet_and_an_anchor(answer: Callable[..., Any]) -> None:
    table = answer(
        "tournament", "greedy", "random", "playouts:games=5", "--games", 4, "--gauntlet",
        "--anchor", "random",
    )  # fmt: skip
    assert table["kind"] == "gauntlet"
    assert len(table["pairs"]) == 2
    (random,) = [row for row in table["players"] if row["spec"] == "random"]
    assert (random["elo"], random["interval"]) == (0.0, [0.0, 0.0])


def test_the_ladder(run: Run, answer: Callable[..., Any], tmp_path: Path) -> None:
    code, _, err = run("ratings")
    assert code == 2
    assert "there is no results store; match and tournament make it" in err
    answer("match", "greedy", "random", "--games", 20)
    answer("tournament", "greedy", "random", "playouts:games=9", "--games", 20)
    table = answer("ratings")
    assert table["games"] == 60  # the match is also a part of the tournament
    assert [row["spec"] for row in table["players"]] == ["playouts:games=9", "greedy", "random"]
    assert answer("ratings", "--anchor", "random")["players"][2]["elo"] == 0.0
    assert "60 games in" in run("ratings")[1]
    assert run("ratings", "--anchor", "nobody")[0] == 2
    target = tmp_path / "all.ggf"
    answer("ratings", "--export", target)
    assert len(list(records.read(target))) == 80


def test_ratings_after_a_match_that_could_not_begin(run: Run, answer: Callable[..., Any]) -> None:
    assert run("match", 'gtp:cmd="/nonexistent/engine"', "random", "--games", "2")[0] == 2
    table = answer("ratings")
    assert (table["players"], table["games"]) == ([], 0)
    code, out, err = run("ratings")
    assert (code, err) == (0, "")
    assert "0 games in" in out


def test_openings_from_a_file(answer: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    openings = [random_game(seed, plies=8) for seed in range(7)]
    records.write(file, openings)
    target = tmp_path / "games.ggf"
    found = answer("match", "greedy", "random", "--openings", file, "--export", target)
    assert found["games"] == 14
    games = list(records.read(target))
    assert [game.moves[:8] for game in games[::2]] == [game.moves for game in openings]
    assert [game.black for game in games[:4]] == ["greedy", "random", "greedy", "random"]
    assert answer("match", "greedy", "random", "--openings", file, "--games", 4)["games"] == 4
    cut = answer("match", "greedy", "random", "--openings", file, "--plies", 1)
    assert cut["games"] == 2  # after one ply all are the same up to symmetry


@pytest.mark.parametrize("to_move", ["black", "white", "file"])
def test_who_is_to_move_after_the_opening(
    answer: Callable[..., Any], tmp_path: Path, to_move: str
) -> None:
    file, target = tmp_path / "openings.boards", tmp_path / "games.ggf"
    position = random_game(1, plies=7).position
    file.write_text(position.to_string("openings") + "\n")
    answer(
        "match", "greedy", "random", "--openings", file, "--to-move", to_move, "--export", target
    )
    starts = {game.start.turn.value for game in records.read(target)}
    assert starts == {"white" if to_move == "file" else to_move}


def test_the_1000_openings(answer: Callable[..., Any], openings_data: Path) -> None:
    arguments = ["match", "greedy", "random", "--openings", openings_data]
    white = answer(*arguments)
    black = answer(*arguments, "--to-move", "black")
    assert white["games"] == black["games"] == 2000
    assert white["different_games"] == 2000
    assert white["winning_rate"] != black["winning_rate"]
    assert 0.5 < white["winning_rate"] < 0.7


@pytest.mark.parametrize("name", ["games.ggf", "games.sgf", "games.txt", "games.wtb"])
def test_games_are_exported(answer: Callable[..., Any], tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    answer("tournament", "greedy", "random", "--games", 4, "--export", target)
    assert len(list(records.read(target))) == 4


def test_a_file_is_not_replaced_unless_told(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "games.ggf"
    target.write_text("older")
    arguments = ["match", "greedy", "random", "--games", 2, "--export", target]
    code, _, err = run(*arguments)
    assert (code, target.read_text()) == (2, "older")
    assert "the file exists; --force replaces it" in err
    assert not (tmp_path / "data").exists()  # nothing was played
    assert run(*arguments, "--force")[0] == 0
    assert len(list(records.read(target))) == 2


def test_a_store_of_ones_own(answer: Callable[..., Any], tmp_path: Path) -> None:
    store = tmp_path / "mine.sqlite"
    answer("match", "greedy", "random", "--games", 2, "--store", store)
    assert answer("ratings", "--store", store)["games"] == 2
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["match", "greedy", "nobody"], "no such player: 'nobody'"),
        (["match", "greedy", "random:speed=1"], "random has no option 'speed'"),
        (["match", "greedy", ""], "not a player spec"),
        (["match", "greedy", "random", "--games", 3], "cannot play 3 games"),
        (["match", "greedy", "random", "--games", 0], "greater than or equal to 2"),
        (["match", "greedy", "random", "--openings", "none.txt"], "no such openings: 'none.txt'"),
        (["match", "greedy", "random", "--openings", "random:x"], "not a number of plies: 'x'"),
        (["match", "greedy", "random", "--export", "a.doc"], "no format has the extension '.doc'"),
        (["match", "greedy", "random", "--export", "a.obf"], "hold no moves"),
        (["match", "greedy", "random", "--export", "no/a.ggf"], "there is no such folder"),
        (["match", "greedy", "random", "--store", "no/a.sqlite"], "unable to open database file"),
        (["tournament", "greedy"], "it takes two players"),
        (["tournament", "greedy", "random", "greedy"], "greedy is named twice"),
        (
            ["tournament", "greedy", "greedy"],
            "greedy is named twice; use match to let it play itself",
        ),
        (
            ["tournament", "evolved:master", "evolved:evolved-master"],
            "evolved:master is named twice",
        ),
        (["match", "greedy", "random", "--plies", 4], "random:6: only games of a file can be cut"),
        (
            ["match", "greedy", "random", "--openings", "start", "--plies", 4],
            "for random openings write random:4",
        ),
        (["tournament", "greedy", "random", "--anchor", "nobody"], "nobody does not play in it"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[object], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("outflank: ")
    assert problem in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir() if path.name != "data"] == []


@pytest.fixture
def _known_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command knows players whose games are known."""
    for kind, player in (("steady", Steady), ("one-by-one", OneByOne), ("failing", Failing)):
        monkeypatch.setitem(registry._KINDS, kind, player)


@pytest.mark.usefixtures("_known_players")
def test_errors_of_players_are_told_with_their_reasons(run: Run) -> None:
    _, out, _ = run("match", "failing", "steady", "--games", 20)
    assert "failing lost" in out
    assert "by error: the engine is gone" in out
    _, out, _ = run("tournament", "steady", "failing", "random", "--games", 20)
    assert "errors" in out


@pytest.mark.usefixtures("_known_players")
def test_games_that_are_all_the_same_are_warned_of(run: Run, answer: Callable[..., Any]) -> None:
    arguments = ["match", "steady", "one-by-one", "--openings", "start", "--games", 6]
    arguments += ["--workers", 1]
    assert answer(*arguments)["different_games"] == 2
    assert "Different games: 2 of 6." in run(*arguments)[1]


@pytest.mark.parametrize("columns", [40, 60, 120])
def test_tables_fit_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in (
        ["match", "playouts:games=5,seed=12345", "greedy:seed=1", "--games", 2],
        ["tournament", "playouts:games=5,seed=12345", "greedy", "random", "--games", 2],
        ["ratings"],
    ):
        code, out, _ = run(*arguments)
        assert code == 0
        lines = [line for line in out.splitlines() if "results.sqlite" not in line]
        assert max(map(len, lines)) <= columns
        assert "…" not in out  # nothing is cut off
        assert "playouts:games=5" in out.replace("\n", "")


@pytest.mark.parametrize("columns", [40, 100])
def test_a_tournament_is_shown_while_it_is_played(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """What a terminal of this width gets: a bar and a table, which are gone at the end."""
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=columns)
    monkeypatch.setattr(arena_cli, "errors", terminal)
    monkeypatch.setattr(arena_tables, "console", Console(file=io.StringIO(), width=columns))
    assert run("tournament", "greedy", "random", "playouts:games=20", "--games", 10)[0] == 0
    shown = screen.getvalue()
    assert "of 30" in shown
    assert "playouts:games=20" in shown
    assert "Elo" in shown
