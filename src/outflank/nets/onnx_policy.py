"""Networks in .onnx files: what plays where PyTorch is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from outflank import _core
from outflank.data.encodings import SQUARE_OF_CLASS
from outflank.errors import DataError
from outflank.files import read_bytes
from outflank.fingerprints import fingerprint
from outflank.nets.files import KEY, card_of, encoding_of, parse
from outflank.nets.network import PolicyNetwork, Prediction
from outflank.othello.boards import Boards

INPUT, LOGITS, VALUE = "planes", "logits", "value"
_BATCH = 256  # the batch that paper 1 timed; more gains nothing and takes memory
_FATAL = 4  # what ONNX Runtime prints by itself: we print errors in our own words


class OnnxPolicy(PolicyNetwork):
    """A network that ONNX Runtime runs, on this machine's processor.

    The file's input is `planes`, float32[n, planes, 8, 8] in the encoding its card names; its
    outputs are `logits`, float32[n, 60], or `value`, float32[n] or [n, 1], or both.

    Args:
        path: The file.
        threads: Threads that it predicts with; 0: all cores.
    """

    def __init__(self, path: Path | str, *, threads: int = 0) -> None:
        content = read_bytes(path)
        self._session = _open_session(content, path, threads)
        entries = self._session.get_modelmeta().custom_metadata_map
        self.card = card_of(parse(entries.get(KEY), path, "network"), path)
        self._encoding = encoding_of(self.card, path)
        self._outputs = _check_shapes(self._session, len(self._encoding.planes), path)
        self._fingerprint = fingerprint(content)
        self._path = Path(path)

    @property
    def name(self) -> str:
        """The card's name, or else the file's."""
        return self.card.name or self._path.stem

    @property
    def fingerprint(self) -> str:
        """The beginning of the file's SHA-256."""
        return self._fingerprint

    @property
    def has_policy(self) -> bool:
        """Whether the file has an output for moves."""
        return LOGITS in self._outputs

    def predict(self, boards: Boards) -> Prediction:
        """Score all squares but those of the centre, which are minus infinity."""
        if not len(boards):
            nothing = np.zeros(0, np.float32) if VALUE in self._outputs else None
            return Prediction(np.zeros((0, 64), np.float32), nothing)
        starts = range(0, len(boards), _BATCH)
        return Prediction.concatenate(
            [self._predict_batch(boards[start : start + _BATCH]) for start in starts]
        )

    def _predict_batch(self, boards: Boards) -> Prediction:
        found = self._session.run(self._outputs, {INPUT: self._encoding.encode(boards)})
        by_name = dict(zip(self._outputs, found, strict=True))
        if LOGITS not in by_name:
            return Prediction.of_values(by_name[VALUE].reshape(-1))
        values = by_name[VALUE].reshape(-1) if VALUE in by_name else None
        logits = np.full((len(boards), 64), -np.inf, np.float32)
        logits[:, SQUARE_OF_CLASS] = by_name[LOGITS]
        return Prediction(logits, values)


def _open_session(content: bytes, path: Path | str, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = _FATAL
    options.intra_op_num_threads = threads or _core.available_threads()
    options.inter_op_num_threads = 1
    # Threads that wait in a busy loop take the cores from other players and from searches.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its exceptions have no base of their own
        reason = (str(error).splitlines() or ["unreadable"])[0]
        raise DataError(f"{path}: not a whole .onnx file that can be run: {reason}") from None


def _check_shapes(session: Any, planes: int, path: Path | str) -> list[str]:
    """Return the names of the outputs; input and outputs of other shapes are an error."""
    inputs = {node.name: node.shape[1:] for node in session.get_inputs()}
    if inputs != {INPUT: [planes, 8, 8]}:
        raise DataError(f"{path}: its input is {inputs}; needed is {INPUT} [n, {planes}, 8, 8]")
    outputs = {node.name: node.shape[1:] for node in session.get_outputs()}
    classes = len(SQUARE_OF_CLASS)
    fitting = outputs.get(LOGITS, [classes]) == [classes] and outputs.get(VALUE, []) in ([], [1])
    known = [name for name in (LOGITS, VALUE) if name in outputs]
    if not fitting or not known:
        needed = f"{LOGITS} [n, {classes}], and perhaps {VALUE} [n]; or {VALUE} alone"
        raise DataError(f"{path}: its outputs are {outputs}; needed is {needed}")
    return known
