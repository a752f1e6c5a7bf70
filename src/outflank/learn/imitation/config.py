"""The configuration of imitation: everything that decides how a network is trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from outflank.data.encodings import ENCODINGS
from outflank.data.example_folder import SETS
from outflank.data.splits import SPLITS
from outflank.errors import DataError
from outflank.learn.settings import (
    Preset,
    Settings,
    check_choices,
    check_limits,
    explained,
    find_preset,
)

NO_SPLIT = "none"

_CHOICES = {
    "encoding": tuple(ENCODINGS),
    "dataset": SETS,
    "split": (*SPLITS, NO_SPLIT),
    "optimiser": ("sgd", "adamw"),
    "schedule": ("halving", "cosine", "one-cycle", "constant"),
    "precision": ("auto", "float32", "bfloat16"),
}
# (least, greatest) of the fields that are numbers.
_LIMITS: dict[str, tuple[float, float]] = {
    "held_out": (0, 1), "epochs": (0, 1e6), "batch": (1, 1 << 20), "examples": (0, 1 << 40),
    "learning_rate": (0, 1e3), "momentum": (0, 1), "halvings_per_epoch": (0, 1e3),
    "warm_up": (0, 1), "l2": (0, 1e3), "label_smoothing": (0, 1), "threads": (0, 1024),
    "channels": (16, 256), "blocks": (0, 32), "layers": (0, 16), "hidden": (16, 1024),
    "line_rate": (0, 1e3), "move_rate": (0, 1e3), "back_off": (0, 10), "row_floor": (0, 1e3),
    "table_decay": (0, 1e3), "line_dropout": (0, 0.9), "pattern_dropout": (0, 0.9),
    "channel_dropout": (0, 0.9), "value_weight": (0, 100), "lessons_weight": (0, 100),
    "teacher_weight": (0, 1), "repeats": (0, 1),
    "seed": (0, (1 << 63) - 1), "split_seed": (0, (1 << 63) - 1),
    "evaluate_every": (1, 1 << 40), "evaluate_examples": (1, 1 << 40),
    "checkpoint_every": (1, 1 << 40),
}  # fmt: skip


# Fields that the other kind of network ignores.
OF_LINES = (
    "channels", "blocks", "layers", "hidden", "line_rate", "move_rate", "row_floor", "back_off",
    "table_decay", "line_dropout", "pattern_dropout", "channel_dropout", "value_weight", "lessons",
    "lessons_weight", "repeats",
)  # fmt: skip
OF_TORCH = ("encoding", "augment", "nesterov", "precision", "channels_last")


@dataclass(frozen=True)
class ImitationConfig(Settings):
    """What is learned, from what, and how. The defaults are those of Liskowski et al. (2018)."""

    ALIASES: ClassVar[Mapping[str, str]] = {"rate": "learning_rate"}

    network: str = explained("conv8-bn", "architecture, by its name in the registry")
    encoding: str = explained(
        "pieces", "of boards: pieces; ones (+ a plane of ones); vmoves (+ legal moves)"
    )
    dataset: str = explained(
        "unique-s", "original, unique, or with all mirror images original-s, unique-s"
    )
    years: str = explained("", "of the games, such as 1977-2015; empty: all")
    split: str = explained(
        "example", "what is held out: single examples, whole games, the last years, or none"
    )
    held_out: float | None = explained(
        None, "share held out; none: 0.25, or 0.05 with mirror images"
    )
    last_training_year: int | None = explained(
        None, "for the split by year; none: chosen to match held_out"
    )
    examples: int = explained(0, "train on this many examples, chosen at random; 0: all")
    split_seed: int = explained(1, "seed of the split and of the choice of examples")
    seed: int = explained(1, "seed of initial weights, order, symmetries, bootstrap and dropout")
    start: str = explained("", "network to start from; empty: random weights")
    augment: bool = explained(False, "show each example under a random symmetry each time")
    bootstrap: bool = explained(
        False,
        "train on as many examples (a line network: positions) drawn with replacement (bagging)",
    )

    epochs: float | None = explained(
        None, "passes over the examples; none: 24, or 6 with mirror images"
    )
    batch: int = explained(
        512,
        "examples in a step, over all processes (whose batch normalisation is of all on GPUs, "
        "of each one's own share on processors)",
    )
    optimiser: str = explained("sgd", "sgd (with momentum) or adamw")
    learning_rate: float = explained(0.1, "the highest learning rate")
    momentum: float = explained(0.95, "of sgd; the first beta of adamw (a line network: 0.9)")
    nesterov: bool = explained(False, "Nesterov momentum (sgd)")
    schedule: str = explained(
        "halving", "of the learning rate: halving, cosine, one-cycle, constant"
    )
    halvings_per_epoch: float = explained(2.0, "for the schedule halving")
    warm_up: float = explained(
        0.0, "share of the steps in which the learning rate rises (cosine, one-cycle)"
    )
    l2: float = explained(5e-4, "weight decay; in PyTorch not of biases and normalisations")
    label_smoothing: float = explained(
        0.0, "share of the target given to all classes alike (a line network: all legal moves)"
    )
    teacher: str = explained(
        "", "networks, joined by +, of whose mean opinion a part of the target is (distillation)"
    )
    teacher_weight: float = explained(0.5, "share of the target that they make up")

    # Of the line network alone (OF_LINES below); its dense weights have
    # `learning_rate`, and decay by `l2`.
    channels: int = explained(64, "of the line network's vectors, a multiple of 16")
    blocks: int = explained(1, "that mix channels and squares")
    layers: int = explained(2, "on the legal moves")
    hidden: int = explained(128, "width of those layers, a multiple of 16")
    line_rate: float = explained(10.0, "of the lines' tables, as a multiple of `learning_rate`")
    move_rate: float = explained(2.0, "of the moves' tables, as a multiple of `learning_rate`")
    row_floor: float = explained(
        0.1, "share of a table's mean square gradient that is added to each row's own"
    )
    back_off: float = explained(
        0.0, "rate of the shorter patterns behind each row, as a share of their table's"
    )
    table_decay: float = explained(0.0, "decay of table rows towards where they started")
    line_dropout: float = explained(0.0, "share of the lines left out of each position")
    pattern_dropout: float = explained(0.0, "share of the patterns after a move left out")
    channel_dropout: float = explained(0.0, "share of the channels left out of each position")
    value_weight: float = explained(0.2, "of the squared error of the result")
    lessons: str = explained(
        "", "file of positions that a search judged; see learn imitation teach"
    )
    lessons_weight: float = explained(0.5, "weight of a lesson, relative to an average position")
    repeats: float = explained(
        0.5, "weight of a position that occurred n times, as a power of n; 1: n itself"
    )

    precision: str = explained("auto", "float32, bfloat16, or auto: bfloat16 on a GPU that has it")
    channels_last: bool = explained(False, "keep feature maps channel by channel in memory")
    threads: int = explained(0, "on the processor; 0: all cores")

    evaluate_every: int = explained(2000, "steps between measurements")
    evaluate_examples: int = explained(50_000, "measure on this many held-out examples")
    checkpoint_every: int = explained(2000, "steps between checkpoints")

    def __post_init__(self) -> None:
        check_choices(self, _CHOICES)
        check_limits(self, _LIMITS)
        for name in ("channels", "hidden"):
            if getattr(self, name) % 16:
                raise DataError(f"{name}: {getattr(self, name)}; accepted is a multiple of 16")

    @property
    def mirrored(self) -> bool:
        """Whether the dataset has all mirror images."""
        return self.dataset.endswith("-s")

    @property
    def distinct(self) -> bool:
        """Whether the dataset has each pair of board and move once."""
        return self.dataset.startswith("unique")

    @property
    def passes(self) -> float:
        """The epochs; the paper's if none are given."""
        return self.epochs if self.epochs is not None else (6 if self.mirrored else 24)

    @property
    def held_out_share(self) -> float:
        """The share held out; the paper's if none is given."""
        return self.held_out if self.held_out is not None else (0.05 if self.mirrored else 0.25)


