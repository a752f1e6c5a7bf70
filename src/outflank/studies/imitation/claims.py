"""What paper 1 says of its tables and figures, put to the test with the rows of stored results.

Each judge_... takes a result and returns its claims; evidence.py says when a claim is left open.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from outflank.studies.doubts import left_open
from outflank.studies.estimate import Estimate, student_95
from outflank.studies.imitation.effort import BAGGED, LABELS, Effort
from outflank.studies.imitation.evidence import Table, another_engine, is_brief
from outflank.studies.papers import printed_rows, said
from outflank.studies.result import Claim, Result, Row

PREDICTORS = ("conv8-bn", "imitation-0ply")  # of those that do not search, the best
_ON_PAR = 0.5  # points of accuracy
_LEGAL = 99.9  # percent
_LINEAR = 0.99
_FEWEST = 5  # networks that a line needs
_CONSISTENT = 5.0  # points of accuracy between stages of the game
_SLOPE = 0.2  # points of winning rate for a point of accuracy, either way
_FLAT = 0.5  # the same, for no rise worth speaking of
_RL14 = "rl14-iprefn"
_SHORTCUTS = ("resnet", "densenet", "widenet")  # networks with skip connections begin so


def judge_set_strength(result: Result) -> list[Claim]:
    """Table VIII."""
    return of_training_sets(Table.of(result), "strength")


def of_training_sets(table: Table, what: str) -> list[Claim]:
    """Tables II and VIII: accuracies or winning rates of networks, by training set.

    Sets that were cut to the same size tell nothing of what a larger one brings.
    """
    pairs = {
        f"mirror images of the examples bring {what}": ("original-s", "original"),
        f"mirror images of distinct examples bring {what}": ("unique-s", "unique"),
        f"to remove duplicates brings {what}": ("unique", "original"),
        f"to remove duplicates of mirror images brings {what}": ("unique-s", "original-s"),
    }
    return [
        claim
        for text, (one, other) in pairs.items()
        for name in table.layers()
        for claim in table.gain(text, (name, one), (name, other), above=0.0)
        if not table.cut
    ]


def judge_encodings(result: Result) -> list[Claim]:
    """Table III."""
    return of_encodings(Table.of(result))


def of_encodings(table: Table) -> list[Claim]:
    """Table III: accuracies by encoding and number of layers."""
    found: list[Claim] = []
    there = table.layers()
    for fewer, more in itertools.pairwise(there):
        text = "networks of more layers predict better"
        found += table.gain(text, (more, "pieces"), (fewer, "pieces"), above=0.0)
    text = "ten layers are not better than eight"
    found += table.gain(text, ("conv10", "pieces"), ("conv8", "pieces"), most=0.0)
    if there:
        name = there[-1]
        text = f"a plane of ones changes little: no more than {_ON_PAR:g} points either way"
        found += table.gain(text, (name, "ones"), (name, "pieces"), within=_ON_PAR)
    for name in there:
        if name != "conv4":  # of which the paper's figures say the opposite
            text = "networks that see which moves are legal predict worse"
            found += table.gain(text, (name, "pieces"), (name, "vmoves"), above=0.0)
    return found


def judge_legal_moves(result: Result) -> list[Claim]:
    """Table IV."""
    return of_legal_moves(Table.of(result))


def of_legal_moves(table: Table) -> list[Claim]:
    """Table IV: how often the highest score is a legal move's."""
    found: list[Claim] = []
    for name in table.layers():
        for column in ("pieces", "ones"):
            text = "the networks learn which moves are legal (the paper: 99.95% and more)"
            found += table.share(text, (name, column), digits=2, least=_LEGAL)
        shown = table.figure(name, "vmoves")
        if shown is not None:
            text = "networks that see which moves are legal make no mistake"
            wrong = round(shown.count * (1 - shown.value / 100))
            verdict = Claim.FAILS if wrong else Claim.HOLDS
            reason = f"{table.label(name)}: {wrong:,} of {shown.count:,} choices are illegal"
            found.append(table.qualified(Claim(text, verdict, reason), (name, "vmoves")))
    return found


