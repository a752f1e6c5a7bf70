"""The players that can be chosen in the lab.

A page names a player by a spec. It is accepted only if it is one of the roster's, with numbers
within the roster's limits, so no message can make a player read a file or start a program.
"""

from __future__ import annotations

import importlib.resources
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from outflank.arena.ratings import Rating
from outflank.data.league import league_path
from outflank.errors import DataError, OutflankError, SpecError
from outflank.evaluations import evaluations
from outflank.evaluations.league import league_entries
from outflank.files import read_bytes
from outflank.lab import answers
from outflank.lab.settings import LabSettings
from outflank.learn.layout import RUN_NAME, run_folders
from outflank.learn.registry import learner_of_run
from outflank.models import shipped_models, shipped_networks
from outflank.players import Player, Spec, kinds, make_player
from outflank.players.analysis import REVIEWER
from outflank.players.judge import CHAMPION, champion_is_shipped, judge_spec
from outflank.players.levels import LEVELS

HUMAN = "human"
HINTER = judge_spec("depth=10")

_RUN, _ENGINE = "run", "engine"  # kinds of specs that only the lab has
_NETWORK = "policy"  # the kind of players that are networks
# What names of shipped networks begin with.
_EVOLVED, _SELFPLAY, _VALUE = "evolved-", "selfplay", "value-"
RATINGS = "ratings.json"
_SECONDS_KNOWN = 1.0  # between searches for shipped players and names
# Options that pages cannot choose, by kind.
_FIXED = {kind: {"memory": "16"} for kind in ("alphabeta", CHAMPION)}

OPPONENT = "level:casual"  # whom somebody new plays

# The groups: a title, and a sentence about the players in it.
GROUPS = {
    "people": (
        "Like a person, at your level",
        "Plays moves that people play and makes mistakes on purpose, but never collapses: "
        "a level limits how many discs it gives away.",
    ),
    "imitation": (
        "Imitation",
        "Networks that learned from expert games to play the move an expert would play.",
    ),
    "value": (
        "Value",
        "Look ahead with alpha-beta over a network that learned to predict who will win.",
    ),
    "coevolution": (
        "Coevolution",
        "Evaluations that evolved by playing each other, without seeing a single expert game.",
    ),
    "selfplay": ("Self-play", "A network that learned from nothing but the rules, by itself."),
    "search": (
        "Search",
        "Look ahead and choose what an evaluation likes best, as classic engines do.",
    ),
    "simple": ("Simple", "Neither learn nor look far ahead: good for a first game, and as a test."),
    "league": ("Othello League", "Published players that researchers compare their own with."),
    "engines": ("Your engines", "Programs of your own, from your file of engines."),
    "runs": ("Your training runs", "The newest checkpoint of each run of this lab."),
}


@dataclass(frozen=True)
class PlayerOption:
    """A number that may be chosen for a player; without a default it may be left out."""

    name: str
    label: str
    default: float | None
    least: float
    most: float
    step: float
    help: str = ""

    def to_json(self) -> answers.PlayerOption:
        """Describe it to the page."""
        return {
            "name": self.name,
            "label": self.label,
            "default": self.default,
            "least": self.least,
            "most": self.most,
            "step": self.step,
            "help": self.help,
        }


_DEPTH = PlayerOption("depth", "Depth", 6, 1, 14, 1, "moves to look ahead")
_CHAMPION_LEVEL = PlayerOption("level", "Level", 10, 1, 20, 1, "how far it looks ahead")
_CHAMPION_DEPTH = PlayerOption("depth", "Depth", None, 1, 20, 1, "moves to look ahead")
_TIME = PlayerOption(
    "time", "Seconds", None, 0.05, 60, 0.05, "for each move, even if the depth is not reached"
)
_SECONDS = PlayerOption("time", "Seconds", 1, 0.05, 60, 0.05, "for each move")
_TEMPERATURE = PlayerOption(
    "temperature",
    "Temperature",
    0,
    0,
    3,
    0.1,
    "0: always its first choice; 1: varies as people do",
)
_GAMES = PlayerOption("games", "Games", 200, 1, 5000, 1, "random games for each move")
_ROLLOUTS = PlayerOption("rollouts", "Random games", 200, 1, 5000, 1, "simulations for each move")
_SIMS = PlayerOption("sims", "Simulations", 100, 1, 2000, 1, "positions to look at for each move")
_PLIES = PlayerOption("depth", "Depth", 2, 1, 6, 1, "moves to look ahead")
_DISCS = PlayerOption("discs", "Discs", 100, 0, 1000, 10, "to give away in a game, at most")
_VARIETY = PlayerOption(
    "temperature", "Variety", 2, 0.1, 10, 0.1, "1: as experts play; more: as beginners do"
)
_OWN_LEVEL = "Set its level yourself, under Advanced."


