"""`outflank play`: a game in the terminal."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from outflank import _core, records
from outflank.cli.output import console
from outflank.cli.show import find_game
from outflank.errors import IllegalMoveError, NotationError, OutflankError
from outflank.othello import Color, Game, Move
from outflank.othello.draw.terminal import BoardPicture
from outflank.players import Player, kinds, make_player
from outflank.players.judge import judge_spec

# Empty squares from which hints are exact, and the search that gives them before.
_SOLVE_FROM = 18
_ADVISER = judge_spec("depth=8")

_COMMANDS = {
    "f5": "play on a square (any of a1 to h8)",
    "hint": "what a search expects of each move, in discs; near the end, exact scores",
    "undo": "take back your last move",
    "redo": "play the moves that were taken back",
    "save FILE": "save the game: .ggf .sgf .wtb .txt",
    "new": "start a new game",
    "swap": "change sides",
    "opponent SPEC": "choose another opponent; alone, list them",
    "quit": "leave",
}


def play(
    opponent: Annotated[
        str, typer.Option("--opponent", "-o", help="Player spec of the opponent.")
    ] = "alphabeta:eval=iago,depth=4",
    color: Annotated[Color, typer.Option("--color", "-c", help="Your side.")] = Color.BLACK,
    load: Annotated[
        str | None,
        typer.Option("--from", help="Start from a board string, a transcript or a file of games."),
    ] = None,
) -> None:
    """Play a game in the terminal.

    Examples:

        outflank play

        outflank play --opponent alphabeta:eval=iago,time=2s,ponder=yes --color white

        outflank play --from f5d6c3d3c4
    """
    game = find_game(load) if load else Game()
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # importing it gives the prompt its history
    table = TerminalGame(console, make_player(opponent), opponent, color, game)
    try:
        table.run()
    finally:
        table.opponent.close()


class TerminalGame:
    """One person at a terminal against one player."""

    def __init__(
        self, screen: Console, opponent: Player, spec: str, human: Color, game: Game
    ) -> None:
        self.screen = screen
        self.opponent = opponent
        self.spec = spec
        self.human = human
        self.game = game
        self.undone: list[Move] = []

    def run(self) -> None:
        """Play until the person leaves."""
        self.screen.print(
            f"You are {self.human}; the opponent is {self.spec}. Type a move such as f5, or help.",
            markup=False,
        )
        self.advance()
        while True:
            try:
                line = self.screen.input(f"[bold]{self.prompt()}[/] ").strip()
            except (EOFError, KeyboardInterrupt):
                self.screen.print("\nGoodbye.")
                return
            if line.lower() in ("quit", "exit", "q"):
                self.screen.print("Goodbye.")
                return
            try:
                self.obey(line)
            except OutflankError as error:
                self.screen.print(str(error), style="red", markup=False)

    def prompt(self) -> str:
        """Return the question that the prompt asks."""
        return "the game is over: new, undo, save or quit?" if self.game.is_over else "your move?"

    def obey(self, line: str) -> None:
        """Carry out one line: a command or a move."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "":
                self.draw()
            case "help" | "?" | "h":
                self.help()
            case "hint":
                self.hint()
            case "undo" | "u":
                self.undo()
            case "redo" | "r":
                self.redo()
            case "save":
                self.save(rest.strip())
            case "new":
                self.game, self.undone = Game(), []
                self.advance()
            case "swap":
                self.human = self.human.other
                self.screen.print(f"You are {self.human} now.")
                self.advance()
            case "opponent":
                self.change_opponent(rest.strip())
            case _:
                self.move(line)

    def move(self, text: str) -> None:
        """Play the person's move and the opponent's answer."""
        try:
            move = Move(text)
        except NotationError:
            raise NotationError(f"{text!r} is neither a move nor a command; try help") from None
        try:
            self.game = self.game.play(move)
        except IllegalMoveError as error:
            legal = " ".join(move.name for move in self.game.position.legal_moves)
            raise IllegalMoveError(
                f"{error}{f'; legal moves are {legal}' if legal else ''}"
            ) from None
        self.undone = []
        self.advance()

    def advance(self) -> None:
        """Let the opponent move, and pass for the person, until the person has a choice."""
        while not self.game.is_over:
            position = self.game.position
            if position.must_pass:
                who = "You have" if position.turn is self.human else "The opponent has"
                self.screen.print(f"{who} no move and must pass.", style="yellow")
                self.game = self.game.play("pass")
            elif position.turn is self.human:
                break
            else:
                thought = self.opponent.think(self.game)
                self.game = self.game.play(thought.move)
                self.screen.print(
                    f"The opponent plays [bold]{thought.move}[/] ({thought.seconds:.1f} s)."
                )
        self.draw()
        if not self.game.is_over:
            self.opponent.start_pondering(self.game.position)
        else:
            score = self.game.position.score_of(self.human)
            verdict = "You win!" if score > 0 else "You lose." if score < 0 else "A draw."
            self.screen.print(f"The game is over. {verdict}", style="bold")

    def draw(self, labels: dict[int, str] | None = None) -> None:
        """Draw the board."""
        self.screen.print(BoardPicture(self.game.position, self.game.last, labels=labels or {}))

    def help(self) -> None:
        """List the commands."""
        for command, meaning in _COMMANDS.items():
            self.screen.print(f"  {command:<14} {meaning}", markup=False)

    def hint(self) -> None:
        """Show exact scores of the moves near the end; before that, what a search expects."""
        position = self.game.position
        if position.is_over:
            raise OutflankError("the game is over: there is nothing to advise")
        if position.empties <= _SOLVE_FROM:
            scored, _ = _core.Solver(32).solve_moves(*position.bits, threads=0)
            scores = {Move(move): f"{score:+d}" for move, score in scored}
            self.draw({int(move): score for move, score in scores.items()})
            words = ", ".join(f"{move} {score}" for move, score in scores.items())
            self.screen.print(f"Final score after each move, played perfectly: {words}")
            return
        with make_player(_ADVISER) as adviser:
            values = adviser.rank_moves(self.game, len(position.legal_moves)).values
        self.draw({int(move): f"{round(value):+d}" for move, value in values.items()})
        best = sorted(values, key=lambda move: -values[move])
        words = ", ".join(f"{move} {values[move]:+.1f}" for move in best)
        self.screen.print(f"Expected final score after each move, by a search: {words}")

    def undo(self) -> None:
        """Take moves back to the person's last choice."""
        keep = self._last_choice()
        if keep is None:
            raise OutflankError("there is nothing to undo")
        self.undone = [*self.game.moves[keep:], *self.undone]
        self.game = self.game.undo(len(self.game.moves) - keep)
        self.draw()

    def _last_choice(self) -> int | None:
        """Return the number of plies before the person's last choice of a move."""
        positions = self.game.positions()
        for ply in range(len(self.game.moves) - 1, -1, -1):
            if positions[ply].turn is self.human and not positions[ply].must_pass:
                return ply
        return None

    def redo(self) -> None:
        """Replay moves up to the person's next choice."""
        if not self.undone:
            raise OutflankError("there is nothing to redo")
        while self.undone:
            self.game = self.game.play(self.undone.pop(0))
            position = self.game.position
            if position.turn is self.human and not position.must_pass:
                break
        self.draw()

    def save(self, name: str) -> None:
        """Write the game to a file; its extension gives the format."""
        if not name:
            raise OutflankError("save needs a file name, such as save game.ggf")
        names = {self.human: "human", self.human.other: self.spec}
        game = Game(
            self.game.start,
            self.game.moves,
            black=names[Color.BLACK],
            white=names[Color.WHITE],
            date=time.strftime("%Y-%m-%d"),
            result=self.game.score if self.game.is_over else None,
        )
        path = Path(name).expanduser()
        records.write(path, [game])
        self.screen.print(f"Saved to {path}.", markup=False)

    def change_opponent(self, spec: str) -> None:
        """Change the opponent, or list the kinds of players."""
        if not spec:
            for kind, player in sorted(kinds().items()):
                self.screen.print(f"  {kind:<10} {player.summary}", markup=False)
            return
        opponent = make_player(spec)
        self.opponent.close()
        self.opponent, self.spec = opponent, spec
        self.screen.print(f"The opponent is {spec} now.", markup=False)
        if self.game.position.turn is not self.human:
            self.advance()
