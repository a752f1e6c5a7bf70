"""The API: positions, thoughts, records, studies, openings; and whatever a machine can think of."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lab.conftest import ADDRESS, Page, begin
from outflank import _core, records
from outflank.lab.app import create_app
from outflank.lab.settings import LabSettings
from outflank.learn import learners
from outflank.othello import PASS, Game, Note, Position
from outflank.records import FORMATS, Problems
from outflank.records.wthor import WthorNames
from outflank.studies import Column, Origin, Result, Row, result_path
from outflank.studies.result import Plot
from strategies import random_game

GAME = random_game(3)


def post(client: TestClient, path: str, status: int = 200, **body: Any) -> Any:
    answer = client.post(f"/api/{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def get(client: TestClient, path: str, status: int = 200) -> Any:
    answer = client.get(f"/api/{path}")
    assert answer.status_code == status, answer.text
    return answer.json()


def test_positions(client: TestClient) -> None:
    found = post(client, "position", moves="f5d6c3d3c4")
    position = Game.from_transcript("f5d6c3d3c4").position
    assert found["board"] + " O" == position.to_string()
    assert found["legal"] == [move.name for move in position.legal_moves]
    assert (found["opening"], found["turn"], found["empties"]) == ("Tiger", "white", 55)
    assert "the square is taken" in post(client, "position", 400, moves="f5f5")["error"]
    assert "move 1" in post(client, "position", 400, moves="a1")["error"]
    assert "start" in post(client, "position", 400, start="XXO")["error"]
    assert "moves" in post(client, "position", 422, moves=7)["error"]
    assert "planes" in post(client, "position", 422, planes=2)["error"]


def test_thoughts(client: TestClient) -> None:
    found = post(client, "analyse", moves="f5", player="alphabeta:eval=patterns,depth=4")
    assert (found["depth"], found["unit"], found["kind"]) == (4, "discs", "values")
    assert found["move"] in ("d6", "f6", "f4")
    found = post(client, "analyse", moves="f5", player="policy:imitation-fast")
    assert (found["kind"], found["unit"]) == ("probabilities", "result")
    assert sum(found["values"].values()) == pytest.approx(1, abs=1e-3)
    assert "no such player" in post(client, "analyse", 400, player="gtp:cmd=sh")["error"]
    over = GAME.position.to_string()
    assert "game is over" in post(client, "analyse", 400, start=over)["error"]


@pytest.mark.parametrize("name", FORMATS)
def test_games_are_saved_and_loaded_in_every_format(client: TestClient, name: str) -> None:
    game = begin(client, moves=GAME.transcript)
    answer = client.get(f"/api/games/{game}/record", params={"format": name})
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    file = answer.headers["content-disposition"].split('"')[1]
    found = client.post("/api/records", params={"name": file}, content=answer.content).json()
    assert len(found["games"]) == 1
    opened = client.post(f"/api/records/{found['token']}/0")
    assert opened.status_code == 201
    table = opened.json()
    assert table["plies"][-1]["board"] == GAME.position.to_string().split()[0]
    assert table["paused"]


def record(client: TestClient, game: str, name: str) -> Any:
    return client.get(f"/api/games/{game}/record", params={"format": name})


def load(client: TestClient, content: bytes, name: str = "") -> Any:
    """Read a file and open its first game."""
    found = client.post("/api/records", params={"name": name}, content=content).json()
    return post(client, f"records/{found['token']}/0", 201)


def test_how_a_game_ended_is_saved_and_loaded(client: TestClient, page: Page) -> None:
    over = record(client, begin(client, moves=GAME.transcript), "ggf").text
    assert f"RE[{GAME.score:+d}.000]" in over
    game = begin(client, moves="f5d6")
    assert "RE[?]" in record(client, game, "ggf").text
    page.say("join", game=game)
    page.say("resign", game=game, side="black")
    page.table(lambda table: table["result"])
    saved = record(client, game, "ggf")
    assert "RE[-64.000]" in saved.text
    table = load(client, saved.content)
    assert table["result"] == {
        "winner": "white", "score": -64, "reason": "record",
        "text": "White wins 64–0, by the record.",
    }  # fmt: skip
    assert load(client, over.encode())["result"]["reason"] == "board"


def test_notes_of_a_record_are_kept(client: TestClient, settings: LabSettings) -> None:
    written = io.BytesIO()
    notes = {0: Note(value=2.5, seconds=3.0), 2: Note(value=-1.0)}
    played = Game.from_transcript("f5d6c3", black="Ann", white="Bob", event="Cup", notes=notes)
    FORMATS["ggf"].write([played], written)
    table = load(client, written.getvalue())
    assert (table["black"]["name"], table["white"]["name"]) == ("Ann", "Bob")
    assert (table["result"], table["given"]) == (None, 0)
    again = record(client, table["id"], "ggf").content
    (found,) = FORMATS["ggf"].read(io.BytesIO(again), Problems(""))
    assert found.notes == notes
    with TestClient(create_app(settings), base_url=ADDRESS) as other:  # from the disk
        assert record(other, table["id"], "ggf").content == again


def test_names_are_made_to_fit_for_wthor(client: TestClient) -> None:
    game = begin(
        client, moves="f5d6", black="alphabeta:eval=patterns,depth=12,time=10", white="greedy"
    )
    assert record(client, game, "wthor").status_code == 200
    written = io.BytesIO()
    names: dict[str, Any] = {
        "black": "Łukasz Żółć 日本 of a very long name",
        "event": 40 * "Zürich ",
    }
    FORMATS["ggf"].write([Game.from_transcript("f5d6", **names)], written)
    assert record(client, load(client, written.getvalue())["id"], "wthor").status_code == 200


def test_what_cannot_be_saved_is_explained(client: TestClient) -> None:
    empty = begin(client)
    answer = record(client, empty, "transcript")
    assert answer.status_code == 400
    assert answer.json()["error"] == ("Transcript: a transcript needs moves; choose another format")
    other = begin(client, start="-OX-----" + "-" * 48 + "------OX X", moves="a1")
    for name in ("transcript", "wthor"):
        answer = record(client, other, name)
        assert answer.status_code == 400
        assert "start position; choose another format" in answer.json()["error"]


def test_wthor_files_have_names_if_those_are_here(
    client: TestClient, settings: LabSettings, tmp_path: Path
) -> None:
    games = [
        replace(random_game(seed), black=f"B{seed}", white="W", event="Cup") for seed in (1, 2)
    ]
    assert settings.wthor is not None
    settings.wthor.mkdir()
    path = settings.wthor / "WTH_1999.wtb"
    records.write(path, games)
    content = path.read_bytes()
    path.with_suffix(".jou").rename(settings.wthor / "WTH.JOU")
    path.with_suffix(".trn").rename(settings.wthor / "WTH.TRN")
    broken = content[: 16 + 8] + b"\x0b" + content[16 + 9 :]  # a1 cannot be the first move

    def names(content: bytes, name: str) -> list[tuple[str, str, str]]:
        found = client.post("/api/records", params={"name": name}, content=content).json()
        return [(one["black"], one["white"], one["event"]) for one in found["games"]]

    assert names(content, "WTH_1999.wtb") == [("B1", "W", "Cup"), ("B2", "W", "Cup")]
    assert names(broken, "wth_1999.WTB") == [("B2", "W", "Cup")]
    assert names(content, "mine.wtb") == [("", "", ""), ("", "", "")]  # numbers of other names
    (settings.wthor / "WTH.JOU").write_bytes(b"damaged")
    assert names(content, "WTH_1999.wtb") == [("", "", ""), ("", "", "")]


def test_pasted_text_and_files_of_many_games(client: TestClient, tmp_path: Path) -> None:
    def load(content: bytes, name: str = "") -> Any:
        return client.post("/api/records", params={"name": name}, content=content)

    assert load(b"F5 D6 C3").json()["games"][0]["plies"] == 3
    assert load(Position.start().to_string().encode()).json()["games"][0]["plies"] == 0
    many = io.BytesIO()
    games = [random_game(seed) for seed in range(5)]
    FORMATS["ggf"].write(games, many)
    found = load(many.getvalue(), "../../etc/games.ggf").json()
    assert [one["number"] for one in found["games"]] == [0, 1, 2, 3, 4]
    assert [one["score"] for one in found["games"]] == [game.score for game in games]
    assert not (tmp_path / "etc").exists()
    assert load(b"").status_code == 400
    assert "not a game record" in load(b"\x00\x01hello").json()["error"]
    assert load(b"f5f5f5").status_code == 400
    assert "load it again" in post(client, "records/none/0", 400)["error"]
    assert "there is no game 9" in post(client, f"records/{found['token']}/9", 400)["error"]


def test_lists(client: TestClient) -> None:
    assert {one["name"] for one in get(client, "formats")} == set(FORMATS)
    assert {"name": "Tiger", "moves": "f5d6c3d3c4"} in get(client, "openings")
    found = [one["name"] for one in get(client, "learners")]
    assert found[:3] == ["imitation", "coevolution", "patterns"]
    assert found == list(learners())
    assert "no such folder" in get(client, "learners")[0]["needs"]
    assert get(client, "ladder") == {"players": [], "games": 0}
    assert get(client, "tournaments") == get(client, "runs") == get(client, "games") == []
    assert get(client, "about")["cores"] >= 1
    studies = get(client, "studies")
    assert {one["paper"] for one in studies} == {0, 1, 2, 3, 4}  # 0: of no paper
    assert "no result" in get(client, f"studies/{studies[0]['name']}?scale=paper", 404)["error"]
    assert "no such study" in get(client, "studies/none", 400)["error"]
    assert "no such run" in get(client, "runs/none", 400)["error"]
    assert "no tournament" in get(client, "tournaments/1", 400)["error"]
    assert get(client, "nothing", 404)["error"]


def test_studies_and_their_figures(client: TestClient, settings: LabSettings) -> None:
    name = "coevolution-figure-3"
    curve = {
        "generation": [1, 2],
        "mean": [10, 20],
        "low": [5, 10],
        "high": [15, 30],
        "one": [9, 21],
    }
    plot = Plot(
        "evolution", {"labels": {"discs-4": "beat"}, "curves": {"paper": {"discs-4": curve}}}
    )
    row = Row("paper", {"discs-4": 20.0}, {"discs-4": 70.0})
    result = Result(
        name, 4, "Figure 3", "smoke", {}, (Column("discs-4", "beat"),), (row,),
        ("a note",), plot, "command", 1.0, {}, "2026-01-01",
    )  # fmt: skip
    path = result_path(settings.studies, name, "smoke")
    path.parent.mkdir(parents=True)
    result.save(path)
    listed = {one["name"]: one["results"] for one in get(client, "studies")}
    assert "smoke" in listed[name]
    found = get(client, f"studies/{name}?scale=smoke")
    assert found["rows"][0]["paper"] == {"discs-4": 70.0}
    answer = client.get(found["figure"])
    assert answer.headers["content-type"] == "image/svg+xml"
    assert b"<svg" in answer.content
    assert client.get(f"/api/studies/{name}/figure?scale=paper").status_code == 404
    assert found["stale"] == ""
    old = Origin(models={"imitation-0ply": "another"})
    replace(result, origin=old).save(path)
    found = get(client, f"studies/{name}?scale=smoke")
    assert found["origin"]["models"] == {"imitation-0ply": "another"}
    assert found["stale"].startswith("Stale: imitation-0ply changed since this result was made")


def test_openings_that_were_played(client: TestClient, settings: LabSettings) -> None:
    assert "no such folder" in get(client, "explore")["error"]
    assert settings.wthor is not None
    settings.wthor.mkdir()
    games = [random_game(seed) for seed in range(30)]
    records.write(settings.wthor / "WTH_1999.wtb", games)
    found = get(client, "explore?moves=")
    assert found["games"] == 30 == sum(one["games"] for one in found["next"])
    assert [one["move"] for one in found["next"]] == ["f5"]  # the four first moves are one
    assert (found["first_year"], found["last_year"]) == (1999, 1999)
    assert len(found["sample"]) == 12
    assert get(client, "explore?moves=f5&first=2000")["games"] == 0
    assert "first" in get(client, "explore?first=1", 422)["error"]
    one = found["sample"][3]
    table = post(client, f"explore/{one['number']}", 201)
    assert table["transcript"] == one["transcript"]
    assert table["facts"]["date"] == "1999"
    assert table["result"]["score"] == one["score"]
    assert "there is no game 30" in post(client, "explore/30", 400)["error"]


def test_a_forced_pass_is_no_dead_end(client: TestClient, settings: LabSettings) -> None:
    played = next(g for g in map(random_game, range(99)) if PASS in g.moves[:-1])
    assert settings.wthor is not None
    settings.wthor.mkdir()
    records.write(settings.wthor / "WTH_1999.wtb", [played])
    at = played.moves.index(PASS)
    before = "".join(move.name for move in played.moves[:at])
    found = get(client, f"explore?moves={before}")
    assert found["moves"][-1] == "pass"
    assert found["games"] == 1
    assert len(found["next"]) == 1


def test_the_document_of_the_api(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    for path in ("/api/position", "/api/analyse", "/api/players", "/api/games", "/api/runs"):
        assert path in document["paths"]
    assert all(
        operation.get("description")
        for path in document["paths"].values()
        for operation in path.values()
    )


def test_a_search_ends_when_nobody_waits(settings: LabSettings) -> None:
    """A client that gives up leaves no search behind."""
    app = create_app(settings)

    async def impatient() -> int:
        async with app.router.lifespan_context(app):
            lab = app.state.lab
            body = {"moves": "f5d6c5f4e3c6d3f6", "player": "alphabeta:eval=patterns,depth=14"}
            content = json.dumps(body).encode()
            waiting = True

            async def receive() -> dict[str, object]:
                nonlocal waiting
                if waiting:
                    waiting = False
                    return {"type": "http.request", "body": content}
                return {"type": "http.disconnect"}

            async def send(message: object) -> None:
                return None

            scope = {
                "type": "http", "method": "POST", "path": "/api/analyse", "query_string": b"",
                "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
                "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000), "scheme": "http",
                "http_version": "1.1", "asgi": {"version": "3.0"}, "root_path": "",
            }  # fmt: skip
            await app(scope, receive, send)
            return await asyncio.wait_for(lab.pool.run(lambda: 7, _core.Stop()), 20)

    assert asyncio.run(impatient()) == 7


def test_names_that_come_with_a_file_of_games(client: TestClient) -> None:
    """WTH.JOU and WTH.TRN are read first; the games of any WThor file then have their names."""
    game = GAME.with_facts(black="Ann", white="Bea", event="Open", date="1999")
    written = io.BytesIO()
    FORMATS["wthor"].write([game], written)
    content = written.getvalue()
    (plain,) = client.post("/api/records", params={"name": "a.wtb"}, content=content).json()[
        "games"
    ]
    assert "Cora" not in (plain["black"], plain["white"])
    tokens = []
    for name, names, length in (
        ("wth.JOU", ["Cora", "Dora"], 20), ("WTH.trn", ["Cup", "League"], 26),
    ):  # fmt: skip
        file = WthorNames.of(names, length, date(2000, 1, 1)).to_bytes()
        answer = client.post("/api/records/names", params={"name": name}, content=file).json()
        assert answer["names"] == 2
        tokens.append(answer["token"])
    found = client.post(
        "/api/records", params={"name": "a.wtb", "names": tokens}, content=content
    ).json()
    (named,) = found["games"]
    assert {named["black"], named["white"]} <= {"Cora", "Dora"}
    assert named["event"] in ("Cup", "League")
    assert named["begins"] == GAME.transcript[:16]
    bad = client.post("/api/records/names", params={"name": "WTH.JOU"}, content=b"short")
    assert bad.status_code == 400
    wrong = client.post("/api/records/names", params={"name": "names.txt"}, content=b"x")
    assert "accepted are .JOU and .TRN" in wrong.json()["error"]