@dataclass(frozen=True)
class Entry:
    """A player that can be chosen: its spec without options, and its description."""

    group: str
    spec: str
    name: str
    summary: str
    options: tuple[PlayerOption, ...] = ()
    real: str = ""  # the spec that makes the player, if different

    @cached_property
    def base(self) -> Spec:
        """Its spec, parsed."""
        return Spec.parse(self.spec)

    @cached_property
    def made(self) -> Spec:
        """The spec that makes the player, parsed."""
        return Spec.parse(self.real) if self.real else self.base

    @property
    def values(self) -> bool:
        """Whether the player's values are worth showing; one that errs on purpose is no judge."""
        return self.group != "people" and kinds()[self.made.kind].gives_values

    @property
    def handicap(self) -> bool:
        """Whether the player can be given a budget of discs to give away."""
        return self.made.kind == _NETWORK

    def resolve(self, asked: Spec) -> str | None:
        """Return the spec that makes the player, or None if another player is meant."""
        chosen = self._chosen(asked, self.base)
        if chosen is None:
            return None
        self._check(chosen, asked)
        made = self.made
        fixed = _FIXED.get(made.kind, {})
        return str(Spec(made.kind, made.argument, {**made.options, **chosen, **fixed}))

    def makes(self, asked: Spec) -> bool:
        """Return whether a spec, without fixed options, makes this player."""
        chosen = self._chosen(asked, self.made)
        if chosen is None:
            return False
        self._check(chosen, asked)
        return True

    def _check(self, chosen: Mapping[str, str], asked: Spec) -> None:
        known = {option.name: option for option in self.options}
        for key, text in chosen.items():
            _check(known[key], text, asked)

    def name_of(self, asked: Spec) -> str | None:
        """Return its name with its options, or None if another player is meant.

        Args:
            asked: The player as a page names it, or as `resolve` does.
        """
        for base in (self.base, self.made):
            chosen = self._chosen(asked, base)
            if chosen is not None:
                words = ", ".join(f"{key} {text}" for key, text in chosen.items())
                return f"{self.name} ({words})" if words else self.name
        return None

    def _chosen(self, asked: Spec, base: Spec) -> dict[str, str] | None:
        """Return the options chosen besides those of a base, or None if another is meant."""
        if (asked.kind, asked.argument) != (base.kind, base.argument):
            return None
        if any(asked.options.get(key) != value for key, value in base.options.items()):
            return None
        chosen = {key: text for key, text in asked.options.items() if key not in base.options}
        return chosen if chosen.keys() <= {option.name for option in self.options} else None


def _without_fixed(asked: Spec) -> Spec:
    fixed = _FIXED.get(asked.kind, {})
    options = {key: text for key, text in asked.options.items() if fixed.get(key) != text}
    return Spec(asked.kind, asked.argument, options)


