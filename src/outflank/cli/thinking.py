"""`outflank solve`, `outflank analyze`, `outflank move`: what players and the solver think."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from outflank import records
from outflank.cli.options import finite
from outflank.cli.output import Json, console, errors, print_json, print_table
from outflank.cli.show import find_game
from outflank.cli.spreading import OnCluster
from outflank.cluster.solving import Solved, solve_positions
from outflank.errors import OutflankError
from outflank.numbers import GAMES, PROCESSES, THREADS
from outflank.othello import Game, Position
from outflank.players import Player, Unit, make_player
from outflank.players.analysis import REVIEWER, MoveReview, exact_from, review_game
from outflank.players.judge import judge_spec

_LONG = 30  # empty squares, beyond which solving may take very long
_UNITS = {Unit.DISCS: "discs", Unit.RESULT: "-1 to 1", Unit.OWN: "its own"}

Threads = Annotated[int, typer.Option(min=0, max=THREADS.greatest, help="Threads; 0: all cores.")]


def solve(
    what: Annotated[str, typer.Argument(help="A board string, a transcript, or a file (.obf).")],
    threads: Threads = 1,
    wld: Annotated[bool, typer.Option("--wld", help="Find only who wins.")] = False,
    moves: Annotated[bool, typer.Option("--moves", help="Score every move.")] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=PROCESSES.greatest,
            help="Positions to solve at once. Default: 1, or all that a Ray cluster can.",
        ),
    ] = None,
    cluster: OnCluster = None,
    json: Json = False,
) -> None:
    """Solve positions exactly: the final score under perfect play, and the best move.

    The score is from the side to move, with the empty squares given to the winner.

    Examples:

        outflank solve endgames.obf --threads 2

        outflank solve endgames.obf --workers 2

        outflank solve "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    """
    path = Path(what)
    games = list(records.read(path)) if _is_file(path) else [find_game(what)]
    _warn(games)
    answers = []
    if not json:
        _print_solved("position", "empties", "score", "best", "nodes", "seconds", "line")
    positions = [game.position for game in games]
    for number, found in enumerate(
        solve_positions(positions, threads=threads, wld=wld, moves=moves, workers=workers), start=1
    ):
        answer = _solved_json(found, moves)
        answers.append(answer)
        if not json:
            _print_answer(number, found.position, answer, wld)
    if json:
        print_json(answers)
        return
    nodes = sum(answer["nodes"] for answer in answers)
    seconds = sum(answer["seconds"] for answer in answers)
    console.print(
        f"{nodes:,} nodes in {seconds:.2f} s"
        f" ({nodes / max(seconds, 1e-9) / 1e6:.1f} million nodes/s)"
    )


def _warn(games: list[Game]) -> None:
    """Warn beforehand of what may take very long."""
    emptiest = max((game.position.empties for game in games), default=0)
    if emptiest > _LONG:
        errors.print(f"{emptiest} squares are empty: solving may take very long; Ctrl-C ends it.")


def _print_answer(number: int, position: Position, answer: dict[str, Any], wld: bool) -> None:
    _print_solved(
        str(number),
        str(position.empties),
        _outcome(answer["score"]) if wld else f"{answer['score']:+d}",
        answer["best"],
        f"{answer['nodes']:,}",
        f"{answer['seconds']:.2f}",
        " ".join(answer["line"]),
    )
    if answer.get("moves"):
        scored = (f"{entry['move']} {entry['score']:+d}" for entry in answer["moves"])
        console.print("  every move: " + ", ".join(scored))


def _print_solved(*cells: str) -> None:
    """Print one row as soon as it is known, without waiting for the others."""
    number, empties, score, best, nodes, seconds, line = cells
    console.print(
        f"{number:<8} {empties:>7} {score:>5} {best:<4} {nodes:>15} {seconds:>8}  {line}",
        soft_wrap=True,
    )


def _outcome(sign: int) -> str:
    return "win" if sign > 0 else "loss" if sign < 0 else "draw"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # longer than a file name can be
        return False


def _solved_json(found: Solved, moves: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "position": found.position.to_string(),
        "score": found.score,
        "best": found.best.name,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "line": [move.name for move in found.line],
    }
    if moves:
        answer["moves"] = [{"move": move.name, "score": score} for move, score in found.moves]
    return answer


