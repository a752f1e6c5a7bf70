"""What studies work with: training, measuring and playing, none of which is done twice.

The studies' folder holds all that a study makes, whatever the study:

    runs/NAME-KEY/       a training run for each configuration (see outflank.learn.layout)
    measured/KEY.json    a measurement of a network or player
    games.sqlite         all games, in the arena's store
    results/             the tables

So a study that was interrupted goes on where it was, and studies share their networks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from outflank import _core, arena, cluster, learn
from outflank.arena import PairResult, Store, ToMove, Tournament
from outflank.chance import Shuffle
from outflank.data.store import wthor_files, wthor_folder
from outflank.data.years import parse_years
from outflank.errors import DataError, FileError, OutflankError
from outflank.files import read_bytes, write_bytes
from outflank.learn import Run, Settings, imitation, train
from outflank.learn.coevolution import CoevolutionConfig, Crew, Evolution, network_of_run
from outflank.learn.imitation import HeldOut, ImitationConfig
from outflank.learn.layout import is_run
from outflank.nets import Card, build
from outflank.othello import Game
from outflank.players import make_player
from outflank.studies.contender import Contender
from outflank.studies.estimate import Estimate
from outflank.studies.sources import Sources

_FINISHED = "finished.json"
_EVOLVED = "evolved.safetensors"  # the last first parent of an evolution that ended
_RANDOM_OPENINGS = "random:7"  # as many as the paper's
_ASKED_AT_ONCE = 64  # positions of a player that is asked one by one, between two looks at a bar


class StudyListener:
    """Hears how a study goes; this one shows nothing."""

    def began(self, what: str, total: float) -> None:
        """Something begins that has so many parts."""

    def advanced(self, done: float) -> None:
        """So many of its parts are done."""


@dataclass(frozen=True)
class EvolvedRun:
    """An evolution that came to its end: the last first parent's file, and what was observed."""

    config: CoevolutionConfig
    network: Path
    metrics: list[dict[str, Any]]
    seconds: float


@dataclass(frozen=True)
class LearnedRun:
    """A run of any learner that came to its end: its folder, which plays, and what was measured."""

    folder: Path
    config: Settings
    metrics: list[dict[str, Any]]


