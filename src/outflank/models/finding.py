"""Finds and loads networks by name or path."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from outflank.errors import DataError
from outflank.files import located, needed, read_bytes
from outflank.nets import OnnxPolicy, PolicyNetwork, need_torch, pattern_value
from outflank.nets.files import kind_of, load_card
from outflank.nets.line import ARCHITECTURES, LinePolicy
from outflank.nets.network import Averaged, Card

NETWORK = "network"  # the kind of files that hold one

_FOLDER = Path(__file__).parent
# In a run's folder, the network as it is now; .onnx plays without PyTorch, so it goes first, while
# training goes on from the .safetensors beside it.
_ENDINGS = (".onnx", ".safetensors")
_IN_A_RUN = ("network.onnx", "network.safetensors")


@dataclass(frozen=True)
class Model:
    """Shipped weights of a network or an evaluation, with their card."""

    name: str
    path: Path

    @property
    def bytes(self) -> int:
        """Size of the weights' file."""
        return self.path.stat().st_size

    @property
    def text(self) -> str:
        """Its card, in Markdown."""
        return read_bytes(_FOLDER / f"{self.name}.md").decode()

    @property
    def summary(self) -> str:
        """The first line of the card after its title."""
        lines = [line.strip() for line in self.text.splitlines()]
        return next((line for line in lines if line and not line.startswith("#")), "")

    @cached_property
    def kind(self) -> str:
        """What its file holds: a network, or an evaluation of some kind."""
        return NETWORK if self.path.suffix == ".onnx" else kind_of(self.path)

    @property
    def is_network(self) -> bool:
        """Whether it is a network, which `policy:NAME` plays."""
        return self.kind == NETWORK

    @cached_property
    def card(self) -> Card:
        """The card in a network's file."""
        return load_network(self.path).card if self.path.suffix == ".onnx" else load_card(self.path)


def shipped_models() -> dict[str, Model]:
    """Return all shipped models by name; of two files of one name, the preferred one."""
    found: dict[str, Model] = {}
    for path in sorted(path for path in _FOLDER.iterdir() if path.suffix in _ENDINGS):
        found.setdefault(path.stem, Model(path.stem, path))
    return found


def shipped_networks() -> dict[str, Model]:
    """Return the shipped networks by name."""
    return {name: model for name, model in shipped_models().items() if model.is_network}


def find_network_file(name: str) -> Path:
    """Return the file of a network, given a shipped name, a run's folder, or the file."""
    shipped = shipped_networks()
    if name in shipped:
        return shipped[name].path
    path = located(name)
    if name and path.is_dir():
        for candidate in _IN_A_RUN:
            if (path / candidate).is_file():
                return needed(path / candidate)
        raise DataError(f"{path}: holds no network ({' or '.join(_IN_A_RUN)})")
    if path.is_file():
        return needed(path)
    known = f"shipped are {', '.join(shipped)}" if shipped else "none are shipped"
    raise DataError(f"no such network: {name!r}; {known}; a run's folder or a file is accepted too")


def find_network_files(names: str) -> list[Path]:
    """Return the files of several networks: names joined by +; wildcards are allowed."""
    found: list[Path] = []
    for name in _split(names):
        if any(letter in name for letter in "*?[") and not located(name).exists():
            shipped = [m.path for n, m in shipped_networks().items() if fnmatch.fnmatch(n, name)]
            folder = located(name)
            there = sorted(folder.parent.glob(folder.name)) if folder.parent.is_dir() else []
            matching = shipped or [find_network_file(str(path)) for path in there]
            if not matching:
                raise DataError(f"no network's name or file matches {name!r}")
            found += matching
        else:
            found.append(find_network_file(name))
    return found


def _split(names: str) -> list[str]:
    """Split names joined by +; an existing file may have a + in its name."""
    pieces, found = names.split("+"), []
    while pieces:
        longer = ("+".join(pieces[:n]) for n in range(1, len(pieces) + 1))
        name = next((one for one in longer if one and located(one).exists()), pieces[0])
        found.append(name)
        pieces = pieces[name.count("+") + 1 :]
    return found


def load_networks(names: str, *, threads: int = 0) -> PolicyNetwork:
    """Load a network, or several as one: names joined by + are averaged."""
    networks = [load_network(path, threads=threads) for path in find_network_files(names)]
    return networks[0] if len(networks) == 1 else Averaged(networks)


def load_network(name: Path | str, *, threads: int = 0) -> PolicyNetwork:
    """Load a network of any kind.

    Args:
        name: The name of a shipped network (`outflank models` lists them), a run's folder, or a
            file.
        threads: Threads that it predicts with; 0: all cores.
    """
    path = name if isinstance(name, Path) else find_network_file(name)
    if path.suffix == ".onnx":
        return OnnxPolicy(path, threads=threads)
    architecture = load_card(path).architecture
    if architecture in ARCHITECTURES:
        return LinePolicy.load(path, threads=threads)
    if architecture == pattern_value.ARCHITECTURE:
        return pattern_value.PatternValue.load(path, threads=threads)
    need_torch()
    from outflank.nets.torch import policy_value, value
    from outflank.nets.torch.policy import TorchPolicy, load_module

    if architecture == policy_value.ARCHITECTURE:
        return policy_value.load_policy_value(path)
    if architecture == value.ARCHITECTURE:
        return value.load_value(path)
    return TorchPolicy(*load_module(path))
