"""Player specs: ``kind``, ``kind:argument`` or ``kind:key=value,key=value``.

The command, the lab, the arena and the studies all use this grammar. A value may be in double
quotes, and must be if it contains a comma: ``gtp:cmd="engine -a 1,2"``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from outflank.errors import SpecError

_KIND = re.compile(r"[a-z][a-z0-9_-]*")
_PART = re.compile(r'(?:(?P<key>[a-z][a-z0-9_]*)=)?(?P<value>"[^"]*"|[^,"]*)')


_NEEDS_QUOTES = re.compile(r"[,\s]|\A[a-z][a-z0-9_]*=")


@dataclass(frozen=True)
class Spec:
    """A parsed spec: its kind, the argument without a key (or ""), and the options."""

    kind: str
    argument: str = ""
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Parse a spec.

        >>> Spec.parse("playouts:games=50,seed=1")
        Spec(kind='playouts', argument='', options={'games': '50', 'seed': '1'})
        """
        kind, colon, rest = text.strip().partition(":")
        if not _KIND.fullmatch(kind):
            raise SpecError(f"not a player spec: {text!r}; specs look like kind:key=value,...")
        if not colon:
            return cls(kind)
        argument = ""
        options: dict[str, str] = {}
        at = 0
        while True:
            match = _PART.match(rest, at)
            assert match is not None  # noqa: S101  # the pattern also matches nothing
            at = match.end()
            if not match["value"] or (at < len(rest) and rest[at] != ","):
                raise SpecError(
                    f"{text}: cannot read {rest[match.start() :]!r}; write key=value,..."
                )
            value = match["value"].strip('"')
            if match["key"] is None:
                if argument or options:
                    raise SpecError(f"{text}: {value!r} needs a key: write key=value")
                argument = value
            elif match["key"] in options:
                raise SpecError(f"{text}: {match['key']} is given twice")
            else:
                options[match["key"]] = value
            if at == len(rest):
                return cls(kind, argument, options)
            at += 1

    def __str__(self) -> str:
        parts = [_quoted(self.argument)] if self.argument else []
        parts += [f"{key}={_quoted(value)}" for key, value in self.options.items()]
        return f"{self.kind}:{','.join(parts)}" if parts else self.kind


def _quoted(value: str) -> str:
    return f'"{value}"' if not value or _NEEDS_QUOTES.search(value) else value
