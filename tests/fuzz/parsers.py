"""Every parser that reads what strangers write, and what must hold for any bytes that it is given.

tests/hostile/fuzzed.py gives them mutated inputs, and target.py those of a real fuzzer.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import io
import json
import math
import re
import shutil
import struct
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from fuzz.checking import check, seeds_of
from outflank import Game, make_player
from outflank.data.years import describe_years, list_years, parse_years
from outflank.errors import EngineError, OutflankError
from outflank.evaluations.champion import (
    ENDINGS,
    PROBCUT,
    champion_facts,
    champion_regressions,
    load_champion,
    save_champion,
)
from outflank.evaluations.evolved import EvolvedNetwork, weights_of
from outflank.evaluations.patterns import load_patterns, save_patterns
from outflank.files import write_bytes
from outflank.lab import answers
from outflank.lab.live import _message_in, _object_in
from outflank.lab.pasted import what_is_wrong
from outflank.lab.runs import Runs
from outflank.lab.uploads import read_upload
from outflank.learn import Run
from outflank.learn.registry import learner_of_run, learners
from outflank.learn.training import _seconds_before
from outflank.models import load_network
from outflank.nets import save_weights
from outflank.nets.files import kind_of, load_card
from outflank.nets.network import Card
from outflank.numbers import number, whole_number
from outflank.othello import Position
from outflank.players import Player, Spec
from outflank.players.book import Book, canonical, successors
from outflank.players.duration import Seconds
from outflank.protocols.client import EdaxClient, EngineClient, GtpClient, NBoardClient
from outflank.protocols.client.process import EngineProcess
from outflank.protocols.engine import GtpEngine, NBoardEngine
from outflank.protocols.engine.thinker import command_lines
from outflank.records import FORMATS

EDAX = Path(__file__).parents[3] / "shared" / "data" / "edax-4.6-recorded.txt"
START = "-" * 27 + "OX------XO" + "-" * 27
_DETAILS = TypeAdapter(answers.RunDetails)
BOARD = f"BO[8 {START.replace('X', '*')} *]"


@dataclass(frozen=True)
class Parser:
    """Something that reads input.

    Attributes:
        check: Raises anything but an OutflankError if the input is not read as it must be.
        seeds: Good inputs.
        words: What is worth putting in.
        json: Whether inputs are JSON.
    """

    check: Callable[[bytes], None]
    seeds: Sequence[bytes]
    words: Sequence[bytes] = ()
    json: bool = False


@lru_cache
def _folder() -> Path:
    """Make a folder for the files of this process, in memory where that is possible."""
    fast = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(prefix="fuzz-", dir=fast if fast.is_dir() else None))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


# Records


def record_parsers() -> dict[str, Parser]:
    """Return the readers of all formats of games."""
    texts: dict[str, tuple[list[str], list[str]]] = {
        "ggf": (
            [
                f"(;GM[Othello]PC[GGS/os]DT[2004.09.18]PB[A\\]]PW[\\\\]RB[1837.5]RW[9]"
                f"TI[05:00//02:00]{BOARD};)",
                f"2 (;GM[Othello]TY[s8]{BOARD}B[f5//0.01]W[F4/-1.50/12.3];)"
                f"(;GM[Othello]{BOARD}B[d3/2/1:02];)",
                f"(;GM[Othello]TY[8k]KB[f5//0.9]KW[d3/3.00]KM[1.500]RE[+62.500]{BOARD}B[f5];)",
                f"(;GM[Othello]RE[-4.000:r]{BOARD}B[f5];)",
                "(;GM[Othello]BO[8 O*" + "-" * 62 + " *]B[PA]W[C1];)",
            ],
            ["(;", ";)", "GM[Othello]", BOARD, "B[f5]", "W[PA]", "RE[+4:t]", "RE[?]", "KM[2]",
             "TY[8", "\\]"],
        ),
        "sgf": (
            [
                "(;FF[4]CA[UTF-8]GM[2]SZ[8]PB[a\\]b]PW[c\\\\]DT[1977-03-04]RE[W+12]GC[first\nof "
                "all]AP[x:1];B[f5]C[a\\\nb]V[1.5];W[d6](;B[c3])(;B[c4];W[]))",
                "(;GM[2]AB[d5][ed:ee]AW[dd]AE[h8]PL[W]CA[Shift_JIS]RE[B+R];W[c5])(;GM[1];B[dd])",
            ],
            ["(;", ")", "GM[2]", "AB[", "AW[", "AE[", "PL[W]", "B[f5]", "W[]", "C[", "V[", "RE[",
             "\\]"],
        ),
        "transcript": (
            ["# games\nf5d6c3d3c4\n1. F5 D6 2. C3, d3\n", "d3c3e6d2d1e1b2c1--d6pass\n"],
            ["f5", "d6", "C3", "pass", "PA", "ps", "--", "1.", "2...", ",", ";", "#", "%"],
        ),
        "obf": (
            [f"% positions\n{START} X; F5:+0; d3:-2;\n{START} O;\n"],
            ["% ", "; ", " X;", " O;", " F5:+18;", " PA:-4;", "X", "O", "-", START],
        ),
        "boards": (
            [
                f"{START} X\n",
                "." * 27 + "wb......bw" + "." * 27 + "w\n",
                f"{START.replace('X', '*')} *\n",
            ],
            ["X", "O", "b", "w", "*", ".", "-", " X\n", "●", "○", "#", "%"],
        ),
    }  # fmt: skip
    found = {}
    for name, format in FORMATS.items():
        seeds, words = texts.get(name, ([], []))
        found[name] = Parser(
            lambda data, format=format: check(format, data),  # type: ignore[misc]
            [*(seed.encode() for seed in seeds), *seeds_of(format)],
            [word.encode() for word in words],
        )
    return found


def check_upload(data: bytes) -> None:
    """Read bytes as the lab reads what is pasted or dropped on its page."""
    assert isinstance(what_is_wrong(data), str)
    upload = read_upload(data, "pasted.txt")
    json.dumps([game.transcript for game in upload.games])


# Words of the command line


def check_spec(data: bytes) -> None:
    """Read a spec; its own text must give it again."""
    spec = Spec.parse(data.decode("utf-8", "replace"))
    assert Spec.parse(str(spec)) == spec


def check_player(data: bytes) -> None:
    """Make the player of a spec."""
    make_player(data.decode("utf-8", "replace")).close()


def check_number(data: bytes) -> None:
    """Read numbers, times and years."""
    text = data.decode("utf-8", "replace")
    for read in (whole_number, number, Seconds):
        with contextlib.suppress(ValueError):
            assert math.isfinite(read(text))
    years = parse_years(text)
    assert list_years(describe_years(years)) == list(years)


def word_parsers() -> dict[str, Parser]:
    """Return what reads the words of a command."""
    specs = [
        "random:seed=3",
        "greedy",
        "alphabeta:eval=iago,depth=6,time=500ms,solve=10,threads=2,memory=8",
        "playouts:games=50,seed=1",
        "champion:depth=3",
        "mcts:net=selfplay,sims=100,c=1.5,temperature=0.5",
        "mcts:rollouts=20",
        "policy:imitation-fast",
        "evolved:master,depth=4",
        "level:nobody",
        'gtp:cmd="engine -a 1,2",timeout=3',
        "edax:path=/nowhere/edax,level=3",
    ]
    words = [":", ",", "=", '"', "net=", "eval=", "depth=", "+", "~", "*", "../", "patterns"]
    texts = [spec.encode() for spec in specs]
    numbers = [b"14", b"-1.5e3", b"500ms", b"2s", b"1977-2015", b"2004", b"-2000"]
    return {
        "spec": Parser(check_spec, texts, [word.encode() for word in words]),
        "player": Parser(check_player, texts, [word.encode() for word in words]),
        "number": Parser(check_number, numbers, [b"e", b".", b"-", b"_", b"ms", b"\xef\xbc\x91"]),
    }


# Files of weights


def check_safetensors(data: bytes) -> None:
    """Read bytes as a file of weights, by all that read such files."""
    path = _folder() / "x.safetensors"
    path.write_bytes(data)
    path_readers: tuple[Callable[[Path], object], ...] = (
        kind_of,
        load_card,
        load_network,
        Book.load,
        EvolvedNetwork.load,
        load_patterns,
        load_champion,
        champion_facts,
        lambda path: champion_regressions(path, PROBCUT),
        lambda path: champion_regressions(path, ENDINGS),
    )
    for read in path_readers:
        with contextlib.suppress(OutflankError):
            read(path)


def check_safetensors_header(data: bytes) -> None:
    """Read bytes as the header of a file of weights that is otherwise whole."""
    check_safetensors(struct.pack("<Q", len(data)) + data + bytes(_length_of_data(data)))


def _length_of_data(header: bytes) -> int:
    """Return how many bytes must follow a header."""
    try:
        entries = json.loads(header).values()
        ends = [entry["data_offsets"][1] for entry in entries if "data_offsets" in entry]
        return min(max(0, 0, *map(int, ends)), 1 << 16)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return 0


@lru_cache
def weight_seeds() -> tuple[bytes, ...]:
    """Make small files of all kinds."""
    path = _folder() / "seed.safetensors"
    found = []

    def keep() -> None:
        found.append(path.read_bytes())

    flat = np.zeros(weights_of("flat"), np.float32)
    EvolvedNetwork("flat", flat).save(path)
    keep()
    save_patterns(path, np.zeros((2, 3), np.int16), {"games": 3})
    keep()
    line = dict.fromkeys(("slope", "offset", "error"), 1.0)
    regression = {"depth": 4, "shallow": 2, "from_discs": 4, "to_discs": 60, **line}
    facts = {PROBCUT: [regression], ENDINGS: [regression]}
    save_champion(path, np.zeros(6, np.int8), facts)
    keep()
    start = canonical(Position.start())
    Book({start: 0.0, **dict.fromkeys(successors(start).values(), 1.0)}, {start}).save(path)
    keep()
    for architecture in ("line", "value-patterns", "conv"):
        card = Card(architecture, "pieces", "x", {"steps": 1}, {"accuracy": 0.5})
        save_weights(path, {"rows": np.zeros(4, np.int8)}, card)
        keep()
    return tuple(found)


def weight_parsers() -> dict[str, Parser]:
    """Return the readers of weights."""
    seeds = weight_seeds()
    headers = [seed[8 : 8 + int.from_bytes(seed[:8], "little")].rstrip() for seed in seeds]
    words = [b"BF16", b"F64", b"I16", b"F32", b"shape", b"data_offsets", b"__metadata__", b"null"]
    return {
        "safetensors": Parser(check_safetensors, seeds, words),
        "safetensors header": Parser(check_safetensors_header, headers, words, json=True),
    }


# Folders of runs

_RUN_FILES = {
    "config.json": "config.json",
    "status.json": "status.json",
    "metrics.jsonl": "metrics.jsonl",
    "checkpoint.json": "checkpoints/step-000000003/checkpoint.json",
    "clock.json": "checkpoints/step-000000003/clock.json",
}


@lru_cache
def run_folder(file: str) -> Path:
    """Make a run, in which one file is then another."""
    runs = _folder() / file
    learner, clock = learners()["coevolution"], b'{"seconds": 1.5}'
    config = learner.configure("fixed", []).to_json()
    with Run.create(runs / "run", config, learner=learner.name) as run:
        run.add_metrics(3, {"loss": 0.5, "seconds": 1.5, "note": "x"})
        run.save_checkpoint(3, lambda to: write_bytes(to / "clock.json", clock), score=1)
    return runs


def check_run(file: str, data: bytes) -> None:
    """Read a run, one of whose files holds these bytes, as the command and the lab do."""
    runs = run_folder(file)
    (runs / "run" / _RUN_FILES[file]).write_bytes(data)
    for read in (_open_run, _describe_run):
        with contextlib.suppress(OutflankError):
            read(runs)


def _open_run(runs: Path) -> None:
    run = Run.open(runs / "run")
    learner = learner_of_run(run.folder)
    if learner is not None:
        learner.config.from_json(run.config)
    run.metrics()
    run.best_checkpoint()
    last = run.last_checkpoint()
    assert last is not None
    assert math.isfinite(_seconds_before(last.folder / "clock.json"))


def _describe_run(runs: Path) -> None:
    details = Runs(runs, None).details("run")
    _DETAILS.dump_json(_DETAILS.validate_python(details))
    for what in (details["metrics"], details["step"], details["seconds"], details["remaining"]):
        json.dumps(what, allow_nan=False)  # as the socket sends it


def run_parsers() -> dict[str, Parser]:
    """Return the readers of runs' files."""
    return {
        file: Parser(
            partial(check_run, file),
            [(run_folder(file) / "run" / place).read_bytes()],
            [b"NaN", b"Infinity", b"1e999", b"null", b"true", b'"\\ud800"', b"running", b"\n"],
            json=True,
        )
        for file, place in _RUN_FILES.items()
    }


