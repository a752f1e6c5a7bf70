"""What the lab answers is declared: in the API's document, over the socket, in the page's types."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError
from starlette.testclient import TestClient

from lab.conftest import LIVE, Page, begin
from outflank.lab import answers
from outflank.lab.app import create_app
from outflank.lab.messages import MESSAGES
from outflank.lab.page_types import TYPES, page_types
from outflank.lab.settings import LabSettings
from outflank.lab.table_state import TableState
from outflank.learn import Run

DOCUMENT = create_app().openapi()
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
# Objects of which everybody may choose the fields: settings, measurements, what records say.
OPEN = {"config", "data", "facts"}


def answers_of_routes() -> Iterator[tuple[str, Any]]:
    for path, methods in DOCUMENT["paths"].items():
        for method, route in methods.items():
            for status, answer in route["responses"].items():
                if status.startswith("2") and "application/json" in answer.get("content", {}):
                    schema = answer["content"]["application/json"]["schema"]
                    yield f"{method} {path}", schema


# The answers that are files.
FILES = ("get /api/games/{key}/record", "get /api/studies/{name}/figure")


@pytest.mark.parametrize(
    ("route", "schema"), [one for one in answers_of_routes() if one[0] not in FILES]
)
def test_every_answer_has_its_fields_in_the_document(route: str, schema: Any) -> None:
    assert vague_parts(schema, route) == []


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_no_part_of_the_document_is_just_an_object(name: str) -> None:
    assert vague_parts(SCHEMAS[name], name) == []


def vague_parts(schema: Any, name: str) -> list[str]:
    """Where a schema says no more than that something is there."""
    if "properties" in schema:
        return [
            place
            for key, part in schema["properties"].items()
            if key not in OPEN
            for place in vague_parts(part, f"{name}.{key}")
        ]
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return [place for part in schema[union] for place in vague_parts(part, name)]
    if schema.get("type") == "array":
        items = schema.get("prefixItems") or [schema.get("items", {})]
        return [place for part in items for place in vague_parts(part, f"{name}[]")]
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return vague_parts(values, f"{name}{{}}") if isinstance(values, dict) else [name]
    return [] if "type" in schema or "$ref" in schema or "const" in schema else [name]


def test_the_pages_types_are_those_of_the_document() -> None:
    assert TYPES.read_text() == page_types(DOCUMENT), "make types writes them anew"


def test_types_show_names_optional_fields_and_basic_types() -> None:
    row = {
        "description": "A row.",
        "properties": {
            "side": {"enum": ["black", "white"], "type": "string"},
            "elo": {"anyOf": [{"type": "number"}, {"type": "null"}], "description": "a rating"},
            "seats": {"type": "array", "items": {"$ref": "#/components/schemas/Seat"}},
            "kinds": {"type": "array", "items": {"anyOf": [{"const": "a"}, {"type": "integer"}]}},
            "interval": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
            "values": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "config": {"type": "object", "additionalProperties": True},
            "default": {},
        },
        "required": ["side", "elo"],
    }
    text = page_types({"components": {"schemas": {"Row": row, "One": {"type": "string"}}}})
    lines = [line.removeprefix(" * ") for line in text.splitlines()]
    assert lines[lines.index("@typedef {Object} Row A row.") + 1 : -3] == [
        "@property {Side} side",
        "@property {number | null} elo a rating",
        "@property {Seat[]} [seats]",
        '@property {("a" | number)[]} [kinds]',
        "@property {[number, number]} [interval]",
        "@property {Object<string, boolean>} [values]",
        "@property {Object<string, any>} [config]",
        "@property {any} [default]",
    ]
    assert "@typedef {string} One" in lines


def test_types_of_the_page_are_not_guessed() -> None:
    with pytest.raises(ValueError, match="'file'"):
        page_types({"components": {"schemas": {"Odd": {"type": "file"}}}})


def test_every_message_of_a_session_is_declared(
    client: TestClient, page: Page, settings: LabSettings
) -> None:
    """A page that does everything hears every type of message; `Page` checks each of them."""
    players = ["policy:imitation-fast", "greedy", "alphabeta:eval=discs,depth=2", "engine:Broken"]
    settings.engines.write_text(json.dumps({"Broken": "gtp:cmd=false"}))
    with Run.create(settings.runs / "first", {"shape": "only"}) as run:
        run.add_metrics(1, {"loss": 0.5})
    page.say("ping")
    page.hear(lambda message: bool(message["type"] == "pong"))
    game = begin(client, black="human", white="alphabeta:eval=discs,depth=3", moves="f5d6")
    page.say("join", game=game)
    page.say("move", game=game, ply=2, move="c3")
    moved = page.table(lambda table: len(table["moves"]) == 4)
    assert moved["thoughts"]
    page.say("hints", game=game, ply=2)
    page.say("opinions", game=game, ply=2, players=players)
    page.hear(lambda m: m["type"] == "opinions" and len(m["players"]) == 4)
    page.say("review", game=game, player="alphabeta:eval=discs,depth=2")
    page.hear(lambda m: m["type"] == "review" and m["done"] == m["of"])
    page.say("hints", game=game, ply=2)
    page.hear(lambda m: m["type"] == "hints" and m["done"])
    page.say("follow", what="run", name="first", on=True)
    page.hear(lambda m: bool(m["type"] == "run"))
    body = {"players": ["greedy", "random"], "games": 2, "plies": 2}
    number = client.post("/api/tournaments", json=body).json()["id"]
    page.say("follow", what="tournament", name=number, on=True)
    page.hear(lambda m: m["type"] == "tournament" and m["tournament"]["state"] == "finished")
    page.say("move", game=game, ply=99, move="a1")
    page.error()
    page.say("resign", game=game, side="black")
    assert page.table(lambda table: table["result"] is not None)["result"]["winner"] == "white"
    client.delete(f"/api/games/{game}")
    page.hear(lambda m: bool(m["type"] == "gone"))
    assert {message["type"] for message in page.heard} == set(types_of_messages())


def types_of_messages() -> Iterator[str]:
    for message in get_args(answers.AnyLive):
        yield TypeAdapter(message).json_schema()["properties"]["type"]["const"]


def test_a_message_that_is_not_declared_is_found(client: TestClient) -> None:
    with client.websocket_connect(LIVE) as socket:
        page = Page(socket)
        page.say("ping")
        heard = page.hear()
    for wrong in ({**heard, "more": 1}, {"type": "ping"}, {"type": "gone"}):
        with pytest.raises(ValidationError):
            answers.LIVE.validate_python(wrong, extra="forbid")


def test_rows_of_runs_are_all_that_the_lab_tells_of_them(
    client: TestClient, settings: LabSettings
) -> None:
    """FastAPI would leave out what is not declared; so what is made is compared, too."""
    with Run.create(settings.runs / "first", {"shape": "only"}) as run:
        run.add_metrics(1, {"loss": 0.5})
    runs = client.app.state.lab.runs  # type: ignore[attr-defined]
    for made, model in (
        (runs.listed(), list[answers.RunRow]),
        (runs.details("first"), answers.RunDetails),
    ):
        TypeAdapter(model).validate_python(made, extra="forbid")
    assert client.get("/api/runs").json() == runs.listed()
    assert client.get("/api/runs/first").json() == runs.details("first")


def test_a_kept_game_with_thoughts_of_another_shape_is_refused() -> None:
    state = TableState("abcdefghijkl", "human", "human")
    kept = json.loads(json.dumps({**state.to_json(), "thoughts": {"0": {"move": "f5"}}}))
    with pytest.raises(ValueError, match=r"0\.value"):
        TableState.from_json(kept)


def test_a_long_run_is_written_quickly(client: TestClient, settings: LabSettings) -> None:
    """The server answers nobody else while it checks and writes tens of thousands of numbers."""
    with Run.create(settings.runs / "first", {"shape": "only"}):
        pass
    lines: list[dict[str, answers.Number]] = [
        {"step": step, "loss": step / 7, "accuracy": 0.5, "seconds": step / 3}
        for step in range(10_000)
    ]
    details = client.app.state.lab.runs.details("first")  # type: ignore[attr-defined]
    details["metrics"] = lines
    adapter = TypeAdapter(answers.RunDetails)
    began = time.process_time()
    written = adapter.dump_json(adapter.validate_python(details))
    checked = time.process_time() - began
    assert json.loads(written)["metrics"] == lines
    assert b'"metrics":[{"step":0,' in written  # whole numbers stay whole
    began = time.process_time()
    json.dumps(details)
    assert checked < 3 * (time.process_time() - began)


def test_the_page_of_the_api_names_the_fields_of_every_message() -> None:
    """The page /api has words for the messages; their fields must be those that are declared."""
    text = (TYPES.parent / "socket-words.js").read_text()
    said, heard = (
        {
            kind: {field.removesuffix("?") for field in fields.split(", ") if field}
            for kind, fields in re.findall(r'\["(\w+)", "([^"]*)",', part)
        }
        for part in text.split("export const ")[1:]
    )
    assert said == fields_by_type(MESSAGES.json_schema())
    assert heard == fields_by_type(answers.LIVE.json_schema())


def fields_by_type(schema: Any) -> dict[str, set[str]]:
    """The fields of messages beside their type."""
    found = {}
    for message in schema["$defs"].values():
        kind = message["properties"].get("type", {})
        for name in kind.get("enum", [kind["const"]] if "const" in kind else []):
            found[name] = set(message["properties"]) - {"type"}
    return found
