"""Several processes of one engine, for several games at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from outflank.errors import EngineError
from outflank.othello import Game
from outflank.protocols.client.client import Answer, EngineClient


class EnginePool:
    """Engines that are all alike; a game stays with the engine that knows it while it can.

    An engine that goes from one game to another must be told the other from the beginning: with
    as many processes as games, none has to.
    """

    def __init__(self, make: Callable[[], EngineClient], processes: int = 1) -> None:
        self.clients = [make() for _ in range(processes)]

    def answers(self, games: Sequence[Game]) -> list[Answer | EngineError]:
        """Ask for a move in each game; a game in which the engine failed gets the error."""
        tasks = [task for task in self._share_out(games) if task[1]]
        found: list[Answer | EngineError | None] = [None] * len(games)

        def work(task: tuple[EngineClient, list[int]]) -> None:
            client, numbers = task
            for number in numbers:
                try:
                    found[number] = client.answer(games[number])
                except EngineError as error:
                    found[number] = error

        if len(tasks) < 2:
            for task in tasks:
                work(task)
        else:
            with ThreadPoolExecutor(len(tasks)) as threads:
                list(threads.map(work, tasks))
        return [answer for answer in found if answer is not None]

    def _share_out(self, games: Sequence[Game]) -> list[tuple[EngineClient, list[int]]]:
        """Give every game to an engine: to one that knows it, else to one with few games."""
        shares: list[tuple[EngineClient, list[int]]] = [(client, []) for client in self.clients]
        rest = dict(enumerate(games))
        for client, share in shares:
            known = next((number for number, game in rest.items() if client.knows(game)), None)
            if known is not None:
                share.append(known)
                del rest[known]
        for number in rest:
            min(shares, key=lambda share: len(share[1]))[1].append(number)
        return shares

    def close(self) -> None:
        """Let all engines quit."""
        for client in self.clients:
            client.close()