def of_regularisation(table: Table) -> list[Claim]:
    """Table V: dropout, batch normalisation, bagging."""
    plain, dropped, normalised = "conv8", "conv8-dropout", "conv8-bn"
    cell = "accuracy"
    return [
        *table.gain("dropout does harm", (plain, cell), (dropped, cell), above=0.0),
        *table.gain("batch normalisation brings more than two points",
                    (normalised, cell), (plain, cell), above=2.0),
        *table.gain("the mean of networks of bootstrapped samples is better than one network",
                    (normalised + BAGGED, cell), (normalised, cell), above=0.0),
    ]  # fmt: skip


def judge_skip_connections(result: Result) -> list[Claim]:
    """Table VI."""
    return of_skip_connections(Table.of(result))


def of_skip_connections(table: Table) -> list[Claim]:
    """Table VI: residual, dense and wide networks."""
    found: list[Claim] = []
    column, baseline = "accuracy", "conv8-bn"
    for name in ("resnet-32", "resnet-56"):
        text = "without downsampling residual networks are better"
        found += table.gain(text, (f"{name}-np", column), (name, column), above=0.0)
        text = "with projecting shortcuts residual networks are slightly better"
        found += table.gain(text, (f"{name}-np-p", column), (f"{name}-np", column), above=0.0)

    def best(left: str = "") -> str:
        names = [name for name in table.rows if name.startswith(_SHORTCUTS) and name != left]
        return max(names, key=lambda name: table.rows[name].values[column], default="")

    if "widenet-40-4" in table.rows:
        text = "WideNet is the best network with skip connections"
        other = best("widenet-40-4")
        found += table.gain(text, ("widenet-40-4", column), (other, column), above=0.0)
    text = f"no network with skip connections is better than {table.label(baseline)}"
    found += table.gain(text, (best(), column), (baseline, column), most=0.0)
    return found


def judge_strength(result: Result) -> list[Claim]:
    """Table VII."""
    return of_strength(Table.of(result).still())


def of_strength(table: Table) -> list[Claim]:
    """Table VII: networks that do not search against players that look one move ahead."""
    found: list[Claim] = []
    for name, row in table.rows.items():
        met = row.facts.get("winning_rates_white", {})
        if met:
            hardest = min(met, key=lambda player: float(met[player]["value"]))
            text = "a network that does not search beats every player that looks one move ahead"
            what = f"{table.label(name)}, the least winning rate, against {hardest}"
            judged = Claim.judge(text, what, Estimate(**met[hardest]), above=50.0)
            found.append(table.qualified(judged, (name, "average-white")))
    for name in PREDICTORS:
        text = "a network that does not search wins nine of ten games against such players"
        found += table.share(text, (name, "average-white"), least=90.0)
        network = table.row(name)
        met = network.facts.get("winning_rates_white", {}) if network else {}
        if _RL14 in met:
            least = said(1, "winning rate of Conv8+BN against RL14")
            text = (
                f"a network that does not search wins {least:g}% of the games against RL14_iPrefN"
            )
            what = f"{table.label(name)}, winning rate against {_RL14}"
            judged = Claim.judge(text, what, Estimate(**met[_RL14]), least=least)
            found.append(table.qualified(judged, (name, "average-white")))
    return found


def judge_correlation(result: Result) -> list[Claim]:
    """Figure 4: the lines, and whether the mean of several networks is better than one."""
    cut, series = Effort.from_json(result.config["effort"]).cut, result.plot_data("series")
    found: list[Claim] = []
    for name in printed_rows(1, "figure-4"):
        line = series.get(name)
        if line is not None and line["line"] is not None:
            doubt = another_engine(result) if name == "engine" else ""
            found += of_correlation(name, [(x, y) for x, y in line["points"]], cut, doubt)
    return found + of_samples(result.rows, cut)


