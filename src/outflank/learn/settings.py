"""Configurations: dataclasses whose fields explain themselves and can be given as text."""

from __future__ import annotations

import dataclasses
import math
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, ClassVar, TypeVar

from outflank.errors import DataError
from outflank.numbers import number, whole_number

Value = TypeVar("Value")
_Config = TypeVar("_Config", bound="Settings")


def explained(default: Value, text: str, *, kw_only: bool = False) -> Value:
    """Make a field of a configuration.

    Args:
        default: Its default value.
        text: A short description.
        kw_only: Whether it must be given by name.
    """
    value: Value = field(default=default, metadata={"text": text}, kw_only=kw_only)
    return value


@dataclass(frozen=True)
class Settings:
    """Base class of all configurations. Their fields are made by `explained`."""

    # Earlier names of fields, which older files and `field=value` texts may still have.
    ALIASES: ClassVar[Mapping[str, str]] = {}

    tensorboard: bool = explained(
        False, "write TensorBoard event files into the run's folder", kw_only=True
    )

    @classmethod
    def fields(cls) -> list[dataclasses.Field[Any]]:
        """Return the fields as people should see them: a learner's own first."""
        every = dataclasses.fields(cls)
        shared = {one.name for one in dataclasses.fields(Settings)}
        return sorted(every, key=lambda one: one.name in shared)

    @classmethod
    def _types(cls) -> dict[str, Any]:
        hints = typing.get_type_hints(cls)
        return {one.name: hints[one.name] for one in cls.fields()}

    def to_json(self) -> dict[str, Any]:
        """Return all fields by name."""
        return {one.name: getattr(self, one.name) for one in self.fields()}

    @classmethod
    def from_json(cls: type[_Config], fields: Mapping[str, Any], source: str = "") -> _Config:
        """Make a configuration from its fields; missing fields have their defaults."""
        place = f"{source}: " if source else ""
        types = cls._types()
        values = {}
        for given, value in fields.items():
            name = cls.ALIASES.get(given, given)
            if name not in types:
                raise DataError(f"{place}no such field: {given!r}; fields are {', '.join(types)}")
            if not _fits(value, types[name]):
                raise DataError(f"{place}{name}: {value!r}; accepted is {_kinds(types[name])}")
            values[name] = value
        try:
            return cls(**values)
        except DataError as error:
            raise DataError(f"{place}{error}") from None

    def with_settings(self: _Config, settings: Sequence[str]) -> _Config:
        """Return it with some fields changed, each given as "field=value"."""
        types = self._types()
        changed = self.to_json()
        for setting in settings:
            given, equals, text = setting.partition("=")
            name = self.ALIASES.get(given, given)
            if not equals or name not in types:
                known = ", ".join(types)
                raise DataError(f"{setting!r}: accepted is FIELD=VALUE; fields are {known}")
            changed[name] = _read(text, types[name], name)
        return type(self).from_json(changed)


def check_choices(config: Settings, choices: Mapping[str, Sequence[str]]) -> None:
    """Raise DataError if a field has a value that is not accepted."""
    for name, accepted in choices.items():
        if getattr(config, name) not in accepted:
            raise DataError(f"{name}: {getattr(config, name)!r}; accepted is {', '.join(accepted)}")


def check_limits(config: Settings, limits: Mapping[str, tuple[float, float]]) -> None:
    """Raise DataError if a field is out of its range."""
    for name, (least, greatest) in limits.items():
        value = getattr(config, name)
        if value is not None and not least <= value <= greatest:
            raise DataError(f"{name}: {value}; accepted is {least:g} to {greatest:g}")


@dataclass(frozen=True)
class Preset:
    """A named configuration: a short description, and the fields that differ from the defaults."""

    text: str
    changes: Mapping[str, Any] = field(default_factory=dict)


def find_preset(presets: Mapping[str, Preset], name: str, config: type[_Config]) -> _Config:
    """Return the configuration of a preset."""
    if name not in presets:
        raise DataError(f"no such preset: {name!r}; presets are {', '.join(presets)}")
    return config.from_json(presets[name].changes)


def _options(wanted: Any) -> tuple[Any, ...]:
    return typing.get_args(wanted) or (wanted,)


def _fits(value: Any, wanted: Any) -> bool:
    options = _options(wanted)
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return type(value) in options or (type(value) is int and float in options)


def _kinds(wanted: Any) -> str:
    words = {int: "a whole number", float: "a number", bool: "yes or no", str: "text"}
    return " or ".join(words.get(option, "none") for option in _options(wanted))


def _read(text: str, wanted: Any, name: str) -> Any:
    """Turn the text of a setting into a value of its field's type."""
    options = _options(wanted)
    if NoneType in options and text in ("", "none"):
        return None
    try:
        if bool in options:
            return {"yes": True, "true": True, "no": False, "false": False}[text]
        if int in options:
            return whole_number(text)
        return number(text) if float in options else text
    except (ValueError, KeyError):
        raise DataError(f"{name}: {text!r}; accepted is {_kinds(wanted)}") from None
