"""Who can be chosen in the page, and nobody else.

The page names a player by a spec. It is accepted only if it is one of the roster's, with numbers
within the roster's limits: so no message can make a player read a file or start a program.
"""

from __future__ import annotations

import importlib.resources
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outflank.data.league import league_path
from outflank.errors import DataError, OutflankError, SpecError
from outflank.evaluations import evaluations
from outflank.evaluations.league import league_entries
from outflank.files import read_bytes
from outflank.lab.settings import LabSettings
from outflank.models import shipped_models, shipped_networks
from outflank.players import Player, Spec, make_player

HUMAN = "human"
REVIEWER = "alphabeta:eval=patterns,depth=8"
HINTER = "alphabeta:eval=patterns,depth=10"

_RUN, _ENGINE = "run", "engine"  # kinds of specs that only the page has
_EVOLVED = "evolved-"
_FAVOURITE = "imitation-fast"  # the first of all
RATINGS = "ratings.json"
_FIXED = {"alphabeta": {"memory": "16"}}  # options that the page does not choose

TITLES = {
    "imitation": "Imitation: learned from experts' games",
    "coevolution": "Coevolution: evolved by playing each other",
    "search": "Search: alpha-beta over an evaluation",
    "simple": "Simple: no search, no learning",
    "league": "Othello League: published players",
    "engines": "Your engines",
    "runs": "Your runs: the newest checkpoint",
}


@dataclass(frozen=True)
class Option:
    """A number that may be chosen for a player; no default means that it may be left out."""

    name: str
    label: str
    default: float | None
    least: float
    most: float
    step: float
    help: str = ""


_DEPTH = Option("depth", "Depth", 6, 1, 14, 1, "plies that it looks ahead")
_TIME = Option("time", "Seconds", None, 0.05, 60, 0.05, "for each move, if less than the depth")
_TEMPERATURE = Option(
    "temperature", "Temperature", 0, 0, 3, 0.1, "0: its first choice; 1: varies as people do"
)
_GAMES = Option("games", "Games", 200, 1, 5000, 1, "random games for each move")
_PLIES = Option("depth", "Depth", 2, 1, 6, 1, "plies that it looks ahead")


@dataclass(frozen=True)
class Entry:
    """A player that can be chosen: its spec without the options, and what people are told."""

    group: str
    spec: str
    name: str
    summary: str
    options: tuple[Option, ...] = ()
    real: str = ""  # the spec that makes the player, if it is another

    def resolve(self, asked: Spec) -> str | None:
        """Return the spec to make a player of, or None if another player is meant."""
        base = Spec.parse(self.spec)
        if (asked.kind, asked.argument) != (base.kind, base.argument):
            return None
        if any(asked.options.get(key) != value for key, value in base.options.items()):
            return None
        chosen = {key: text for key, text in asked.options.items() if key not in base.options}
        known = {option.name: option for option in self.options}
        if not chosen.keys() <= known.keys():
            return None
        for key, text in chosen.items():
            _check(known[key], text, asked)
        made = Spec.parse(self.real or self.spec)
        fixed = _FIXED.get(made.kind, {})
        return str(Spec(made.kind, made.argument, {**made.options, **chosen, **fixed}))


def _check(option: Option, text: str, asked: Spec) -> None:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not option.least <= number <= option.most:
        raise SpecError(
            f"{asked}: {option.name} is {text!r}; accepted is {option.least:g} to {option.most:g}"
        )