def of_correlation(
    name: str, points: Sequence[tuple[float, float]], cut: str, doubt: str = ""
) -> list[Claim]:
    """Figure 4: accuracies and winning rates of networks, and the line that is fitted to them.

    The interval of r² is by Fisher's transformation, that of the slope by Student's t. cut: as in
    Table. doubt: another reason to leave it open.
    """
    slope, _ = printed_rows(1, "figure-4")[name]
    least, most = (f(accuracy for accuracy, _ in points) for f in (min, max))
    of = f"{len(points)} networks with accuracies of {least:.0f} to {most:.0f}% (the paper: 57-64)"
    linear = f"winning rates ({name}) are almost exactly a linear function of accuracy"
    rises = f"a point of accuracy brings {slope:g} points of winning rate ({name})"
    full = f"beyond 63% of accuracy winning rates ({name}) rise no more"
    bound = said(1, "accuracy from which winning rates do not rise")
    beyond = [point for point in points if point[0] > bound]
    few = f"; a line needs {_FEWEST}"
    if len(points) < _FEWEST:
        return [Claim(text, Claim.OPEN, f"{of}{few}") for text in (linear, rises)]
    found = [
        Claim.judge(linear, f"r² of {of}", _determination(points), digits=3, least=_LINEAR),
        Claim.judge(rises, f"slope of {of} less {slope:g}", _slope(points, slope), digits=2,
                    within=_SLOPE),
    ]  # fmt: skip
    if len(beyond) < _FEWEST:
        found.append(Claim(full, Claim.OPEN, f"{len(beyond)} networks beyond {bound:g}%{few}"))
    else:
        what = f"slope of {len(beyond)} networks beyond {bound:g}%"
        found.append(Claim.judge(full, what, _slope(beyond), digits=2, most=_FLAT))
    return [left_open(claim, cut, doubt) for claim in found]


