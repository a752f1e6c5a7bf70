"""How fast the rules are, next to what one would otherwise import; see README.md beside it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

# Run as a script, this file would not find the modules beside it.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine, ours, peer_environment, positions, table
from benchmarks.peer_process import PeerError, PeerProcess
from benchmarks.peers.protocol import Positions
from benchmarks.summary import ALL_CORES, ONE_THREAD, Round, summarize

ROOT = Path(__file__).resolve().parents[1]
POSITIONS_FILE = ROOT / "build" / "benchmark-positions.npz"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds to take the median of: 3")
    parser.add_argument("--full", action="store_true", help="perft to depth 12 instead of 11")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    parser.add_argument(
        "--peers", action=argparse.BooleanOptionalAction, default=True, help="measure the peers"
    )
    return parser.parse_args()


def start_peers(seconds: float, absent: dict[str, str]) -> list[PeerProcess]:
    """Starts and warms up one after the other; one that fails goes to `absent`."""
    absent.update(peer_environment.absent_peers())
    started = []
    for name in peer_environment.PEERS:
        if name not in absent:
            print(f"Checking and warming up {name} ...", flush=True)
            try:
                started.append(PeerProcess(name, POSITIONS_FILE, seconds))
            except PeerError as error:
                absent[name] = str(error)
    return started


def measure_round(
    works: dict[str, ours.Works], seconds: float, peers: list[PeerProcess], absent: dict[str, str]
) -> Round:
    """Everybody once, one after the other; a peer that stops goes from `peers` to `absent`."""
    figures = {way: ours.measure(work, seconds) for way, work in works.items()}
    for peer in tuple(peers):
        try:
            figures[peer.name] = peer.measure()
        except PeerError as error:
            absent[peer.name] = str(error)
            peers.remove(peer)
    return figures


def run_rounds(
    settings: dict[str, Any], games: Positions, peers: list[PeerProcess], absent: dict[str, str]
) -> list[Round]:
    """Outflank and its peers in turn, so that a slow minute of the machine falls on all."""
    works = {
        ONE_THREAD: ours.one_thread_works(games, settings["perft_depth"]),
        ALL_CORES: ours.all_cores_works(games),
    }
    results = []
    for number in range(1, settings["rounds"] + 1):
        print(f"Round {number} of {settings['rounds']} ...", flush=True)
        results.append(measure_round(works, settings["seconds"], peers, absent))
    for peer in peers:
        peer.close()
    return results


def main() -> None:
    arguments = parse_arguments()
    about = machine.describe()
    games = positions.play_random_games()
    positions.save(games, POSITIONS_FILE)
    settings = {
        "rounds": arguments.rounds or (1 if arguments.quick else 3),
        "seconds": 0.3 if arguments.quick else 1.0,
        "perft_depth": 12 if arguments.full else 11,
        "positions": len(games.own),
    }
    absent: dict[str, str] = {}
    peers = start_peers(settings["seconds"], absent) if arguments.peers else []
    results = run_rounds(settings, games, peers, absent)
    rows = summarize(results, [peer.name for peer in peers])
    table.show(rows, about, {peer.name: peer.versions for peer in peers}, absent)
    if arguments.json:
        report = {
            "machine": about,
            "settings": settings,
            "peers": {p.name: {"versions": p.versions, "paths": p.paths} for p in peers},
            "absent": absent,
            "measures": {row.measure: asdict(row) for row in rows},
            "rounds": results,
        }
        arguments.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