class Roster:
    """All players that can be chosen now."""

    def __init__(self, settings: LabSettings) -> None:
        self.settings = settings
        self.ratings = _shipped_ratings()

    def entries(self) -> Iterator[Entry]:
        """Yield them, group by group."""
        yield from _imitation()
        yield from _coevolution()
        yield from _search()
        yield Entry("simple", "playouts", "playouts", "tries each move in random games", (_GAMES,))
        yield Entry("simple", "greedy", "greedy", "flips as many discs as it can")
        yield Entry("simple", "random", "random", "plays any legal move")
        for entry in league_entries():
            if not entry.file or _is_there(entry.name):
                yield Entry("league", f"league:{entry.name}", entry.name, entry.summary)
        yield from self._engines()
        yield from self._runs()

    def _engines(self) -> Iterator[Entry]:
        for name, spec in read_engines(self.settings.engines).items():
            yield Entry("engines", f"{_ENGINE}:{_quoted(name)}", name, spec, real=spec)

    def _runs(self) -> Iterator[Entry]:
        folder = self.settings.runs
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            real = player_of_run(path)
            if real:
                summary = "as it plays now" if real.startswith("policy") else "its best network"
                yield Entry("runs", f"{_RUN}:{path.name}", path.name, summary, real=real)

    def to_json(self) -> dict[str, Any]:
        """Describe the players to the page."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for entry in self.entries():
            rated = self.ratings.get(entry.spec, {})
            groups.setdefault(entry.group, []).append(
                {
                    "spec": entry.spec,
                    "name": entry.name,
                    "summary": entry.summary,
                    "elo": rated.get("elo"),
                    "interval": rated.get("interval"),
                    "options": [vars(option) for option in entry.options],
                }
            )
        return {
            "groups": [
                {"id": group, "title": TITLES[group], "players": players}
                for group, players in groups.items()
            ],
            "reviewer": REVIEWER,
            "hinter": HINTER,
        }

    def resolve(self, spec: str) -> str:
        """Return the spec to make a player of, given one from the page."""
        asked = Spec.parse(spec)
        for entry in self.entries():
            resolved = entry.resolve(asked)
            if resolved is not None:
                return resolved
        raise SpecError(f"{spec}: no such player here; choose one of the list")

    def make(self, spec: str) -> Player:
        """Make a player of a spec from the page."""
        return make_player(self.resolve(spec))

    def name_of(self, spec: str) -> str:
        """Return how people call a player: its name, and what was chosen for it."""
        if spec == HUMAN:
            return "You"
        try:
            asked = Spec.parse(spec)
        except SpecError:
            return spec
        fixed = _FIXED.get(asked.kind, {})
        options = {k: v for k, v in asked.options.items() if fixed.get(k) != v}
        asked = Spec(asked.kind, asked.argument, options)
        for entry in self.entries():
            try:
                known = entry.resolve(asked) is not None
            except SpecError:
                known = False
            if known:
                base = Spec.parse(entry.spec).options
                chosen = [f"{k} {v}" for k, v in options.items() if k not in base]
                return f"{entry.name} ({', '.join(chosen)})" if chosen else entry.name
        return spec


def _imitation() -> Iterator[Entry]:
    networks = sorted(shipped_networks().items(), key=lambda pair: pair[0] != _FAVOURITE)
    for name, model in networks:
        yield Entry("imitation", f"policy:{name}", name, model.summary, (_TEMPERATURE,))


def _coevolution() -> Iterator[Entry]:
    for known, model in shipped_models().items():
        if known.startswith(_EVOLVED):
            name = known.removeprefix(_EVOLVED)
            yield Entry("coevolution", f"evolved:{name}", known, model.summary, (_PLIES,))


def _search() -> Iterator[Entry]:
    first = ("patterns", "iago", "mobility", "discs")  # the usual ones before the others
    league = {entry.name for entry in league_entries()}
    listed = {one.name: one for one in evaluations() if one.name not in league}
    for name in [*(name for name in first if name in listed), *sorted(set(listed) - set(first))]:
        summary = listed[name].summary
        yield Entry("search", f"alphabeta:eval={name}", name, summary, (_DEPTH, _TIME))


def read_engines(path: Path) -> dict[str, str]:
    """Read the user's file of engines: a JSON object from names to specs."""
    if not path.is_file():
        return {}
    try:
        found = json.loads(read_bytes(path))
    except ValueError as error:
        raise DataError(f"{path}: not JSON: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(spec, str) for spec in found.values()):
        raise DataError(f'{path}: write names and specs: {{"Rhino": "gtp:cmd=\\"gtp-rhino\\""}}')
    return {str(name): spec for name, spec in found.items()}


def player_of_run(folder: Path) -> str | None:
    """Return the spec of the player that a run has made so far."""
    for name in ("network.onnx", "network.safetensors"):
        if (folder / name).is_file():
            return str(Spec("policy", str(folder / name)))
    player = folder / "player.safetensors"
    return str(Spec("evolved", str(player))) if player.is_file() else None


def _shipped_ratings() -> Mapping[str, Mapping[str, Any]]:
    """Read the ratings of shipped players, which a tournament between them gave."""
    try:
        text = importlib.resources.files("outflank.lab").joinpath(RATINGS).read_text("utf-8")
    except (OSError, OutflankError):
        return {}
    players: Mapping[str, Mapping[str, Any]] = json.loads(text)["players"]
    return players


def _is_there(name: str) -> bool:
    """Tell whether a league player's file is on this machine."""
    try:
        return league_path(name).is_file()
    except OutflankError:
        return False


def _quoted(name: str) -> str:
    return f'"{name}"' if "," in name or " " in name else name