def _sums(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Return the sums of squares of x, of y, and of their products, around the means."""
    means = [sum(values) / len(points) for values in zip(*points, strict=True)]
    apart = [(x - means[0], y - means[1]) for x, y in points]
    return (
        sum(x * x for x, _ in apart), sum(y * y for _, y in apart), sum(x * y for x, y in apart)
    )  # fmt: skip


def _determination(points: Sequence[tuple[float, float]]) -> Estimate:
    """Return r²; zero for a line that falls, which is none of the paper's."""
    xx, yy, xy = _sums(points)
    r2 = xy * xy / (xx * yy) if xy > 0 else 0.0
    centre = math.atanh(min(math.sqrt(r2), 1 - 1e-9))
    margin = 1.96 / math.sqrt(len(points) - 3)
    low, high = (math.tanh(max(0.0, bound)) ** 2 for bound in (centre - margin, centre + margin))
    return Estimate(r2, low, high, len(points))


def _slope(points: Sequence[tuple[float, float]], less: float = 0.0) -> Estimate:
    """Return the slope of a line by least squares, less another one."""
    xx, yy, xy = _sums(points)
    slope, freedom = xy / xx, len(points) - 2
    margin = student_95(freedom) * math.sqrt(max(0.0, yy - slope * xy) / freedom / xx)
    value = slope - less
    return Estimate(value, value - margin, value + margin, len(points))


def of_samples(rows: Sequence[Row], cut: str) -> list[Claim]:
    """Figure 4: the mean of networks of bootstrapped samples beside each of these, on Original."""
    text = "the mean of networks of bootstrapped samples is better than one network"
    found = []
    for bag in rows:
        network, bagged, rest = bag.label.partition(BAGGED)
        singles = [
            row.values["accuracy"]
            for row in rows
            if bagged and row.label.startswith(f"{network}{rest}, sample ")
        ]
        mean = bag.estimate("accuracy")
        if len(singles) > 1 and mean is not None:
            between = Estimate.of_runs(singles)
            what = (
                f"{bag.label} less {len(singles)} networks of one sample each, interval between "
                f"trainings"
            )
            judged = Claim.judge(text, what, mean.gain(between), above=0.0)
            found.append(left_open(judged, cut, "only one such mean was made"))
    return found


def judge_search(result: Result) -> list[Claim]:
    """Table IX."""
    table = Table.of(result)
    rows = {label.rpartition("-")[2]: row for label, row in table.rows.items()}
    return of_search(replace(table, rows=rows, doubt=another_engine(result)))


def of_search(table: Table) -> list[Claim]:
    """Table IX: rows are depths of the engine, columns networks."""
    found: list[Claim] = []
    for name in PREDICTORS:
        network = table.used(name)
        text = "a network that does not search is stronger than the engine at depth 2"
        found += table.share(text, ("2", network), above=50.0)
        text = "a network that does not search is weaker than the engine at depth 3"
        found += table.share(text, ("3", network), below=50.0)
    text = "the engine predicts the experts better at depth 4 than at depth 1"
    found += table.gain(text, ("4", "accuracy"), ("1", "accuracy"), above=0.0)
    text = "the engine predicts the experts no better at depth 5 than at depth 4"
    found += table.gain(text, ("5", "accuracy"), ("4", "accuracy"), most=0.0)
    return found


def judge_stages(result: Result) -> list[Claim]:
    """Figure 5: of the rows, a network alone and what help gains in each stage."""
    effort, depths = Effort.from_json(result.config["effort"]), [one.name for one in result.columns]
    used = [effort.stand_ins.get(name, name) for name in PREDICTORS]
    judged = [LABELS.get(name, name) for name in used]
    found: list[Claim] = []
    for row in result.rows:
        label, alone_row, _ = row.label.partition(" alone: ")
        if not alone_row or label not in judged:
            continue
        alone = {depth: one for depth in depths if (one := row.estimate(depth)) is not None}
        helped = {}
        for gains in result.rows:
            name, is_stage, rest = gains.label.partition(", moves ")
            if is_stage and name == label:
                helped[rest.removesuffix(": gain")] = _with_help(alone, gains)
        cut = effort.cut if is_brief(row.facts["training"]) else ""
        found += of_stages(label, alone, helped, cut, another_engine(result))
    return found


def _with_help(alone: Mapping[str, Estimate], gains: Row) -> dict[str, Estimate]:
    """Return the winning rates with help, from the gains over those without it (Estimate.gain)."""
    found = {}
    for depth, before in alone.items():
        gain = gains.estimate(depth)
        if gain is not None:
            value = before.value + gain.value
            margin = math.sqrt(max(0.0, gain.margin**2 - before.margin**2))
            found[depth] = Estimate(value, value - margin, value + margin, gain.count)
    return found


def of_stages(
    label: str,
    alone: Mapping[str, Estimate],
    helped: Mapping[str, Mapping[str, Estimate]],
    *doubts: str,
) -> list[Claim]:
    """Figure 5: winning rates by the opponent's depth, alone and with help in each stage."""
    gains = {
        stage: {depth: rates[depth].gain(alone[depth]) for depth in alone}
        for stage, rates in helped.items()
    }
    means = {stage: Estimate.mean_gain(list(found.values())) for stage, found in gains.items()}
    least = min(means, key=lambda stage: means[stage].value)
    found = [
        Claim.judge("the engine's help pays in every stage of the game",
                    f"{label}, the least gain, moves {least}", means[least], above=0.0)
    ]  # fmt: skip
    (first, *_), (*_, last) = helped, helped
    if first != last:  # without the figures of the network alone, which both have
        more = [helped[last][depth].gain(helped[first][depth]) for depth in alone]
        found.append(
            Claim.judge("the engine's help pays more at the end of the game than at its beginning",
                        f"{label}, gain of moves {last} less that of {first}",
                        Estimate.mean_gain(more), above=0.0)
        )  # fmt: skip
    if len(alone) > 1 and "3" in alone:
        by_depth = {
            depth: Estimate.mean_gain([found[depth] for found in gains.values()]) for depth in alone
        }
        others = [depth for depth in by_depth if depth != "3"]
        most = max(others, key=lambda depth: by_depth[depth].value)
        found.append(
            Claim.judge("the engine's help pays most against depth 3",
                        f"{label}, gain against depth 3 less that against {most}",
                        by_depth["3"].gain(by_depth[most]), above=0.0)
        )  # fmt: skip
    return [left_open(claim, *doubts) for claim in found]


def judge_course(result: Result) -> list[Claim]:
    """Figure 3: of the rows, those of the best networks by stages of the game."""
    table, found = Table.of(result), []
    for name in PREDICTORS:
        label = f"{table.label(name)}, moves "
        stages = {
            row.label.removeprefix(label): row for row in result.rows if row.label.startswith(label)
        }
        later = {stage: row for stage, row in stages.items() if stage != "1-5"}
        found += of_course(replace(table, rows=later, one_training=True))
    return found


def of_course(table: Table) -> list[Claim]:
    """Figure 3: rows are stages of one network's games, the first ones first; accuracy at each."""
    column = "top1"
    (first, *later) = stages = list(table.rows) or [""]
    if len(stages) < 2:
        return []
    text = "predictions are less accurate at the beginning of the game than later"
    found = list(table.gain(text, (later[0], column), (first, column), above=0.0))
    if len(later) > 1:
        by_accuracy = sorted(later, key=lambda stage: table.rows[stage].values[column])
        text = "after its beginning accuracy is largely consistent throughout the game"
        best, worst = by_accuracy[-1], by_accuracy[0]
        found += table.gain(text, (best, column), (worst, column), most=_CONSISTENT)
    return found


def judge_baseline(result: Result) -> list[Claim]:
    """Table II, and how its networks compare with preference learning."""
    table = Table.of(result)
    return [*of_training_sets(table, "accuracy"), *of_baseline(table)]


def of_baseline(table: Table) -> list[Claim]:
    """Table II: the best of each network's accuracies on Original, beside preference learning."""
    least = said(1, "accuracy of preference learning")
    text = f"networks predict better than preference learning ({least:g}% of the same games)"
    found: list[Claim] = []
    for name in ("conv8", "imitation-0ply"):
        row = table.row(name)
        if row is not None and row.intervals:
            best = max(row.intervals, key=lambda column: row.values[column])
            found += table.share(text, (name, best), above=least)
    return found


def judge_costs(result: Result) -> list[Claim]:
    """Table V: regularisation, what a single board costs, and how much networks overfit."""
    table = Table.of(result)
    return [*of_regularisation(table), *of_single_boards(table), *of_overfitting(table)]


def of_single_boards(table: Table) -> list[Claim]:
    """Table V: the time of a prediction alone, beside that of one among 256.

    It is a matter of the hardware: a processor can neither confirm nor refute it.
    """
    times = {
        name: row.values["single"] / row.values["time"]
        for name, row in table.rows.items()
        if name.startswith("conv") and {"single", "time"} <= row.values.keys()
    }
    if not times:
        return []
    least, most = (
        said(1, f"how many times longer a single board takes, at {end}")
        for end in ("least", "most")
    )
    text = f"a single board takes {least:g} to {most:g} times as long as one of 256"
    reason = ", ".join(f"{table.label(name)} {ratio:.1f} times" for name, ratio in times.items())
    inside = all(least <= ratio <= most for ratio in times.values())
    judged = Claim(text, Claim.HOLDS if inside else Claim.FAILS, reason)
    return [left_open(judged, "the paper's figures are of a GPU, ours of a processor")]


def of_overfitting(table: Table) -> list[Claim]:
    """Table V: accuracy on examples of the training set less that on the test set."""
    most = said(1, "training accuracy less test accuracy, at most")
    text = "the accuracy on the training set is within a point of that on the test set"
    found: list[Claim] = []
    for name in ("conv8", "conv8-bn"):
        if table.figure(name, "accuracy") is None:
            continue
        if table.figure(name, "training") is None:
            reason = f"{table.label(name)}: the accuracy on its training set was not measured"
            found.append(Claim(text, Claim.OPEN, reason))
        same = replace(table, one_training=True)
        found += same.gain(text, (name, "training"), (name, "accuracy"), within=most)
    return found


def judge_comparisons(result: Result) -> list[Claim]:
    """The study of the paper's main comparisons."""
    return of_comparisons(Table.of(result))


def of_comparisons(table: Table) -> list[Claim]:
    """Layers, batch normalisation, dropout and mirror images; all networks on as many examples."""
    found: list[Claim] = []
    for fewer, more in itertools.pairwise(table.layers()):
        text = "networks of more layers predict better"
        found += table.gain(text, (more, "plain"), (fewer, "plain"), above=0.0)
    for name in table.layers():
        text = "batch normalisation brings more than two points"
        found += table.gain(text, (name, "bn"), (name, "plain"), above=2.0)
        text = "dropout does harm"
        found += table.gain(text, (name, "plain"), (name, "dropout"), above=0.0)
        text = "mirror images of the examples bring accuracy"
        found += table.gain(text, (name, "mirrored"), (name, "alone"), above=0.0)
    return found