# What other programs say


class Recorded(EngineProcess):
    """An engine that says what was recorded, whatever it is asked."""

    def __init__(self, data: bytes) -> None:
        self.name = "recorded"
        self._incoming, self._left = bytearray(), data

    def ask(self, *lines: str, seconds: float) -> None:
        """Pass over a question."""

    def is_running(self) -> bool:
        """Return whether it has more to say."""
        return bool(self._left)

    def kill(self) -> None:
        """End."""

    def _wait(self) -> None:
        if not self._left:
            raise EngineError("recorded: ended")
        # A prompt ends what is read at once, as it does where an engine waits behind it.
        end = self._left.find(b"\n>") + 2
        end = end if end > 1 else len(self._left)
        self._incoming += self._left[:end]
        self._left = self._left[end:]


def check_client(make: Callable[[], EngineClient], data: bytes) -> None:
    """Ask an engine for moves that says these bytes."""
    client = make()
    client._running = Recorded(data)
    client.greet()
    for game in (Game(), Game.from_transcript("f5d6")):
        answer = client.answer(game)
        assert answer.value is None or math.isfinite(answer.value)
        assert not answer.line or answer.line[0] == answer.move


@lru_cache
def _player(spec: str) -> Player:
    return make_player(spec)


def check_gtp_engine(data: bytes) -> None:
    """Send lines to our GTP engine; every answer is one answer."""
    engine = GtpEngine(_player("alphabeta:eval=discs,depth=1"), "fuzzed", "1")
    for line in command_lines(io.BytesIO(data)):
        if line is None or "loadsgf" in line:
            continue
        answer = engine.answer(line)
        assert not answer or (answer[0] in "=?" and answer.endswith("\n\n")), answer
        assert "\n\n" not in answer[:-2], answer
        answer.encode()