_LINE: dict[str, Any] = {
    "network": "line",
    "dataset": "original",
    "epochs": 6.0,
    "optimiser": "adamw",
    "learning_rate": 2e-3,
    "momentum": 0.9,
    "schedule": "cosine",
    "warm_up": 0.01,
    "l2": 1e-2,
    "blocks": 2,
    "back_off": 1.0,
    "line_dropout": 0.1,
    "pattern_dropout": 0.1,
    "channel_dropout": 0.05,
}

_LAPTOP: dict[str, Any] = {
    "dataset": "unique",
    "split": "game",
    "augment": True,
    "epochs": 2.0,
    "optimiser": "adamw",
    "learning_rate": 2e-3,
    "momentum": 0.9,
    "schedule": "one-cycle",
    "warm_up": 0.1,
    "l2": 1e-2,
    "channels_last": True,
}
_SMOKE: dict[str, Any] = {
    "split": "game",
    "examples": 16_384,
    "batch": 128,
    "threads": 1,
    "evaluate_every": 64,
    "evaluate_examples": 2000,
    "checkpoint_every": 64,
}

# Each lists its differences from the defaults.
PRESETS = {
    "paper": Preset("the paper's best network, Conv8+BN; days on a GPU"),
    "laptop": Preset(
        "a small convolutional network, trained in a modern way; hours on two cores",
        {
            **_LAPTOP,
            "network": "conv4",
            "held_out": 0.05,
            "batch": 256,
            "evaluate_every": 1000,
            "evaluate_examples": 20_000,
            "checkpoint_every": 1000,
        },
    ),
    "line": Preset("our line network, which looks one move ahead; an hour or two", _LINE),
    "line-0ply": Preset(
        "the line network that looks only at the given board; an hour or two",
        {**_LINE, "network": "line-0ply", "blocks": 3},
    ),
    "line-smoke": Preset(
        "a tiny line network, to check that everything works; seconds",
        {**_LINE, **_SMOKE, "channels": 16, "hidden": 16},
    ),
    "smoke": Preset(
        "a tiny convolutional network, to check that everything works; seconds",
        {**_LAPTOP, **_SMOKE, "network": "conv2"},
    ),
}


def preset(name: str) -> ImitationConfig:
    """Return the configuration of a preset."""
    return find_preset(PRESETS, name, ImitationConfig)