def analyze(
    what: Annotated[str, typer.Argument(help="A transcript, or a file of games.")],
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            "-p",
            help=f"Spec of the player that values the positions. Default: {REVIEWER}.",
            show_default=False,
        ),
    ] = None,
    game: Annotated[int, typer.Option(min=1, max=GAMES.greatest, help="Which game of a file.")] = 1,
    depth: Annotated[
        int | None,
        typer.Option(
            min=1, max=40, help="Depth of the default player's search.", show_default=False
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            max=86_400,
            callback=finite,
            help="Time for all searches of the default player together, instead of a depth.",
            show_default=False,
        ),
    ] = None,
    solve_from: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=30,
            help="Solve exactly from this many empty squares on. Default: 20 with one thread, "
            "22 with more.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Review a game: the value of every move, the best move, and what was given away.

    Values near the end are exact, in discs; before that they are the player's own.

    Examples:

        outflank analyze f5d6c3d3c4f4f6f3e6e7

        outflank analyze games.ggf --seconds 60

        outflank analyze games.ggf --game 2 --player alphabeta:eval=iago,time=1s
    """
    found = find_game(what, game)
    if not found.moves:
        raise OutflankError(
            f"{what}: there are no moves to analyze; outflank move gives a move for a position"
        )
    solve_from = exact_from(threads) if solve_from is None else solve_from
    with make_player(_reviewer(player, depth, seconds, found, solve_from)) as critic:
        if json:
            reviews = review_game(found, critic, solve_from=solve_from, threads=threads)
            print_json([_review_json(review) for review in reviews])
            return
        _print_review(found, critic, solve_from, threads)


def _reviewer(
    player: str | None, depth: int | None, seconds: float | None, game: Game, solve_from: int
) -> str:
    """Return the spec of the player that reviews a game; at most one of the options is given."""
    options = {"--player": player, "--depth": depth, "--seconds": seconds}
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise OutflankError(f"{' and '.join(given)} exclude each other")
    if seconds is not None:
        searched = sum(position.empties > solve_from for position in game.positions())
        return judge_spec(f"time={seconds / max(2 * searched, 1):.4f}")  # two searches a move
    return judge_spec(f"depth={depth}") if depth is not None else player or REVIEWER


def _review_json(review: MoveReview) -> dict[str, Any]:
    return {
        "ply": review.ply,
        "move": review.move.name,
        "value": review.value,
        "best": review.best.name,
        "loss": review.loss,
        "exact": review.exact,
        "unit": review.unit.value,
    }


def _print_review(game: Game, critic: Player, solve_from: int, threads: int) -> None:
    rows = []
    losses = {"black": 0.0, "white": 0.0}
    exact = False
    for review in review_game(game, critic, solve_from=solve_from, threads=threads):
        side = review.position.turn.value
        exact |= review.exact
        if review.exact and review.loss:
            losses[side] += review.loss
        loss = _number(review.loss, review.unit, review.exact).lstrip("+") if review.loss else ""
        rows.append(
            (
                str(review.ply),
                side,
                review.move.name,
                _number(review.value, review.unit, review.exact),
                "" if review.best == review.move else review.best.name,
                loss,
                "exact" if review.exact else "",
            )
        )
    heads = ("ply", "side", "move", f"value\n({_UNITS[critic.unit]})", "best", "loss", "")
    print_table(heads, rows, right=(0, 3, 5))
    if exact:
        console.print(
            "Exact values are in discs. Given away in that part:"
            f" black {losses['black']:.0f}, white {losses['white']:.0f}"
        )


def _number(value: float | None, unit: Unit, exact: bool) -> str:
    """Write a value with as many decimals as its unit deserves."""
    if value is None:
        return ""
    if exact or (unit is Unit.OWN and value == round(value)):
        return f"{round(value):+d}"
    return f"{value:+.1f}" if unit is Unit.DISCS else f"{value:+.2f}"


def move(
    spec: Annotated[str, typer.Argument(help="Player spec.")],
    position: Annotated[str, typer.Argument(help="A board string, a transcript, or a file.")],
    json: Json = False,
) -> None:
    """Ask a player for its move in a position.

    Example: outflank move alphabeta:eval=iago,depth=8 f5d6c3d3c4
    """
    found = find_game(position)
    with make_player(spec) as player:
        if found.is_over:
            raise OutflankError("there is no move: the game is over")
        thought = player.think(found)
    answer: dict[str, Any] = {
        "move": thought.move.name,
        "value": thought.value,
        "depth": thought.depth,
        "nodes": thought.nodes,
        "seconds": thought.seconds,
        "exact": thought.exact,
        "unit": thought.unit.value,
        "line": [move.name for move in thought.line],
    }
    for name in ("values", "policy", "visits"):
        if numbers := getattr(thought, name):
            answer[name] = {move.name: number for move, number in numbers.items()}
    if json:
        print_json(answer)
        return
    details = [f"[bold]{thought.move}[/]"]
    if thought.value is not None:
        meaning = _UNITS[thought.unit] + (", exact" if thought.exact else "")
        details.append(f"value {_number(thought.value, thought.unit, thought.exact)} ({meaning})")
    if thought.depth is not None:
        details.append(f"depth {thought.depth}")
    if thought.nodes is not None:
        details.append(f"{thought.nodes:,} nodes")
    details.append(f"{thought.seconds:.2f} s")
    console.print(", ".join(details))
    if len(thought.line) > 1:
        console.print("expects " + " ".join(move.name for move in thought.line))
    if thought.visits:
        often = sorted(thought.visits.items(), key=lambda item: -item[1])
        console.print("visits " + ", ".join(f"{move.name} {count}" for move, count in often))
