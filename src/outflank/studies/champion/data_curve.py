"""What the champion's evaluation gains from more positions: its error, and its Elo."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from outflank.arena.sprt import elo_of_points
from outflank.chance import chance
from outflank.evaluations.champion import save_champion
from outflank.learn.champion import ChampionConfig, Positions, preset
from outflank.learn.champion.positions import distinct_sets
from outflank.learn.champion.trainer import errors, fit_weights
from outflank.studies.estimate import Estimate
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Plot, Row
from outflank.studies.workbench import Workbench

_SHOWN = (12, 20, 30)  # empty squares at which errors are listed
_OPPONENT = "patterns"


@dataclass(frozen=True)
class DataCurveConfig:
    """How many games are played, which shares of them are learned from, and the matches.

    Attributes:
        preset: Of the champion's learner, whose games these are.
        settings: Changes of the preset.
        shares: Of the games, each with an evaluation of its own.
        depth: Of the searches in the matches.
        openings: Of each match.
        plies: Random plies that its games begin with.
    """

    preset: str
    settings: tuple[str, ...]
    shares: tuple[float, ...]
    depth: int
    openings: int
    plies: int = 8


_HALVES = (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)


@study(
    "champion-data",
    paper=0,
    title="Error and Elo of the champion's evaluation against the number of positions",
    scales={
        "smoke": DataCurveConfig("smoke", ("rounds=1", "match_games=0"), (0.5, 1.0), 1, 2),
        "laptop": DataCurveConfig("laptop", ("rounds=2", "match_games=0"), _HALVES, 4, 200),
        "paper": DataCurveConfig("laptop", ("match_games=0",), _HALVES, 6, 1000),
    },
)
def data_curve(config: DataCurveConfig, bench: Workbench) -> Findings:
    """Train evaluations on more and more games of one run, and measure each."""
    settings = preset(config.preset).with_settings(config.settings)
    learned = bench.learn("champion", settings)
    training, held = _positions(learned.folder, settings)
    openings = bench.random_openings(config.plies, config.openings)
    folder = learned.folder / "by-share"
    folder.mkdir(exist_ok=True)
    rows, points = [], []
    for share in config.shares:
        # Whole games, and the same ones in every larger share.
        chosen = training.take(chance(training.game, share, "share", settings.seed))
        learning, unseen = distinct_sets(chosen, held)
        path = folder / f"share-{share:.6f}.safetensors"
        bench.listener.began(f"training on {len(learning):,} positions", 0)
        weights = fit_weights(learning, settings)
        save_champion(path, weights, {"positions": len(learning)})
        found = errors(weights, unseen)
        spec = f"alphabeta:eval={path},depth={config.depth},ends=discs"
        result = bench.match(spec, f"alphabeta:eval={_OPPONENT},depth={config.depth}", openings)
        rate = Estimate(result.winning_rate or 0.0, *result.interval, result.games)
        elo = _elo(rate)
        rows.append(
            Row.of(
                f"{len(learning):,} positions",
                {
                    "positions": float(len(learning)),
                    "error": float(found.get("error", 0.0)),
                    **{f"error_{n}": _number(found.get(f"error_{n}")) for n in _SHOWN},
                    "rate": Estimate(100 * rate.value, 100 * rate.low, 100 * rate.high, rate.count),
                    "elo": elo,
                },
            )
        )
        points.append(
            {
                "positions": len(learning), "error": found.get("error"),
                "elo": elo.value, "low": elo.low, "high": elo.high,
            }
        )  # fmt: skip
    bench.note(
        "Errors are mean absolute differences to the final score, in discs, of positions from "
        f"held-out games. Elo is the difference to `{_OPPONENT}`, both at depth {config.depth}."
    )
    columns = (
        Column("positions", "positions", "", 0),
        Column("error", "error", "discs", 2),
        *(Column(f"error_{n}", f"{n} empty", "discs", 2) for n in _SHOWN),
        Column("rate", f"against {_OPPONENT}"),
        Column("elo", "Elo", "", 0),
    )
    return Findings(columns, tuple(rows), plot=Plot("data", {"points": points}))


def _positions(folder: Path, settings: ChampionConfig) -> tuple[Positions, Positions]:
    """Return the positions of a run's games: to learn from, and held out."""
    files = sorted((folder / "positions").rglob("*.npz"))
    played = Positions.concatenate([Positions.load(path) for path in files])
    return played.split(settings.held_out, settings.seed)


def _elo(rate: Estimate) -> Estimate:
    """Return the Elo difference of a winning rate, kept half a game away from 0 and 1."""
    least = 0.5 / (rate.count + 1)
    value, low, high = (
        elo_of_points(min(max(one, least), 1 - least)) for one in (rate.value, rate.low, rate.high)
    )
    return Estimate(value, low, high, rate.count)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None
