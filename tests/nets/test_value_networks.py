"""Ng's value networks: their shape, their files, and what is wrong with some files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank.errors import DataError, SpecError
from outflank.models import load_network
from outflank.nets import Card, OnnxPolicy, legal_probabilities
from outflank.othello.boards import Boards
from outflank.players import make_player
from strategies import random_game

torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
pytest.importorskip("onnx", reason="needs onnx (the extra train)")

from outflank.nets.onnx_policy import VALUE  # noqa: E402
from outflank.nets.torch.export import export_onnx  # noqa: E402
from outflank.nets.torch.policy import save_module  # noqa: E402
from outflank.nets.torch.value import (  # noqa: E402
    ARCHITECTURE,
    TorchValue,
    ValueShape,
    build,
    load_value,
)

CARD = Card(ARCHITECTURE, "raw+corner+freemove", "small")
SMALL = ValueShape(5, conv_layers=1, maps=4, dense_layers=1, nodes=16)
BOARDS = Boards.from_positions(random_game(seed, 6 + seed % 50).position for seed in range(60))


def layer_of(module: Any, name: str) -> Any:
    """A layer by its name, whose type PyTorch does not know."""
    return getattr(module, name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small network in both forms."""
    torch.manual_seed(1)
    module = build(SMALL)
    save_module(tmp_path / "n.safetensors", module, CARD)
    export_onnx(tmp_path / "n.onnx", module, CARD, (VALUE,))
    return tmp_path


def test_network_13_is_the_papers_but_for_its_bug() -> None:
    module = build(ValueShape(5))
    counts = [sum(p.numel() for p in layer.parameters()) for layer in module]
    counts = [count for count in counts if count]
    # The paper's table, with the second convolution along the right axes (9248, not 2336), so
    # that 32 maps of the board, 2048 numbers, reach the first fully connected layer.
    dense = 512 * 512 + 512
    assert counts == [1472, 9248, 2048 * 512 + 512, dense, dense, dense, 32832, 65]


def test_both_forms_have_the_same_values(folder: Path) -> None:
    trained, played = load_value(folder / "n.safetensors"), load_network(folder / "n.onnx")
    one, other = (network.predict(BOARDS).values for network in (trained, played))
    assert one is not None
    assert other is not None
    np.testing.assert_allclose(one, other, atol=1e-5)
    assert np.ptp(one) > 0
    assert not trained.has_policy
    assert not played.has_policy
    assert isinstance(load_network(folder / "n.safetensors"), TorchValue)
    nothing = played.predict(BOARDS[:0])
    assert nothing.values is not None
    assert len(nothing.values) == 0


def test_values_are_cut_off(folder: Path) -> None:
    network = load_value(folder / "n.safetensors")
    with torch.no_grad():
        layer_of(network.module, "value").weight.mul_(1000)
    values = network.predict(BOARDS).values
    assert values is not None
    assert set(np.abs(values)) == {1.0}


def test_it_has_no_opinion_on_moves(folder: Path) -> None:
    network = load_network(folder / "n.onnx")
    shares = legal_probabilities(BOARDS[:1], network.predict(BOARDS[:1]))
    assert len(set(shares[shares > 0])) == 1
    for file in ("n.onnx", "n.safetensors"):
        with pytest.raises(SpecError, match="scores no moves; search over it with alphabeta:net="):
            make_player(f"policy:{folder / file}")


@pytest.mark.parametrize("file", ["n.onnx", "n.safetensors"])
def test_a_broken_file_is_named(folder: Path, file: str) -> None:
    whole = (folder / file).read_bytes()
    for length in (0, 100, len(whole) // 2, len(whole) - 1):
        (folder / file).write_bytes(whole[:length])
        with pytest.raises(DataError, match="not a whole"):
            make_player(f"alphabeta:net={folder / file}")


def test_other_planes_than_in_training_are_named(folder: Path) -> None:
    module = build(SMALL)
    other = Card(ARCHITECTURE, "raw+corner")
    save_module(folder / "n.safetensors", module, other)
    export_onnx(folder / "n.onnx", module, CARD, (VALUE,))
    with pytest.raises(DataError, match=r"was trained with 5 planes; raw\+corner has 4"):
        load_network(folder / "n.safetensors")
    export_with_card(folder / "n.onnx", Card(ARCHITECTURE, "raw+border+freemove+replies"))
    with pytest.raises(DataError, match=r"needed is planes \[n, 6, 8, 8\]"):
        OnnxPolicy(folder / "n.onnx")


def export_with_card(path: Path, card: Card) -> None:
    """Put another card into a file."""
    import dataclasses

    import onnx

    from outflank.nets.files import KEY, describe

    found = onnx.load(path)
    onnx.helper.set_model_props(found, {KEY: describe("network", dataclasses.asdict(card))})
    onnx.save(found, path)


def test_weights_that_are_no_numbers_are_named(folder: Path) -> None:
    module = build(SMALL)
    with torch.no_grad():
        layer_of(module, "dense0").weight[0, 0] = float("nan")
    save_module(folder / "n.safetensors", module, CARD)
    with pytest.raises(DataError, match=r"dense0\.weight has weights that are no numbers"):
        load_network(folder / "n.safetensors")
    with torch.no_grad():
        layer_of(module, "value").bias[0] = float("nan")
    export_onnx(folder / "n.onnx", module, CARD, (VALUE,))
    with pytest.raises(SpecError, match="its values are no numbers"):
        make_player(f"alphabeta:net={folder / 'n.onnx'}")
