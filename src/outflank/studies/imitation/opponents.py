"""Who the networks play against: the league's published players, and engines that search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from outflank import _core
from outflank.arena import PairResult, ToMove
from outflank.errors import OutflankError
from outflank.players import Spec, make_player
from outflank.studies.contender import Contender
from outflank.studies.estimate import Estimate
from outflank.studies.imitation.effort import Effort
from outflank.studies.workbench import Workbench

# The published players, all looking one ply ahead. The paper says thirteen with the last one, and
# not which of these fourteen is not among them.
SUITE = (
    "swh", "lr06", "sjk09", "sjk11", "sjk13-ctdl", "sjk13-etdl", "pb11-etdl", "em10-nash70",
    "em10-tciag1", "em10-tciag2", "em10-gecco", "rl14-ipref1", "rl14-iprefn", "cocmaes-4+2x2",
)  # fmt: skip
BEST = "cocmaes-4+2x2"


_NOT_EDAX = (
    "Edax is not configured (OUTFLANK_EDAX); in its place plays gtp-rhino -m n -e 2n -w 2n, "
    "another engine: the paper's figures are of Edax."
)


@dataclass(frozen=True)
class Engine:
    """An engine that searches to a depth."""

    name: str

    def spec(self, depth: int, processes: int = 1) -> str:
        """Return the player of a depth; it ends the game exactly from twice as many empties."""
        options = {"processes": str(processes)} if processes > 1 else {}
        if self.name == "Edax":
            return str(Spec("edax", options={"level": str(depth), **options}))
        command = f"gtp-rhino -m {depth} -e {2 * depth} -w {2 * depth}"
        return str(Spec("gtp", options={"cmd": command, **options}))

    def inner(self, depth: int) -> str:
        """Return the same for a place inside another spec, where quotes cannot stand."""
        return self.spec(depth).replace('"', "")


def find_engine(bench: Workbench) -> Engine | None:
    """Return Edax or else GRhino; the result tells if it is not Edax, or that there is none."""
    for engine in (Engine("Edax"), Engine("GRhino")):
        try:
            make_player(engine.spec(1)).close()
        except OutflankError:
            continue
        if engine.name != "Edax":
            bench.note(_NOT_EDAX)
            bench.note(
                "GRhino is not deterministic: another match of the same openings differs, and the "
                "intervals of the games cover that."
            )
        return engine
    bench.note(
        "Neither Edax (OUTFLANK_EDAX) nor gtp-rhino is there: what is played against engines is "
        "left out."
    )
    return None


def engine_of(notes: Sequence[str]) -> str:
    """Return the name of the engine that played, by the notes of a result."""
    return "GRhino" if _NOT_EDAX in notes else "Edax"


def find_suite(bench: Workbench, names: Sequence[str]) -> list[str]:
    """Return those of the league's players that are here; the result tells who is missing."""
    found, missing = [], []
    for name in names:
        try:
            make_player(f"league:{name}").close()
            found.append(name)
        except OutflankError:
            missing.append(name)
    if missing:
        bench.note(f"Left out, since their files are not here: {', '.join(missing)}.")
    return found


def play(
    bench: Workbench,
    effort: Effort,
    network: Contender,
    opponent: str,
    to_move: ToMove = ToMove.WHITE,
    *,
    spec: str = "",
) -> PairResult:
    """Let a network play a match; spec: another player in the network's place."""
    bench.uses(network)
    count = effort.openings if network.fast else effort.openings_slow
    return bench.match(spec or network.spec, opponent, bench.openings(count, to_move))


def suite_rates(
    bench: Workbench, effort: Effort, network: Contender, suite: Sequence[str], to_move: ToMove
) -> dict[str, Estimate]:
    """Return a network's winning rates against each of the suite."""
    return {
        name: Estimate.of_match(play(bench, effort, network, f"league:{name}", to_move))
        for name in suite
    }


def processes() -> int:
    """Return how many of an engine are asked at a time."""
    return _core.available_threads()
