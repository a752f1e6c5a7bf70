"""Writes the page's types from the API's document: python -m outflank.lab.page_types

The page imports nothing of static/js/types.js while it runs; editors and the type checker read it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from outflank.lab.app import STATIC, create_app

TYPES = STATIC / "js" / "types.js"
_WIDTH = 116
_ORDER = ("Place", "Table", "Thought")  # what a reader should know first
_HEAD = """\
The shapes of the API, written by `make types` from its document, /openapi.json; nothing runs here.

Squares are "a1".."h8" (a1 top left), a pass is "pass". Sides are "black" and "white"."""


def page_types(document: Mapping[str, Any]) -> str:
    """Write JSDoc types of all shapes that a document has.

    Args:
        document: OpenAPI, as the lab's app makes it.

    Returns:
        The text of a JavaScript module without code.
    """
    schemas: Mapping[str, Mapping[str, Any]] = document["components"]["schemas"]
    paragraphs = [_HEAD, '@typedef {"black" | "white"} Side']
    for name in sorted(schemas, key=lambda name: (name not in _ORDER, name)):
        paragraphs.append("\n".join(_typedef(name, schemas[name])))
    lines = "\n\n".join(paragraphs).splitlines()
    comment = "\n".join(f" * {line}".rstrip() for line in lines)
    return f"/**\n{comment}\n */\n\nexport {{}};\n"


def _typedef(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    """Write one type: an object with a line for each property, or anything else in one line."""
    about = " ".join(schema.get("description", "").split())
    if "properties" not in schema:
        yield from _line(f"@typedef {{{_type(schema)}}} {name} {about}")
        return
    yield from _line(f"@typedef {{Object}} {name} {about}")
    required = set(schema.get("required", ()))
    for key, one in schema["properties"].items():
        shown = key if key in required else f"[{key}]"
        yield from _line(f"@property {{{_type(one)}}} {shown} {one.get('description', '')}")


def _line(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_long_words=False)


def _type(schema: Mapping[str, Any]) -> str:
    """Write a type as JSDoc has it."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("enum") == ["black", "white"]:
        return "Side"
    if "enum" in schema or "const" in schema:
        return " | ".join(map(json.dumps, schema.get("enum", [schema.get("const")])))
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(_type(one) for one in schema[union])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        case "array":
            item = _type(schema["items"])
            return f"({item})[]" if "|" in item else f"{item}[]"
        case "object":
            values = schema.get("additionalProperties", True)
            return f"Object<string, {'any' if values is True else _type(values)}>"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
        case None:
            return "any"
        case other:
            raise ValueError(f"no type of the page is known for {other!r}")


def main(path: Path = TYPES) -> None:
    """Write the file."""
    path.write_text(page_types(create_app().openapi()), "utf-8")


if __name__ == "__main__":
    main()
