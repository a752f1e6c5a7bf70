"""What is wrong with pasted text: the answer names the bad move or symbol."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from outflank.lab.pasted import what_is_wrong

BOARD = "-" * 27 + "OX------XO" + "-" * 26


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f5d6zz", "'zz'"),
        ("f5 d6 c9", "'c9'"),
        ("1. f5 d6 2. c3 k4", "'k4'"),
        ("f5d6a1", "move 3: a1 is illegal"),
        (BOARD + "q X", "'q' (symbol 64)"),
        (BOARD[:60], "got 60 symbols"),
        ("F5D6c3 d3 i1", "'i1'"),
    ],
)
def test_the_bad_move_or_symbol_is_named(client: TestClient, text: str, words: str) -> None:
    answer = client.post("/api/records", params={"name": "pasted.txt"}, content=text.encode())
    assert answer.status_code == 400
    assert words in answer.json()["error"]


@pytest.mark.parametrize("content", [b"hello world", b"", b"\xff\xfe", b"(;GM[2])"])
def test_of_other_text_it_says_nothing(content: bytes) -> None:
    assert what_is_wrong(content) == ""
