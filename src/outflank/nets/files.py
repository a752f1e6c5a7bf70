"""The one place where weights are saved and loaded: safetensors with a card, never pickle.

A file holds named arrays and one JSON text, `outflank`, in its metadata: what kind of file it is
and, for a network, its card. Files are written whole or not at all.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.data.encodings import Encoding, find_encoding
from outflank.errors import DataError, FileError
from outflank.files import open_to_read, write_bytes
from outflank.nets.network import Card

Tensors = dict[str, NDArray[Any]]

VERSION = 1
SUFFIX = ".safetensors"
KEY = "outflank"  # of the metadata, in .safetensors and in .onnx files

_MAPPED = {
    "I8": "i1",
    "I16": "<i2",
    "F32": "<f4",
}  # types of arrays that can be mapped, as NumPy names them


def save_tensors(
    path: Path | str, tensors: Mapping[str, NDArray[Any]], *, kind: str, facts: Mapping[str, Any]
) -> None:
    """Write arrays and facts (anything JSON has) into a file of a kind."""
    from safetensors.numpy import save

    whole = {name: np.asarray(tensor, order="C") for name, tensor in tensors.items()}
    write_bytes(path, save(whole, {KEY: describe(kind, facts)}))


def load_tensors(path: Path | str, *, kind: str) -> tuple[Tensors, dict[str, Any]]:
    """Read a file of a kind: its arrays and its facts."""
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    if not path.is_file():
        raise FileError(path, "read", "no such file")
    try:
        with safe_open(path, framework="numpy") as file:
            facts = parse((file.metadata() or {}).get(KEY), path, kind)
            return {name: _tensor(file, name, path) for name in file.keys()}, facts  # noqa: SIM118
    except SafetensorError as error:
        raise DataError(f"{path}: not a whole .safetensors file: {_first_line(error)}") from None
    except OSError as error:
        raise FileError(path, "read", error) from error


def map_tensor(path: Path | str, name: str, *, kind: str) -> tuple[NDArray[Any], dict[str, Any]]:
    """Map one array of a file into memory, without reading it, and read the file's facts.

    Processes that map the same file share its memory. The array cannot be written to.
    """
    path = Path(path)
    facts = parse(_metadata(path), path, kind)
    with open_to_read(path) as stream:
        (length,) = struct.unpack("<Q", stream.read(8))
        header = json.loads(stream.read(length))
    if name not in header:
        raise DataError(f"{path}: holds no {name!r}")
    entry = header[name]
    if entry["dtype"] not in _MAPPED:
        raise DataError(f"{path}: {name}: has numbers of type {entry['dtype']}")
    offset = 8 + length + int(entry["data_offsets"][0])
    try:
        mapped = np.memmap(path, _MAPPED[entry["dtype"]], "r", offset, tuple(entry["shape"]))
    except (OSError, ValueError) as error:
        raise FileError(path, "map", str(error)) from error
    return mapped, facts


def _tensor(file: Any, name: str, path: Path) -> NDArray[Any]:
    """Read an array, if NumPy knows its numbers: bfloat16, for one, it does not."""
    try:
        found: NDArray[Any] = file.get_tensor(name)
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise DataError(f"{path}: {name!r} cannot be read: {_first_line(error)}") from None
    if found.dtype.kind not in "biuf":  # other packages may teach NumPy more kinds
        raise DataError(f"{path}: {name!r} cannot be read: numbers of type {found.dtype}")
    return found


def save_weights(path: Path | str, weights: Mapping[str, NDArray[Any]], card: Card) -> None:
    """Write a network's weights with its card."""
    save_tensors(path, weights, kind="network", facts=dataclasses.asdict(card))


def load_weights(path: Path | str) -> tuple[Tensors, Card]:
    """Read a network's weights and its card."""
    weights, facts = load_tensors(path, kind="network")
    return weights, card_of(facts, path)


def load_card(path: Path | str) -> Card:
    """Read the card of a network's .safetensors file, and nothing else of it."""
    return card_of(parse(_metadata(path), path, "network"), path)


def kind_of(path: Path | str) -> str:
    """Return the kind of a .safetensors file; empty if it is not one of Outflank's."""
    try:
        facts = json.loads(_metadata(path) or "{}")
    except (ValueError, RecursionError):
        return ""
    return str(facts.get("kind", "")) if isinstance(facts, dict) else ""


def _metadata(path: Path | str) -> str | None:
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    if not path.is_file():
        raise FileError(path, "read", "no such file")
    try:
        with safe_open(path, framework="numpy") as file:
            text: str | None = (file.metadata() or {}).get(KEY)
            return text
    except SafetensorError as error:
        raise DataError(f"{path}: not a whole .safetensors file: {_first_line(error)}") from None
    except OSError as error:
        raise FileError(path, "read", error) from error


def describe(kind: str, facts: Mapping[str, Any]) -> str:
    """Return the JSON text of a file's metadata."""
    return json.dumps({"kind": kind, "version": VERSION, **facts}, sort_keys=True)


def parse(text: str | None, path: Path | str, kind: str) -> dict[str, Any]:
    """Read the JSON text of a file's metadata; a file of others or of another kind is an error."""
    if text is None:
        raise DataError(f"{path}: not a file of Outflank: its metadata have no entry {KEY!r}")
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: entry {KEY!r} of its metadata is not JSON: {error}") from None
    if not isinstance(facts, dict) or facts.get("kind") != kind:
        found = facts.get("kind") if isinstance(facts, dict) else None
        raise DataError(f"{path}: holds {found!r} where {kind!r} is needed")
    if facts.get("version") != VERSION:
        raise DataError(f"{path}: is of version {facts.get('version')}; this reads {VERSION}")
    return {name: fact for name, fact in facts.items() if name not in ("kind", "version")}


def card_of(facts: Mapping[str, Any], path: Path | str) -> Card:
    """Make a card of a file's facts."""
    for name, wanted in (("architecture", str), ("encoding", str), ("name", str),
                         ("training", dict), ("measured", dict)):  # fmt: skip
        if not isinstance(facts.get(name), wanted):
            raise DataError(f"{path}: its card has no {name}, or not as a {wanted.__name__}")
    known = {field.name for field in dataclasses.fields(Card)}
    return Card(**{name: fact for name, fact in facts.items() if name in known})


def encoding_of(card: Card, path: Path | str) -> Encoding:
    """Return the encoding that a file's card names."""
    try:
        return find_encoding(card.encoding)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or ["unreadable"])[0]
