"""The functions of the compiled core, as its stub lists them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import outflank

_STUB = Path(outflank.__file__).with_name("_core.pyi")


@dataclass(frozen=True)
class Signature:
    """A function or method: its parameters with the types that the stub gives them."""

    owner: str  # the class, or ""
    name: str
    parameters: dict[str, str] = field(hash=False)
    optional: frozenset[str] = frozenset()
    keyword_only: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name


def signatures() -> Iterator[Signature]:
    """Yield every function and every method, each overload on its own."""
    for node in ast.parse(_STUB.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield _signature("", node)
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and not _is_property(part):
                    yield _signature(node.name, part)


def classes() -> dict[str, str]:
    """Return the classes, each with its base, or ""."""
    return {
        node.name: ast.unparse(node.bases[0]) if node.bases else ""
        for node in ast.parse(_STUB.read_text()).body
        if isinstance(node, ast.ClassDef)
    }


def _is_property(node: ast.FunctionDef) -> bool:
    names = [ast.unparse(one) for one in node.decorator_list]
    return any(name == "property" or name.endswith(".setter") for name in names)


def _signature(owner: str, node: ast.FunctionDef) -> Signature:
    usual = [one for one in node.args.args if one.arg != "self"]
    every = [*usual, *node.args.kwonlyargs]
    optional = {one.arg for one in usual[len(usual) - len(node.args.defaults) :]}
    optional |= {
        one.arg
        for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is not None
    }
    return Signature(
        owner,
        node.name,
        {one.arg: ast.unparse(one.annotation) if one.annotation else "" for one in every},
        frozenset(optional),
        frozenset(one.arg for one in node.args.kwonlyargs),
    )
