"""Values that are the same for many tasks, and go to each worker once."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

Held = TypeVar("Held")


class Shared(Generic[Held]):
    """A handle of a value: tasks hold it in the value's place.

    The value is a worker's copy. It may be read-only: change a copy of it instead.
    """

    def __init__(self, value: Held) -> None:
        self._value = value

    @property
    def value(self) -> Held:
        """The value."""
        return self._value


@dataclass(frozen=True)
class Parcel:
    """A task on its way to a worker process.

    Attributes:
        task: Pickled; numbers stand for its shared values.
        shared: Pickled values that the worker does not have yet, by number.
        forgotten: Numbers of values that no task will name any more.
    """

    task: bytes
    shared: Mapping[int, bytes] = field(default_factory=dict)
    forgotten: Iterable[int] = ()


class Shares:
    """What was shared with a cluster's processes, as long as somebody holds its handle."""

    def __init__(self) -> None:
        self._numbers: WeakKeyDictionary[Shared[Any], int] = WeakKeyDictionary()
        self._pickled: dict[int, bytes] = {}
        self._next = count()

    def share(self, value: Held) -> Shared[Held]:
        """Keep a value, and return its handle."""
        shared = Shared(value)
        number = next(self._next)
        self._numbers[shared] = number
        self._pickled[number] = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return shared

    def pack(self, task: object) -> tuple[bytes, list[Shared[Any]]]:
        """Pickle a task, and return it with the handles in it."""
        stream = io.BytesIO()
        pickler = _TaskPickler(stream, self._numbers)
        pickler.dump(task)
        return stream.getvalue(), pickler.used

    def parcel(self, task: bytes, used: Iterable[Shared[Any]], there: set[int]) -> Parcel:
        """Make the parcel for a worker, and bring up to date which values it has (`there`)."""
        alive = set(self._numbers.values())
        for number in self._pickled.keys() - alive:
            del self._pickled[number]
        forgotten = there - alive
        wanted = {self._numbers[shared] for shared in used} - there
        there -= forgotten
        there |= wanted
        return Parcel(task, {number: self._pickled[number] for number in wanted}, forgotten)


class _TaskPickler(pickle.Pickler):
    """Writes the numbers of shared values instead of the values."""

    def __init__(self, stream: io.BytesIO, numbers: Mapping[Shared[Any], int]) -> None:
        super().__init__(stream)
        self._numbers = numbers
        self.used: list[Shared[Any]] = []

    def persistent_id(self, value: object) -> int | None:
        if isinstance(value, Shared) and value in self._numbers:
            self.used.append(value)
            return self._numbers[value]
        return None


class ReceivedShares:
    """The shared values that a worker process has."""

    def __init__(self) -> None:
        self._values: dict[int, Shared[Any]] = {}

    def unpack(self, parcel: Parcel) -> Any:
        """Return the task of a parcel, with the values that came with it or before it."""
        for number in parcel.forgotten:
            self._values.pop(number, None)
        for number, value in parcel.shared.items():
            self._values[number] = Shared(pickle.loads(value))  # noqa: S301  # from the main process
        return _TaskUnpickler(io.BytesIO(parcel.task), self._values).load()


class _TaskUnpickler(pickle.Unpickler):
    """Puts the worker's copies of shared values in the place of their numbers."""

    def __init__(self, stream: io.BytesIO, values: Mapping[int, Shared[Any]]) -> None:
        super().__init__(stream)
        self._values = values

    def persistent_load(self, number: Any) -> Shared[Any]:
        return self._values[number]
