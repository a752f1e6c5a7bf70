"""`outflank solve`, `outflank analyze`, `outflank move`: what players and the solver think."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from outflank import _core, records
from outflank.cli.output import Json, console, print_json
from outflank.cli.show import find_game
from outflank.errors import OutflankError
from outflank.othello import Game, Move, Position
from outflank.players import Player, make_player
from outflank.players.analysis import SOLVE_FROM, MoveReview, review_game

Threads = Annotated[int, typer.Option(min=0, help="Threads to use; 0 is all cores.")]


def solve(
    what: Annotated[str, typer.Argument(help="A board string, a transcript, or a file (.obf).")],
    threads: Threads = 1,
    wld: Annotated[bool, typer.Option("--wld", help="Find out only who wins.")] = False,
    moves: Annotated[bool, typer.Option("--moves", help="Score every move.")] = False,
    json: Json = False,
) -> None:
    """Solve positions exactly: the final score under perfect play, and the best move.

    The score is from the side to move, with the empty squares given to the winner.

    Examples:

        outflank solve endgames.obf --threads 2

        outflank solve "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    """
    path = Path(what)
    games = list(records.read(path)) if _is_file(path) else [find_game(what)]
    solver = _core.Solver(256)
    answers = []
    table = Table("position", "empties", "score", "best", "nodes", "seconds", "line")
    for column in (1, 2, 4, 5):
        table.columns[column].justify = "right"
    for number, game in enumerate(games, start=1):
        answer = _solve(game.position, solver, threads, wld, moves)
        answers.append(answer)
        if not json:
            score = _outcome(answer["score"]) if wld else f"{answer['score']:+d}"
            table.add_row(
                str(number),
                str(game.position.empties),
                score,
                answer["best"],
                f"{answer['nodes']:,}",
                f"{answer['seconds']:.2f}",
                " ".join(answer["line"]),
            )
    if json:
        print_json(answers)
        return
    console.print(table)
    nodes = sum(answer["nodes"] for answer in answers)
    seconds = sum(answer["seconds"] for answer in answers)
    console.print(
        f"{nodes:,} nodes in {seconds:.2f} s"
        f" ({nodes / max(seconds, 1e-9) / 1e6:.1f} million nodes/s)"
    )


def _outcome(sign: int) -> str:
    return "win" if sign > 0 else "loss" if sign < 0 else "draw"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # longer than a file name can be
        return False


def _solve(
    position: Position, solver: _core.Solver, threads: int, wld: bool, moves: bool
) -> dict[str, Any]:
    solver.clear()  # so that a position takes as long alone as among others
    began = time.perf_counter()
    found = solver.solve(*position.bits, win_draw_loss=wld, threads=threads)
    scored: list[tuple[int, int]] = []
    if moves and not position.is_over:
        scored, _ = solver.solve_moves(*position.bits, threads=threads)
    answer: dict[str, Any] = {
        "position": position.to_string(),
        "score": found.score,
        "best": Move(found.best).name,
        "nodes": found.nodes,
        "seconds": time.perf_counter() - began,
        "line": [Move(move).name for move in found.line],
    }
    if moves:
        answer["moves"] = [{"move": Move(move).name, "score": score} for move, score in scored]
    return answer


def analyze(
    what: Annotated[str, typer.Argument(help="A transcript, or a file of games.")],
    player: Annotated[
        str, typer.Option("--player", "-p", help="Player spec that values the positions.")
    ] = "alphabeta:eval=iago,depth=8",
    game: Annotated[int, typer.Option(min=1, help="Which game of a file.")] = 1,
    solve_from: Annotated[
        int, typer.Option(min=0, max=30, help="Empties from which moves are scored exactly.")
    ] = SOLVE_FROM,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Go over a game: every move's value, the best move, and what was given away.

    Near the end the values are exact, in discs; before that they are the player's own.

    Examples:

        outflank analyze f5d6c3d3c4f4f6f3e6e7

        outflank analyze games.ggf --game 2 --player alphabeta:eval=iago,time=1s
    """
    found = find_game(what, game)
    if not found.moves:
        raise OutflankError(f"{what}: there are no moves to analyze")
    with make_player(player) as critic:
        if json:
            reviews = review_game(found, critic, solve_from=solve_from, threads=threads)
            print_json([_review_json(review) for review in reviews])
            return
        _print_review(found, critic, solve_from, threads)


def _review_json(review: MoveReview) -> dict[str, Any]:
    return {
        "ply": review.ply,
        "move": review.move.name,
        "value": review.value,
        "best": review.best.name,
        "loss": review.loss,
        "exact": review.exact,
    }


def _print_review(game: Game, critic: Player, solve_from: int, threads: int) -> None:
    table = Table("ply", "side", "move", "value", "best", "loss", "")
    for column in (0, 3, 5):
        table.columns[column].justify = "right"
    losses = {"black": 0.0, "white": 0.0}
    for review in review_game(game, critic, solve_from=solve_from, threads=threads):
        side = review.position.turn.value
        if review.exact and review.loss:
            losses[side] += review.loss
        table.add_row(
            str(review.ply),
            side,
            review.move.name,
            "" if review.value is None else f"{review.value:+.1f}",
            "" if review.best == review.move else review.best.name,
            f"{review.loss:.1f}" if review.loss else "",
            "exact" if review.exact else "",
        )
    console.print(table)
    console.print(
        "Discs given away in the exact part:"
        f" black {losses['black']:.0f}, white {losses['white']:.0f}"
    )


def move(
    spec: Annotated[str, typer.Argument(help="Player spec.")],
    position: Annotated[str, typer.Argument(help="A board string, a transcript, or a file.")],
    json: Json = False,
) -> None:
    """Ask a player for its move in a position.

    Example: outflank move alphabeta:eval=iago,depth=8 f5d6c3d3c4
    """
    found = find_game(position).position
    with make_player(spec) as player:
        if found.is_over:
            raise OutflankError("there is no move: the game is over")
        thought = player.think(found)
    answer = {
        "move": thought.move.name,
        "value": thought.value,
        "depth": thought.depth,
        "nodes": thought.nodes,
        "seconds": thought.seconds,
        "exact": thought.exact,
        "line": [move.name for move in thought.line],
    }
    if json:
        print_json(answer)
        return
    details = [f"[bold]{thought.move}[/]"]
    if thought.value is not None:
        details.append(f"value {thought.value:+.2f}{' (exact)' if thought.exact else ''}")
    if thought.depth is not None:
        details.append(f"depth {thought.depth}")
    if thought.nodes is not None:
        details.append(f"{thought.nodes:,} nodes")
    details.append(f"{thought.seconds:.2f} s")
    console.print(", ".join(details))
    if len(thought.line) > 1:
        console.print("expects " + " ".join(move.name for move in thought.line))
