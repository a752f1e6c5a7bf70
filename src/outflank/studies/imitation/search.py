"""Paper 1, Table IX and Figure 5: networks that do not search against an engine that does."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from outflank.arena import ToMove
from outflank.players import Spec
from outflank.studies.contender import Contender
from outflank.studies.estimate import Estimate
from outflank.studies.imitation import claims
from outflank.studies.imitation.architectures import contenders
from outflank.studies.imitation.effort import EFFORTS, LABELS, Effort, explain, extras, facts_of
from outflank.studies.imitation.opponents import Engine, find_engine, play, processes
from outflank.studies.imitation.printed import Printed
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Plot, Row
from outflank.studies.workbench import Workbench

_DEPTHS = (1, 2, 3, 4, 5)
_STAGES = ("1-15", "16-30", "31-45", "46-60")
_HELPER = 5  # depth of the engine that plays one stage

# Winning rate of Conv8+BN, Edax's time per move in units of 10^-4 seconds, its accuracy.
_TABLE_9 = Printed.table(9)


@dataclass(frozen=True)
class SearchConfig:
    """Networks that meet the engine, and its depths."""

    effort: Effort
    networks: tuple[str, ...] = ("conv8-bn", "line", "line-0ply")
    depths: tuple[int, ...] = _DEPTHS
    predicted: int = 10_000  # moves that the engine is to predict, at each depth


@dataclass(frozen=True)
class HybridConfig:
    """Networks that hand one stage of the game over to the engine."""

    effort: Effort
    networks: tuple[str, ...] = ("conv8-bn", "line")
    depths: tuple[int, ...] = _DEPTHS
    stages: tuple[str, ...] = _STAGES
    helper: int = _HELPER


def _entered(
    config: SearchConfig | HybridConfig, bench: Workbench
) -> list[tuple[str, str, Contender]]:
    found = contenders(config.effort, config.networks, bench)
    return found + [(one.name, one.name, one) for one in extras()]


@study(
    "imitation-table-9",
    paper=1,
    title="Table IX: against Edax at depths 1 to 5",
    scales={
        "smoke": SearchConfig(EFFORTS["smoke"], ("conv2", "line"), (1,), predicted=20),
        "laptop": SearchConfig(
            dataclasses.replace(EFFORTS["laptop"], openings=60), ("conv8-bn",), predicted=2_000
        ),
        "paper": SearchConfig(EFFORTS["paper"]),
    },
    judge=claims.judge_search,
)
def table_9(config: SearchConfig, bench: Workbench) -> Findings:
    """Let networks play against the engine, and the engine predict the experts' moves."""
    bench.need_games()
    effort = config.effort
    explain(effort, bench)
    engine = find_engine(bench)
    entered = _entered(config, bench) if engine is not None else []
    bench.note("The engine's time is that in the games, with what is told to its process and back.")
    # The paper's winning rates are those of Conv8+BN, whoever plays here.
    titles = {"conv8-bn": LABELS["conv8-bn"], **{name: label for label, name, _ in entered}}
    columns = [Column(name, f"winning rate of {label}") for name, label in titles.items()]
    columns += [
        Column("time", "engine's time per move", "1e-4 s"),
        Column("accuracy", "engine's accuracy on Original"),
    ]
    rows, turned = [], []
    if engine is not None:
        for depth in config.depths:
            white, black = _rows_of_depth(config, bench, engine, entered, depth)
            rows.append(white)
            turned.append(black)
    return Findings(tuple(columns), (*rows, *turned))


def _rows_of_depth(
    config: SearchConfig,
    bench: Workbench,
    engine: Engine,
    entered: list[tuple[str, str, Contender]],
    depth: int,
) -> tuple[Row, Row]:
    """Meet the engine at a depth, with white and with black to move after the openings."""
    met = {
        side: {
            name: play(bench, config.effort, network, engine.spec(depth), side)
            for _, name, network in entered
        }
        for side in (ToMove.WHITE, ToMove.BLACK)
    }
    rates: dict[ToMove, dict[str, Estimate | float | None]] = {
        side: {name: Estimate.of_match(result) for name, result in results.items()}
        for side, results in met.items()
    }
    times = [1e4 * (result.seconds_per_move[1] or 0.0) for result in met[ToMove.WHITE].values()]
    figures = rates[ToMove.WHITE]
    figures["time"] = sum(times) / len(times) if times else None
    figures["accuracy"] = bench.player_accuracy(
        engine.spec(depth, processes()), "original", at_most=config.predicted
    )
    paper = _TABLE_9.figures(str(depth))
    facts = {name: facts_of(network) for _, name, network in entered}
    return (
        Row.of(f"{engine.name}-{depth}", figures, paper, facts),
        Row.of(f"{engine.name}-{depth}, black to move", rates[ToMove.BLACK]),
    )


@study(
    "imitation-figure-5",
    paper=1,
    title="Figure 5: the gain when an engine plays one stage of the game",
    scales={
        "smoke": HybridConfig(EFFORTS["smoke"], ("conv2", "line"), (1,), ("46-60",), helper=1),
        # Five depths, each met alone and with help in four stages: fewer games of each.
        "laptop": HybridConfig(
            dataclasses.replace(EFFORTS["laptop"], openings=25, openings_slow=25), ("conv8-bn",)
        ),
        "paper": HybridConfig(EFFORTS["paper"]),
    },
    judge=claims.judge_stages,
)
def figure_5(config: HybridConfig, bench: Workbench) -> Findings:
    """Let the engine play one stage in the network's place, and see what that gains."""
    bench.need_games()
    effort = config.effort
    explain(effort, bench)
    engine = find_engine(bench)
    columns = tuple(Column(str(depth), f"against depth {depth}") for depth in config.depths)
    if engine is None:
        return Findings(columns, ())
    bench.note(
        f"Gains are points of winning rate over the network alone, when {engine.name}-"
        f"{config.helper} plays the moves of one stage. The paper prints them as a figure only."
    )
    rows = []
    panels: dict[str, dict[str, list[float]]] = {}
    for label, _, network in _entered(config, bench):
        alone = _rates(config, bench, network, "", engine)
        rows.append(Row.of(f"{label} alone: winning rate", alone, facts=facts_of(network)))
        helped = {}
        for stage in config.stages:
            hybrid = _hybrid(network, stage, engine, config.helper)
            helped[stage] = _rates(config, bench, network, hybrid, engine)
            gains = {depth: helped[stage][depth].gain(alone[depth]) for depth in alone}
            rows.append(Row.of(f"{label}, moves {stage}: gain", gains))
            panels.setdefault(label, {})[stage] = [gains[str(n)].value for n in config.depths]
    plot = Plot("gains", {"x": list(config.depths), "panels": panels})
    return Findings(columns, tuple(rows), plot=plot)


def _hybrid(network: Contender, stage: str, engine: Engine, depth: int) -> str:
    options = {"policy": str(network.places[0]), "stage": stage, "with": engine.inner(depth)}
    return str(Spec("hybrid", options=options))


def _rates(
    config: HybridConfig, bench: Workbench, network: Contender, spec: str, engine: Engine
) -> dict[str, Estimate]:
    """Return winning rates by the opponent's depth."""
    rates = {}
    for depth in config.depths:
        result = play(bench, config.effort, network, engine.spec(depth), spec=spec)
        rates[str(depth)] = Estimate.of_match(result)
    return rates
