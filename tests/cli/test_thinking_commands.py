"""`outflank solve`, `analyze` and `move`: what they print for people."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.conftest import Run
from outflank import Move, Position, _core
from outflank.cli import thinking
from outflank.cluster.solving import Solved, SolveWork
from outflank.players import Player, make_player
from outflank.players.judge import judge_spec
from strategies import random_game

ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
SHALLOW = "alphabeta:eval=patterns,depth=1"


def test_every_move_is_scored_best_first(run: Run) -> None:
    out = run("solve", ENDGAME, "--moves").out
    assert "every move: g8 +18, h1 +12, a2 +6, h7 +6, a3 +4, b1 -4, a4 -22, g2 -24\n" in out
    assert "every move" not in run("solve", ENDGAME).out
    first = run("solve", ENDGAME, "--moves", "--json").json[0]["moves"][0]
    assert first == {"move": "g8", "score": 18}


def test_solved_positions_are_printed_as_they_come(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "endgames.obf"
    file.write_text(f"{ENDGAME};\n" * 2)
    seen: list[str] = []
    solve, show = SolveWork.do, thinking._print_answer

    def solving(work: SolveWork, position: Position) -> Solved:
        seen.append("solve")
        return solve(work, position)

    def showing(*arguments: object) -> None:
        seen.append("show")
        show(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(SolveWork, "do", solving)
    monkeypatch.setattr(thinking, "_print_answer", showing)
    out = run("solve", file).out
    assert seen == ["solve", "show", "solve", "show"]
    assert [line.split()[:4] for line in out.splitlines()[1:3]] == [
        ["1", "14", "+18", "g8"],
        ["2", "14", "+18", "g8"],
    ]


def test_what_may_take_very_long_is_said_beforehand(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answered(work: SolveWork, position: Position) -> Solved:
        return Solved(position, 0, Move("f5"), 1, 0.0, ())

    monkeypatch.setattr(SolveWork, "do", answered)
    for arguments in ([], ["--json"]):
        err = run("solve", "f5d6", *arguments).err
        assert err == "58 squares are empty: solving may take very long; Ctrl-C ends it.\n"
    assert run("solve", ENDGAME).err == ""


@pytest.mark.parametrize(
    "arguments", [["show"], ["course"], ["move", "greedy"], ["solve"], ["analyze"]]
)
def test_a_board_string_that_begins_with_a_dash_is_no_option(
    run: Run, arguments: list[str]
) -> None:
    result = run(*arguments, ENDGAME)
    if arguments == ["analyze"]:
        assert result.err.startswith(f"outflank: {ENDGAME}: there are no moves to analyze")
    else:
        assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize(
    ("spec", "head", "value"),
    [
        (SHALLOW, "(discs)", r"[+-]\d+\.\d"),
        ("policy", "(-1 to 1)", r"[+-][01]\.\d\d"),
        ("alphabeta:eval=iago,depth=1", "(its own)", r"[+-]\d+"),
        ("evolved:novice", "(its own)", r"[+-][01]\.\d\d"),
    ],
)
def test_values_have_a_unit_and_its_decimals(run: Run, spec: str, head: str, value: str) -> None:
    out = run("analyze", "f5d6c3", "--player", spec).out
    assert head in out
    assert re.search(rf"f5 +│ +{value} │", out)
    moved = run("move", spec, "f5d6").out
    assert re.search(rf"value {value} {re.escape(head)}, ", moved)


def test_exact_values_are_whole_discs(run: Run) -> None:
    game = random_game(12)
    arguments = ["analyze", game.transcript, "--player", "alphabeta:eval=iago,depth=1"]
    out = run(*arguments, "--solve-from", 6).out
    assert "│ exact │" in out
    assert "Exact values are in discs. Given away in that part: black" in out
    units = [row["unit"] for row in run(*arguments, "--solve-from", 6, "--json").json]
    assert units[0] == "own"
    assert units[-1] == "discs"
    score = _core.Solver(8).solve(*Position.from_string(ENDGAME).bits).score
    exact = run("move", "alphabeta:eval=iago,depth=1,solve=14", ENDGAME).out
    assert f"value {score:+d} (discs, exact)" in exact


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        (["--depth", 2], "depth=2"),
        (["--seconds", 1], "time=0.1250"),  # three moves and what follows, two searches each
        (["--seconds", 86_400], "time=10800.0000"),
    ],
)
def test_the_default_reviewer_searches_within_a_limit(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: list[object], limit: str
) -> None:
    made: list[str] = []

    def make(spec: str) -> Player:
        made.append(spec)
        with make_player(spec):  # the spec is one that players can be made of
            return make_player(SHALLOW)

    monkeypatch.setattr(thinking, "make_player", make)
    assert run("analyze", "f5d6c3", *options).code == 0
    assert made == [judge_spec(limit)]


def test_only_one_limit_of_a_review_can_be_given(run: Run) -> None:
    found = run("analyze", "f5d6c3", "--depth", 2, "--seconds", 1)
    assert (found.code, found.err) == (2, "outflank: --depth and --seconds exclude each other\n")


@pytest.mark.parametrize("columns", [24, 40, 60, 100])
def test_tables_cut_nothing_off(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    file = tmp_path / "a-file[b]-of-games.txt"
    file.write_text("f5d6\n")
    for arguments, names in (
        (["analyze", random_game(12).transcript, "-p", SHALLOW, "--solve-from", 4], ["exact"]),
        (["records", "info", file], [file.name, "unfinished", "Transcript"]),
        (["models"], ["evolved-intermediate", "imitation-conv", "patterns"]),
        (["players"], ["alphabeta", "evolved-intermediate", "cocmaes-4+2x2"]),
    ):
        result = run(*arguments)
        assert (result.code, "…" in result.out) == (0, False)
        assert max(map(len, result.out.splitlines())) <= columns
        for name in names:
            assert name in result.out


def test_a_tree_search_says_how_often_it_tried_each_move(run: Run) -> None:
    told = run("move", "mcts:rollouts=50,seed=1", "f5d6", "--json").json
    assert told["unit"] == "result"
    assert sum(told["visits"].values()) == 50
    assert told["visits"][told["move"]] == max(told["visits"].values())
    often = sorted(told["visits"].values(), reverse=True)
    printed = run("move", "mcts:rollouts=50,seed=1", "f5d6").out
    (line,) = [line for line in printed.splitlines() if line.startswith("visits ")]
    assert [int(number) for number in re.findall(r" (\d+)", line)] == often
    assert "visits" not in run("move", "greedy", "f5d6").out