class Workbench:
    """A studies' folder and the data that a user has.

    Use it as a context manager: leaving it closes the store.

    Args:
        folder: Of the studies.
        wthor: Folder of WThor files; the store's if None.
        years: Of the games; all if empty.
        openings: A file of openings, or what find_openings takes; if None, random ones.
        workers: For evolution and for players that search; all cores of the cluster
            (outflank.cluster.using) if None.
        listener: Hears how a study goes.
    """

    def __init__(
        self,
        folder: Path,
        *,
        wthor: Path | None = None,
        years: str = "",
        openings: str | None = None,
        workers: int | None = None,
        listener: StudyListener | None = None,
    ) -> None:
        self.folder = folder
        self.wthor = wthor
        self.years = years
        self.openings_source = openings
        self.listener = listener or StudyListener()
        self.notes: list[str] = []
        self.sources = Sources()
        self._workers = workers
        self._store: Store | None = None
        self._held_out: dict[str, HeldOut] = {}
        if years:
            parse_years(years)  # a wrong range should be told now

    def note(self, text: str) -> None:
        """Tell the reader of the result something, once."""
        if text not in self.notes:
            self.notes.append(text)

    @property
    def workers(self) -> int:
        """Workers that may work at once."""
        return cluster.count_workers(self._workers)

    def need_games(self) -> None:
        """Say in one line that there are no games to learn from, before anything is done."""
        self.sources.files["wthor"] = self._wthor_files()

    def _wthor_files(self) -> list[Path]:
        years = parse_years(self.years) if self.years else None
        return wthor_files(wthor_folder(self.wthor), years)

    def uses(self, network: Contender) -> None:
        """Note that a network takes part in the study."""
        self.sources.models[network.title] = network.load().fingerprint

    # Training

    def train(self, config: ImitationConfig) -> Contender:
        """Return the network of a configuration, trained to the end; that may take long."""
        if self.years:
            config = ImitationConfig.from_json({**config.to_json(), "years": self.years})
        folder = self._folder_of(config)
        self.sources.seeds.add(config.seed)
        if not (folder / _FINISHED).is_file():
            self._train(folder, config)
        facts = json.loads(read_bytes(folder / _FINISHED))
        return Contender(config.network, (folder,), config, facts)

    def games_identity(self) -> str:
        """Return what tells one set of games from another: names and sizes of their files."""
        return ",".join(f"{path.name} {path.stat().st_size}" for path in self._wthor_files())

    def evolve(self, config: CoevolutionConfig) -> EvolvedRun:
        """Return a population's evolution to the end; that may take minutes."""
        self.sources.seeds.add(config.seed)
        folder = self._folder_of_evolution(config)
        network = folder / _EVOLVED
        there = is_run(folder)
        if there and CoevolutionConfig.from_json(Run.open(folder).config, str(folder)) != config:
            raise DataError(f"{folder}: made with other settings; remove it, to be made anew")
        if not network.is_file():
            watch = TrainingListener(self.listener, f"evolution of {config.shape} networks")
            with (
                _open_run(folder, config, "coevolution") as run,
                Crew(config, self.workers) as crew,
            ):
                if not train(run, Evolution(config, crew, folder), observers=[watch]):
                    raise KeyboardInterrupt
            network_of_run(folder).save(network)
            watch.end_if_asked()
        metrics = Run.open(folder).metrics()
        return EvolvedRun(config, network, metrics, float(metrics[-1]["seconds"]))

    def is_evolved(self, config: CoevolutionConfig) -> bool:
        """Return whether a population's evolution came to its end already."""
        return (self._folder_of_evolution(config) / _EVOLVED).is_file()

    def _folder_of_evolution(self, config: CoevolutionConfig) -> Path:
        return self.folder / "runs" / run_name(config, f"coevolution-{config.shape}")

    def learn(self, learner: str, config: Settings, *, start: str = "") -> LearnedRun:
        """Return a run of a learner, trained to the end; that may take long.

        Args:
            learner: Its name in the registry.
            config: Without a network to begin with.
            start: A network to begin with: the folder of a run here.
        """
        described = learn.find_learner(learner)
        self.sources.seeds.add(config.to_json()["seed"])
        begun = [Path(start).name] if start else []
        folder = self.folder / "runs" / run_name(config, learner, *begun)
        if start:
            config = config.with_settings([f"start={start}"])
        if not (folder / _FINISHED).is_file():
            context = learn.TrainingContext(folder, described.chosen_options({"workers": 1}))
            watch = TrainingListener(self.listener, f"{learner} ({folder.name})")
            with (
                _open_run(folder, config, learner) as run,
                described.trainer(config, context) as trainer,
            ):
                if not train(run, trainer, observers=[watch]):
                    raise KeyboardInterrupt
            write_bytes(folder / _FINISHED, b"{}")
            watch.end_if_asked()
        return LearnedRun(folder, config, Run.open(folder).metrics())

    def finished(self) -> list[Contender]:
        """Return all networks that were trained on these games to the end, by name."""
        found = []
        for facts in sorted((self.folder / "runs").glob(f"*/{_FINISHED}")):
            folder = facts.parent
            if Run.open(folder).learner not in ("", "imitation"):
                continue
            config = ImitationConfig.from_json(Run.open(folder).config, str(folder))
            if folder == self._folder_of(config):  # else of other games
                known = json.loads(read_bytes(facts))
                found.append(Contender(config.network, (folder,), config, known))
        return found

    def _folder_of(self, config: ImitationConfig) -> Path:
        beginning = f"{config.network}-{config.encoding}-{config.dataset}"
        return self.folder / "runs" / run_name(config, beginning, self.games_identity())

    def _train(self, folder: Path, config: ImitationConfig) -> None:
        imitation.find_trainer(config.network)  # what is missing is said before games are read
        self.listener.began(f"{config.network} on {config.dataset}: reading the games", 0)
        material = imitation.gather_material(config, wthor=self.wthor)
        trainer = imitation.make_trainer(config, material)
        watch = TrainingListener(self.listener, f"{config.network} on {config.dataset}")
        with _open_run(folder, config, "imitation") as run:
            if not train(run, trainer, observers=[watch]):
                raise KeyboardInterrupt
            last = (run.metrics() or [{}])[-1]
        facts = {
            "examples": len(material.training),
            "steps": trainer.steps,
            "batch": config.batch,
            "epochs": round(trainer.steps / trainer.steps_per_epoch, 3),
            "seconds": last.get("seconds"),
        }
        write_bytes(folder / _FINISHED, json.dumps(facts).encode())
        watch.end_if_asked()

    # Measuring

    def measure(self, network: Contender, name: str, *, at_most: int = 0) -> dict[str, Any]:
        """Return how a network predicts the moves of a test set (Measures.to_json, and more)."""
        exam = self.held_out(name, network.config, at_most=at_most)
        loaded = network.load()
        self.uses(network)

        def find() -> dict[str, Any]:
            self.listener.began(f"{network.name}: testing with {exam.name}", len(exam.examples))
            return imitation.measure(
                loaded, exam.examples, advanced=self.listener.advanced
            ).to_json()

        found = self.kept(find, loaded.fingerprint, "measures", *_identity(exam))
        found["warning"] = imitation.why_not_held_out(exam, loaded.card)
        self.note(f"{'Line networks' if network.fast else 'Other networks'}: {found['ties']}.")
        return found

    def measure_training(self, network: Contender, *, at_most: int = 0) -> Estimate:
        """Return how often a network predicts the moves that it learned from.

        Args:
            network: Of a run here, of which the configuration is known.
            at_most: Take this many examples at random; 0: all.
        """
        loaded, config = network.load(), network.config
        if config is None:
            raise ValueError(f"{network.name}: its training examples are not known")

        def find() -> dict[str, Any]:
            self.listener.began(f"{network.name}: testing with its training examples", 0)
            part = imitation.gather_material(config, wthor=self.wthor).training.part
            chosen = np.arange(len(part), dtype=np.uint32)
            if 0 < at_most < len(part):
                chosen = np.sort(Shuffle(len(part), config.seed, "training set")(chosen[:at_most]))
            return imitation.measure(loaded, part.take(chosen)).to_json()

        found = self.kept(find, loaded.fingerprint, "training", at_most, self.games_identity())
        return Estimate.of_share(found["accuracy"], found["examples"])

    def held_out(
        self, name: str, trained: ImitationConfig | None = None, *, at_most: int = 0
    ) -> HeldOut:
        """Return a test set; trained: how the network was, whose held-out examples are wanted."""
        seed = trained.split_seed if trained else 1
        split = trained.to_json() if trained and name == "unseen" else {}
        fields = ("dataset", "split", "held_out", "last_training_year", "examples")
        key = _key(name, seed, at_most, *(split.get(field) for field in fields))
        if key not in self._held_out:
            self.listener.began(f"test set {name}", 0)
            years = parse_years(self.years) if self.years else None
            self._held_out[key] = imitation.hold_out(
                name, wthor=self.wthor, years=years, seed=seed, trained=trained, at_most=at_most
            )
        return self._held_out[key]

    def time(self, network: Contender, batch: int, *, seconds: float = 1.0) -> float:
        """Return the seconds per position of a network's predictions, so many at once."""
        loaded = network.load()

        def find() -> dict[str, Any]:
            self.listener.began(f"{network.name}: prediction time", 0)
            return {"seconds": imitation.seconds_per_position(loaded, batch, seconds=seconds)}

        key = (loaded.fingerprint, "time", batch, seconds, _core.available_threads())
        return float(self.kept(find, *key)["seconds"])

    def untrained(self, network: str) -> Contender:
        """Return a network of PyTorch with fresh weights: it predicts as fast as a trained one."""
        path = self.folder / "untrained" / f"{network}.onnx"
        if not path.is_file():
            self.listener.began(f"{network}: building it", 0)
            module = build(network).eval()
            from outflank.nets.torch.export import export_onnx

            _make_folder(path.parent)
            export_onnx(path, module, Card(network, "pieces"))
        return Contender(network, (path,))

    def player_accuracy(self, spec: str, name: str, *, at_most: int) -> Estimate:
        """Return how often a player's choice is the move that was played."""
        exam = self.held_out(name, at_most=at_most)

        def find() -> dict[str, Any]:
            boards, right = exam.examples.boards(), 0
            self.listener.began(f"{spec}: predicting moves", len(boards))
            keys = np.arange(len(boards), dtype=np.uint64)
            with make_player(spec) as player:
                for start in range(0, len(boards), _ASKED_AT_ONCE):
                    part = slice(start, start + _ASKED_AT_ONCE)
                    moves = player.choose_many(boards[part], keys[part])
                    right += int((moves == exam.examples.move[part]).sum())
                    self.listener.advanced(start + len(moves))
            return {"accuracy": right / len(boards)}

        with make_player(spec) as asked:
            fingerprint = asked.fingerprint
        key = (spec, fingerprint or "-", "player", *_identity(exam))
        return Estimate.of_share(self.kept(find, *key)["accuracy"], len(exam.examples))

    def kept(self, find: Callable[[], dict[str, Any]], *key: object) -> dict[str, Any]:
        """Return a measurement: that in the folder, or a new one, which is then kept there.

        Args:
            find: Measures.
            key: What the measurement depends on; first the fingerprint of what is measured.
        """
        if not key[0]:  # a network that cannot be told from others
            return find()
        path = self.folder / "measured" / f"{_key(*key)}.json"
        if path.is_file():
            try:
                content: dict[str, Any] = json.loads(read_bytes(path))
            except ValueError:
                raise DataError(f"{path}: damaged; remove it, to be measured anew") from None
            return content
        content = find()
        _make_folder(path.parent)
        write_bytes(path, json.dumps(content).encode())
        return content

    # Playing

    def openings(self, count: int, to_move: ToMove = ToMove.FILE) -> list[Game]:
        """Return so many openings, the user's or random ones."""
        source = self.openings_source or _RANDOM_OPENINGS
        if self.openings_source is None:
            self.note(
                "Games begin after seven random plies: the paper's 1000 openings were not given."
            )
        elif Path(source).is_file():
            self.sources.files["openings"] = [Path(source)]
        found = arena.find_openings(source, count, to_move=to_move)
        if len(found) < count:
            self.note(f"{source} has {len(found)} openings, not {count}.")
        return found

    def match(self, first: str, second: str, openings: Sequence[Game]) -> PairResult:
        """Play every opening twice, with colours swapped; the result is the first player's."""
        return self.play(first, second, openings, 2 * len(openings))

    def random_openings(self, plies: int, count: int) -> list[Game]:
        """Return random openings of a length, whatever openings the user gave."""
        return arena.find_openings(f"random:{plies}", count)

    def play(
        self,
        first: str,
        second: str,
        openings: Sequence[Game],
        games: int,
        *,
        workers: int | None = None,
    ) -> PairResult:
        """Play some games from openings in turn; the first player has black in every other one.

        workers: Fewer than the bench's, where a game needs several cores.
        """
        result, _ = self._play(first, second, openings, games, workers=workers)
        return result

    def games(self, first: str, second: str, openings: Sequence[Game]) -> list[Game]:
        """Return the games of a match, every opening twice."""
        return self._play(first, second, openings, 2 * len(openings))[1]

    def _play(
        self,
        first: str,
        second: str,
        openings: Sequence[Game],
        games: int,
        *,
        workers: int | None = None,
    ) -> tuple[PairResult, list[Game]]:
        tournament = Tournament((first, second), tuple(openings), games)
        workers = workers or self._workers
        with arena.TournamentRunner(tournament, self._open_store(), workers=workers) as run:
            self.listener.began(f"{_short(first)} against {_short(second)}", tournament.total)
            result = run.play(_GamesListener(self.listener)).pairs[0]
            played = list(run.games())
        for reason in sorted({error.reason for error in result.errors})[:3]:
            self.note(f"{_short(first)} against {_short(second)}: games lost by error: {reason}")
        return result, played

    def _open_store(self) -> Store:
        if self._store is None:
            _make_folder(self.folder)
            self._store = Store(self.folder / "games.sqlite")
            self._store.__enter__()
        return self._store

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._store is not None:
            self._store.__exit__(kind, error, trace)
            self._store = None