class _Prompt(NBoardEngine):
    """An engine without a thread: what it thinks is said at once."""

    def __init__(self, player: Any, name: str) -> None:
        super().__init__(player, name)
        self._answers = io.BytesIO()

    def obey(self, line: str) -> None:
        """Carry out a line, and what it asks for."""
        super().obey(line)
        self._tasks.put(None)
        self._think()


def check_nboard_engine(data: bytes) -> None:
    """Send lines to our NBoard engine."""
    engine = _Prompt(_player("alphabeta:eval=patterns,depth=1"), "fuzzed")
    for line in command_lines(io.BytesIO(data)):
        if line is not None and "depth" not in line:  # it would think long
            engine.obey(line)


def check_message(data: bytes) -> None:
    """Read a message as the lab's socket does."""
    _message_in(_object_in(data.decode("utf-8", "replace")))


def protocol_parsers() -> dict[str, Parser]:
    """Return what reads lines of other programs and pages."""
    good = b"=\n\n"
    gtp = [
        good * 3 + b"= D3\n\n" + good * 3 + b"= C3\n\n",
        b"= outflank-setup_board\nplay\n\n" + good * 2 + b"=12 d3\n\n# a\n" + good + b"? no\n\n",
    ]
    nboard = [
        b"set myname x\npong 1\nstatus Thinking\nsearch D3C3 1.50 0 12\nnodestats 100 0.5\n"
        b"=== D3/1.50/0.5\nsearch C3 -1.00 0 100%\n=== C3//0.5\n",
        b"pong 1\nbook d3 2,4 0 73%W\n=== d3 1.20 0.5\n=== C3\n",
    ]
    table = b" 7   +02        0:00.001      5063   5063000 D3 c3 f4\n\nEdax plays D3\n>"
    selective = b"21@73% <-04   0:01.001  506300 C3\nEdax plays c3\n>"
    edax = [b"\n>" * 4 + table + b"\n>" + selective]
    if EDAX.is_file():
        said = re.findall(r"^answered: (b.*)$", EDAX.read_text(), re.MULTILINE)[:5]
        edax.append(b"".join(ast.literal_eval(one) for one in said) + b"\n>" + selective)
    requests = [
        b"1 boardsize 8\nclear_board\nplay b f5\ngenmove w\nundo\nshowboard\nfinal_score\n",
        b"time_settings 300 10 5\ntime_left w 20 3\ngenmove b\noutflank-thought\nkomi 6.5\n",
        f"outflank-setup_board {START} black\nreg_genmove b\nlist_commands\nname\n".encode(),
    ]
    asks = [
        f"nboard 2\nset game (;GM[Othello]{BOARD}B[f5//0.01];)\nmove D6/1.2/0.5\ngo\n".encode(),
        b"hint 3\nping 4\nanalyze\nlearn\nmove PA\nf5\nset contempt 2\ngo\n",
    ]
    messages = [
        b'{"type": "join", "game": "abcdefghijkl", "watch": true}',
        b'{"type": "move", "game": "abcdefghijkl", "ply": 3, "move": "f5"}',
        b'{"type": "opinions", "game": "abcdefghijkl", "ply": 3, "players": ["greedy"]}',
        b'{"type": "follow", "what": "run", "name": "run", "on": true}',
        b'{"type": "delay", "game": "abcdefghijkl", "seconds": 1.5}',
    ]
    engine = Path("engine")
    return {
        "gtp client": Parser(
            partial(check_client, lambda: GtpClient(["engine"])), gtp, [b"= ", b"? ", b"\n\n", b"#"]
        ),
        "nboard client": Parser(
            partial(check_client, lambda: NBoardClient(["engine"])),
            nboard,
            [b"=== ", b"search ", b"nodestats ", b"pong 1\n", b"nan", b"100%", b"/"],
        ),
        "edax client": Parser(
            partial(check_client, lambda: EdaxClient(engine)),
            edax,
            [b"\n>", b"Edax plays ", b"@73%", b" +02 ", b"0:00.001"],
        ),
        "gtp engine": Parser(
            check_gtp_engine,
            requests,
            [
                b"play b ",
                b"genmove w\n",
                b"undo\n",
                b"pass",
                b"1e308",
                b"\t",
                b"#",
                b"known_command ",
            ],
        ),
        "nboard engine": Parser(
            check_nboard_engine, asks, [b"set game ", b"move ", b"go\n", b"hint ", b"PA", b"ping "]
        ),
        "message": Parser(check_message, messages, [b"null", b"1e999", b'"type"'], json=True),
    }


def parsers() -> dict[str, Parser]:
    """Return all parsers by name."""
    uploads = [seed for parser in record_parsers().values() for seed in parser.seeds]
    return {
        **record_parsers(),
        "upload": Parser(check_upload, uploads),
        **word_parsers(),
        **weight_parsers(),
        **run_parsers(),
        **protocol_parsers(),
    }
