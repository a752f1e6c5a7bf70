"""How much the studies of paper 1 do at each scale, and which networks they share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from outflank.learn.imitation import ImitationConfig, preset
from outflank.nets.line import ARCHITECTURES as LINES
from outflank.studies.contender import Contender, shipped, together
from outflank.studies.estimate import Estimate
from outflank.studies.workbench import Workbench, can_train

BAGGED = "+bagging"  # behind a network's name: the mean of several
AHEAD = "(looks one move ahead)"  # behind the labels of networks that see boards after their moves
# In the papers' words.
LABELS = {
    "conv2": "Conv2 (not of the paper)",
    "conv4": "Conv4",
    "conv4-dropout": "Conv4+dropout",
    "conv4-bn": "Conv4+BN",
    "conv6": "Conv6",
    "conv6-dropout": "Conv6+dropout",
    "conv6-bn": "Conv6+BN",
    "conv8": "Conv8",
    "conv10": "Conv10",
    "conv8-dropout": "Conv8+dropout",
    "conv8-bn": "Conv8+BN",
    "resnet-32": "ResNet-32",
    "resnet-32-np": "ResNet-32-np",
    "resnet-32-np-p": "ResNet-32-np-p",
    "resnet-56": "ResNet-56",
    "resnet-56-np": "ResNet-56-np",
    "resnet-56-np-p": "ResNet-56-np-p",
    "densenet-40": "DenseNet-40",
    "densenet-100": "DenseNet-100",
    "widenet-40-4": "WideNet-40-4",
    "tower": "tower (not of the paper)",
    "line": f"line {AHEAD}",
    "line-0ply": "line-0ply",
}


@dataclass(frozen=True)
class Effort:
    """How long networks are trained, and how exactly they are measured."""

    preset: str  # of the training configuration
    settings: Mapping[str, Any] = field(default_factory=dict)  # other ones, for PyTorch
    examples: int = 0  # that a network of PyTorch is trained on; 0: all
    epochs: float | None = None  # passes over them; none: the paper's
    line_examples: int = 0  # the same for the line networks
    line_epochs: float | None = None  # none: as the networks that are shipped
    test_examples: int = 0  # of each test set, chosen at random; 0: all
    timing: float = 1.0  # seconds for which prediction times are measured
    openings: int = 1000  # of each match; each is played twice
    openings_slow: int = 1000  # the same for networks of PyTorch
    bag: int = 10  # networks that are averaged
    trainings: int = 1  # of each network that is compared with others, with different seeds
    left_out: tuple[str, ...] = ()  # networks that would take too long
    time_left_out: bool = False  # but their prediction times are measured
    stand_ins: Mapping[str, str] = field(default_factory=dict)  # others that take their places

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Effort:
        """Return the effort of a stored result; fields that older versions lack are as usual."""
        known = {one.name for one in dataclasses.fields(cls)}
        return cls(**{name: value for name, value in content.items() if name in known})

    @property
    def cut(self) -> str:
        """How training was cut down, in a few words; empty if it was not."""
        if not self.examples:
            return ""
        return f"networks learned from {self.examples:,} examples, the paper's from all"

    def trained(self, bench: Workbench) -> list[Contender]:
        """Return all networks of a bench that were trained at this scale."""
        found = []
        for one in bench.finished():
            if one.config is not None:
                fields = one.config.to_json()
                free = ("encoding", "years", "seed", "bootstrap")
                same = self.config(
                    one.config.network, one.config.dataset, **{name: fields[name] for name in free}
                )
                if same == one.config and one.config.years == bench.years:
                    found.append(one)
        return found

    def train(self, bench: Workbench, network: str, dataset: str, **fields: Any) -> list[Contender]:
        """Train a network as often as it takes to know how much trainings differ."""
        return [
            bench.train(self.config(network, dataset, seed=seed, **fields))
            for seed in range(1, self.trainings + 1)
        ]

    def config(self, network: str, dataset: str = "unique-s", **fields: Any) -> ImitationConfig:
        """Return how a network is trained: held out is what the paper holds out."""
        line = network in LINES
        base = self.preset
        if line:
            base = "line-smoke" if base == "smoke" else network
        settings = {
            **preset(base).to_json(),
            "network": network,
            "dataset": dataset,
            "split": "example",
            "held_out": None,
            "augment": False,  # the datasets differ in that
            "examples": self.line_examples if line else self.examples,
        }
        if not line:
            settings.update(self.settings)
        if not line or self.line_epochs is not None:
            settings["epochs"] = self.line_epochs if line else self.epochs
        return ImitationConfig.from_json({**settings, **fields})


EFFORTS = {
    # Seconds: to see that everything works.
    "smoke": Effort(
        "smoke", examples=512, epochs=1.0, line_examples=512, line_epochs=1.0, test_examples=500,
        timing=0.01, openings=4, openings_slow=4, bag=2,
    ),
    # Two hours on two cores. Conv8 learns from some 160 positions in a second there, Conv4 from
    # 1000, a line network from thousands. So what the paper does with Conv8 in 62 hours of a GPU is
    # done with Conv4 and few examples, in small steps, which learn more from these.
    "laptop": Effort(
        "laptop", {"learning_rate": 1e-3, "batch": 64},
        examples=100_000, epochs=1.0, line_examples=1_000_000, line_epochs=2.0,
        test_examples=50_000, openings=200, openings_slow=50, bag=3, trainings=3,
        left_out=(
            "conv6", "conv10", "resnet-56-np", "densenet-40", "densenet-100", "widenet-40-4",
        ),
        time_left_out=True,
        stand_ins={"conv8": "conv4", "conv8-dropout": "conv4-dropout", "conv8-bn": "conv4-bn"},
    ),
    "paper": Effort("paper", trainings=3),
}  # fmt: skip


def networks_for(effort: Effort, names: Sequence[str], bench: Workbench) -> list[str]:
    """Return those of some networks that are trained, and stand-ins; the result tells of both.

    A name may end with BAGGED.
    """
    found: dict[str, None] = {}
    for name in names:
        network = name.removesuffix(BAGGED)
        used = effort.stand_ins.get(network, network)
        if network in effort.left_out:
            bench.note(f"{LABELS[network]} is left out at this scale: it would take too long.")
        elif problem := can_train(used):
            bench.note(f"{LABELS[network]} is left out: {problem}")
        else:
            if used != network:
                bench.note(
                    f"{LABELS[network]} would take too long at this scale: in its place stands "
                    f"{LABELS[used]}."
                )
            found[used + name[len(network) :]] = None
    return list(found)


def label_of(name: str) -> str:
    """Return what a network, or the mean of several, is called in tables."""
    network = name.removesuffix(BAGGED)
    return LABELS[network] + name[len(network) :]


def bagged(effort: Effort, network: str, bench: Workbench, number: int = 0) -> Contender:
    """Train networks on bootstrapped samples and return their mean; number: of several means."""
    bench.note(f"{label_of(network + BAGGED)} is the mean of {effort.bag} networks.")
    parts = [
        bench.train(effort.config(network, bootstrap=True, seed=seed))
        for seed in range(number * effort.bag + 1, (number + 1) * effort.bag + 1)
    ]
    return together(network + BAGGED, parts)


def explain(effort: Effort, bench: Workbench) -> None:
    """Tell what is cut down at this scale."""
    if effort.examples:
        bench.note(
            f"Networks of PyTorch learn from {effort.examples:,} random examples of their training "
            f"set, epochs: {effort.epochs:g}; the paper's from all of it, in 6 or 24 epochs."
        )
    if effort.line_examples:
        bench.note(
            f"Line networks learn from {effort.line_examples:,}, epochs: {effort.line_epochs:g}."
        )
    if effort.openings_slow < Effort.openings_slow:
        bench.note(
            f"In matches line networks play {effort.openings} openings, others "
            f"{effort.openings_slow}, each twice; the paper's play 1000."
        )
    if effort.test_examples:
        bench.note(f"Accuracies are of {effort.test_examples:,} random examples of each test set.")
    if effort.preset == "laptop":
        bench.note(
            "Networks of PyTorch are trained with AdamW and one cycle of the learning rate, not "
            "with the paper's SGD."
        )
    if effort.trainings > 1:
        bench.note(
            f"Networks that are compared with each other were trained {effort.trainings} times, "
            "with different seeds: intervals are those between trainings, with those of the test "
            "examples or games. Other networks were trained once, and intervals are of these alone."
        )
    else:
        bench.note(
            "Intervals are of the test examples or games. Each network was trained once; another "
            "training would differ as well."
        )


def explain_sets(effort: Effort, bench: Workbench) -> None:
    """Tell what a comparison of training sets of different sizes cannot show at this scale."""
    if effort.examples:
        bench.note(
            "All training sets are cut to the same number of examples: what a larger set brings "
            "by its size, as mirror images do in the paper, is not seen here."
        )


def accuracy_of(found: dict[str, Any], measure: str = "accuracy") -> Estimate:
    """Return a share that Workbench.measure found."""
    return Estimate.of_share(found[measure], found["examples"])


def measured(
    effort: Effort,
    trainings: Sequence[Contender],
    test: str,
    bench: Workbench,
    measure: str = "accuracy",
) -> tuple[Estimate, dict[str, Any]]:
    """Return a share over several trainings of one network, and facts about them."""
    found = [bench.measure(one, test, at_most=effort.test_examples) for one in trainings]
    figures = [accuracy_of(one, measure) for one in found]
    facts = facts_of(trainings[0], found[0], bench)
    return Estimate.of_trainings(figures), {**facts, **each_of(figures)}


def each_of(figures: Sequence[Estimate]) -> dict[str, Any]:
    """Return what a row's facts say of several trainings; of one, nothing."""
    if len(figures) == 1:
        return {}
    return {"trainings": len(figures), "each": [round(one.value, 4) for one in figures]}


def extras() -> list[Contender]:
    """Return the networks that stand beside the paper's rows: those shipped."""
    return [
        dataclasses.replace(one, name=f"{one.name} {AHEAD}")
        if one.config is not None and one.config.network == "line"
        else one
        for one in shipped("imitation")
    ]


def facts_of(
    contender: Contender, found: dict[str, Any] | None = None, bench: Workbench | None = None
) -> dict[str, Any]:
    """Return what a row tells about its network and measurement."""
    facts: dict[str, Any] = {"training": dict(contender.facts)}
    if contender.config is not None:
        facts["dataset"] = contender.config.dataset
        facts["encoding"] = contender.config.encoding
    if found is not None:
        facts["ties"] = found["ties"]
        facts["from_fifth_move"] = round(100 * found["from_fifth_move"]["accuracy"], 2)
        facts["top"] = {k: round(100 * share, 2) for k, share in found["top"].items()}
        facts["calibration_error"] = round(100 * found["calibration_error"], 2)
        facts["value_mse"] = found["value_mse"]
        if found.get("warning"):
            facts["warning"] = found["warning"]
            if bench is not None and contender.facts.get("shipped"):
                bench.note(f"{contender.name}: {found['warning']}.")
    return facts