class TrainingListener(learn.TrainingObserver):
    """Reports how training goes to a study's listener, and remembers a late interrupt."""

    def __init__(self, listener: StudyListener, what: str) -> None:
        self.listener, self.what = listener, what
        self._was_interrupted = False

    def began(self, step: int, steps: int) -> None:
        """Training starts or resumes at a step."""
        self.listener.began(self.what, steps)
        self.listener.advanced(step)

    def advanced(self, step: int, means: Mapping[str, float], seconds: float) -> None:
        """`step` steps are done."""
        self.listener.advanced(step)

    def interrupted(self) -> None:
        """An interrupt came too late to stop training."""
        self._was_interrupted = True

    def end_if_asked(self) -> None:
        """Raise an interrupt that came too late to stop training: the study still has to stop.

        To be called once everything that training made is on the disk.
        """
        if self._was_interrupted:
            raise KeyboardInterrupt


class _GamesListener(arena.TournamentListener):
    """Reports how a match goes to a study's listener."""

    def __init__(self, listener: StudyListener) -> None:
        self.listener = listener

    def began(self, run: arena.TournamentRunner, played: int) -> None:
        self.listener.advanced(played)

    def advanced(self, played: float) -> None:
        self.listener.advanced(played)


def _open_run(folder: Path, config: Settings, learner: str) -> Run:
    """Go on with a run, or begin it."""
    if is_run(folder):
        return Run.resume(folder)
    return Run.create(folder, config.to_json(), learner=learner)


def can_train(network: str) -> str:
    """Return an empty text, or why a network cannot be trained here."""
    try:
        imitation.find_trainer(network)
    except OutflankError as error:
        return str(error)
    return ""


def _identity(exam: HeldOut) -> tuple[object, ...]:
    """Return what tells test sets apart."""
    examples = exam.examples
    content = hashlib.sha256()
    for array in (examples.own, examples.other, examples.move):
        content.update(np.ascontiguousarray(array).tobytes())
    return exam.name, len(examples), content.hexdigest()


def run_name(config: Settings, beginning: str, *others: str) -> str:
    """Name a run after what its configuration has other than usual: new fields change nothing.

    others: what else it depends on. A field that was renamed counts under its first name, so that
    networks which older versions trained are found.
    """
    usual = type(config)().to_json()
    first = {name: old for old, name in config.ALIASES.items()}
    own = {
        first.get(name, name): value
        for name, value in config.to_json().items()
        if value != usual[name]
    }
    return f"{beginning}-{_key(json.dumps(own, sort_keys=True), *others)[:8]}"


def _key(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:24]


def _short(spec: str) -> str:
    """Return a spec without the folders of its paths."""
    return spec if len(spec) <= 40 else f"...{spec[-37:]}"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, "make the folder", error) from error