def _check(option: PlayerOption, text: str, asked: Spec) -> None:
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
        self._shipped: tuple[float, list[Entry]] = (-math.inf, [])  # when they were last looked for
        self._names: tuple[float, dict[str, str]] = (-math.inf, {})

    @cached_property
    def rated(self) -> dict[str, Rating]:
        """The ratings of shipped players at their usual options, by the specs that make them."""
        return {
            entry.resolve(entry.base) or entry.spec: Rating(one["elo"], *one["interval"])
            for entry in _shipped()
            if (one := self.ratings.get(entry.spec))
        }

    def entries(self) -> Iterator[Entry]:
        """Yield them, group by group."""
        now = time.monotonic()
        if now - self._shipped[0] > _SECONDS_KNOWN:
            self._shipped = now, sorted(_shipped(), key=self._place)
        yield from self._shipped[1]
        yield from self._engines()[0]
        yield from self._runs()

    def _place(self, entry: Entry) -> tuple[int, float]:
        """Order shipped players: group by group, and the strongest of a group first."""
        return list(GROUPS).index(entry.group), -self.ratings.get(entry.spec, {}).get("elo", 0)

    def _engines(self) -> tuple[list[Entry], list[str]]:
        """Read the user's engines, and what is wrong with those that are left out."""
        try:
            found = read_engines(self.settings.engines)
        except OutflankError as error:
            return [], [str(error)]
        entries, problems = [], []
        for name, spec in found.items():
            entry = Entry("engines", f"{_ENGINE}:{_quoted(name)}", name, str(spec), real=str(spec))
            try:
                if not name.strip() or '"' in name:
                    raise SpecError("a name needs letters, and no quotes")
                if not isinstance(spec, str) or entry.made.kind not in kinds():
                    raise SpecError(f"not a player spec: {spec!r}")
            except SpecError as error:
                problems.append(f"{self.settings.engines}: {name!r}: {error}")
            else:
                entries.append(entry)
        return entries, problems

    def _runs(self) -> Iterator[Entry]:
        for path in run_folders(self.settings.runs):
            try:
                learner = learner_of_run(path)
            except OutflankError:  # the list of runs says what is wrong with it
                continue
            real = learner.player(path) if learner else None
            if learner and real:
                yield Entry("runs", f"{_RUN}:{path.name}", path.name, learner.plays, real=real)

    def to_json(self, elo_of: Callable[[str], Rating | None] | None = None) -> answers.Players:
        """Describe the players to the page.

        Args:
            elo_of: Gives a player's rating by the spec that makes it; only shipped ones if None.
        """
        rating_of = elo_of or self.rated.get
        groups: dict[str, list[answers.ListedPlayer]] = {}
        problems = self._engines()[1]
        if problems:
            groups["engines"] = []
        for entry in self.entries():
            rating = rating_of(entry.resolve(entry.base) or entry.spec)
            groups.setdefault(entry.group, []).append(
                {
                    "spec": entry.spec,
                    "name": entry.name,
                    "summary": _sentence(entry.summary),
                    "elo": rating.elo if rating else None,
                    "interval": (rating.low, rating.high) if rating else None,
                    "options": [option.to_json() for option in entry.options],
                    "values": entry.values,
                    "handicap": entry.handicap,
                }
            )
        notices = {"engines": "; ".join(problems)}
        return {
            "groups": [
                {
                    "id": group,
                    "title": GROUPS[group][0],
                    "about": GROUPS[group][1],
                    "players": groups[group],
                    "notice": notices.get(group) or None,
                }
                for group in GROUPS
                if group in groups
            ],
            "reviewer": REVIEWER,
            "hinter": HINTER,
            "opponent": OPPONENT,
        }

    def resolve(self, spec: str) -> str:
        """Return the spec that makes a player, given a page's spec."""
        asked = Spec.parse(spec)
        for entry in self.entries():
            resolved = entry.resolve(asked)
            if resolved is not None:
                return resolved
        raise SpecError(f"{spec}: no such player here; choose one from the list")

    def is_listed(self, made: str) -> bool:
        """Return whether a spec is one that `resolve` returns for a listed player."""
        try:
            asked = _without_fixed(Spec.parse(made))
            return any(entry.makes(asked) for entry in self.entries())
        except SpecError:
            return False

    def network_of(self, spec: str) -> str | None:
        """Return the network of a player that is one: only these can give discs away."""
        made = Spec.parse(self.resolve(spec))
        return made.argument if made.kind == _NETWORK else None

    def make(self, spec: str) -> Player:
        """Make a player from a page's spec."""
        return make_player(self.resolve(spec))

    def name_of(self, spec: str) -> str:
        """Return a player's name with its options."""
        if spec == HUMAN:
            return "You"
        now = time.monotonic()
        if now - self._names[0] > _SECONDS_KNOWN:
            self._names = now, {}
        names = self._names[1]
        if spec not in names:
            names[spec] = self._find_name(spec)
        return names[spec]

    def _find_name(self, spec: str) -> str:
        try:
            asked = _without_fixed(Spec.parse(spec))
        except SpecError:
            return spec
        for entry in self.entries():
            name = entry.name_of(asked)
            if name is not None:
                return name
        return _name_of_file(asked) or spec


def _shipped() -> Iterator[Entry]:
    for name, level in LEVELS.items():
        yield Entry("people", f"level:{name}", name.capitalize(), level.about)
    yield Entry("people", "lenient", "Your own level", _OWN_LEVEL, (_DISCS, _VARIETY))
    yield from _imitation()
    yield from _value()
    yield from _coevolution()
    yield from _selfplay()
    yield from _search()
    yield Entry(
        "simple",
        "playouts",
        "playouts",
        "Tries each move in random games and takes the best",
        (_GAMES,),
    )
    yield Entry("simple", "greedy", "greedy", "Flips as many discs as it can, which is a poor plan")
    yield Entry("simple", "random", "random", "Plays any legal move")
    for entry in league_entries():
        if not entry.file or _is_there(entry.name):
            yield Entry("league", f"league:{entry.name}", entry.name, entry.summary)


def _imitation() -> Iterator[Entry]:
    for name, model in shipped_networks().items():
        if not name.startswith((_SELFPLAY, _VALUE)):
            yield Entry("imitation", f"policy:{name}", name, model.summary, (_TEMPERATURE,))


def _value() -> Iterator[Entry]:
    """Yield players that think on the opponent's time."""
    for name, model in shipped_networks().items():
        if name.startswith(_VALUE):
            spec = f"alphabeta:net={name}"
            real = f"{spec},ponder=yes"
            yield Entry("value", spec, name, model.summary, (_SECONDS,), real=real)


def _coevolution() -> Iterator[Entry]:
    for known, model in shipped_models().items():
        if known.startswith(_EVOLVED):
            name = known.removeprefix(_EVOLVED)
            yield Entry("coevolution", f"evolved:{name}", known, model.summary, (_PLIES,))


def _selfplay() -> Iterator[Entry]:
    for name, model in shipped_networks().items():
        if name.startswith(_SELFPLAY):
            with_tree = f"{name} with search"
            yield Entry("selfplay", f"mcts:net={name}", with_tree, model.summary, (_SIMS,))
            yield Entry("selfplay", f"policy:{name}", name, model.summary, (_TEMPERATURE,))


def _champion() -> Iterator[Entry]:
    if champion_is_shipped():
        summary = shipped_models()[CHAMPION].summary
        yield Entry("search", CHAMPION, CHAMPION, summary, (_CHAMPION_LEVEL,))
        without = "The champion without its opening book, as reviews and hints use it."
        spec = f"{CHAMPION}:book=no"
        yield Entry("search", spec, "champion, no book", without, (_CHAMPION_DEPTH, _TIME))


def _search() -> Iterator[Entry]:
    yield from _champion()
    league = {entry.name for entry in league_entries()}
    for one in evaluations():
        if one.name in league or one.name == CHAMPION:  # players of their own
            continue
        if not one.name.startswith(_EVOLVED):
            spec = f"alphabeta:eval={one.name}"
            yield Entry("search", spec, one.name, one.summary, (_DEPTH, _TIME))
    yield Entry("search", "mcts", "mcts", "Monte Carlo tree search with random games", (_ROLLOUTS,))


def read_engines(path: Path) -> dict[str, Any]:
    """Read the user's file of engines: a JSON object from names to specs, not checked yet."""
    if not path.is_file():
        return {}
    try:
        found = json.loads(read_bytes(path))
    except ValueError as error:
        raise DataError(f"{path}: not JSON: {error}") from None
    if not isinstance(found, dict):
        raise DataError(f'{path}: write names and specs: {{"Rhino": "gtp:cmd=\\"gtp-rhino\\""}}')
    return found


def _shipped_ratings() -> Mapping[str, Mapping[str, Any]]:
    """Read the ratings of shipped players, from a tournament between them."""
    try:
        text = importlib.resources.files("outflank.lab").joinpath(RATINGS).read_text("utf-8")
    except (OSError, OutflankError):
        return {}
    players: Mapping[str, Mapping[str, Any]] = json.loads(text)["players"]
    return players


def _is_there(name: str) -> bool:
    """Return whether a league player's file is on this machine."""
    try:
        return league_path(name).is_file()
    except OutflankError:
        return False


def _name_of_file(asked: Spec) -> str | None:
    """Name a player that is made from a file: by its run, or else by the file's own name."""
    path = PurePath(asked.argument or asked.options.get("net", ""))
    if len(path.parts) < 2:
        return None
    runs = path.parts.index("runs") + 1 if "runs" in path.parts[:-1] else None
    name = path.stem if runs is None else path.parts[runs]
    chosen = {key: text for key, text in asked.options.items() if key != "net"}
    words = [asked.kind, *(f"{key} {text}" for key, text in chosen.items())]
    return f"{name} ({', '.join(words)})"


def _sentence(words: str) -> str:
    """Write a summary as a sentence."""
    return words[:1].upper() + words[1:].rstrip(".") + "." if words else ""


def _quoted(name: str) -> str:
    return name if RUN_NAME.fullmatch(name) else f'"{name}"'
