"""Networks in files: what is loaded is what was saved, and bad files are named in one line."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from outflank.errors import DataError, FileError
from outflank.nets import Card, OnnxPolicy, build, load_weights, save_weights
from outflank.nets.files import Tensors, load_tensors, save_tensors
from outflank.othello.boards import Boards
from strategies import random_game

CARD = Card("conv2", "pieces", "small", {"seed": 1, "data": {"games": 3}}, {"accuracy": 0.5})
WEIGHTS: Tensors = {
    "weights": np.arange(6, dtype=np.float32).reshape(2, 3),
    "turned": np.arange(6, dtype=np.int64).reshape(2, 3).T,
    "count": np.array(7, np.int64),
}
BOARDS = Boards.from_positions([random_game(seed, seed % 50).position for seed in range(300)])


def test_weights_and_card_come_back(tmp_path: Path) -> None:
    save_weights(tmp_path / "n.safetensors", WEIGHTS, CARD)
    weights, card = load_weights(tmp_path / "n.safetensors")
    assert card == CARD
    assert weights.keys() == WEIGHTS.keys()
    for name, array in WEIGHTS.items():
        assert weights[name].dtype == array.dtype
        np.testing.assert_array_equal(weights[name], array)
    assert [path.name for path in tmp_path.iterdir()] == ["n.safetensors"]


def test_every_truncation_is_named(tmp_path: Path) -> None:
    path = tmp_path / "n.safetensors"
    save_weights(path, WEIGHTS, CARD)
    whole = path.read_bytes()
    for length in (0, 1, 7, 8, 9, 60, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(DataError, match=r"n\.safetensors: not a whole \.safetensors file") as e:
            load_weights(path)
        assert "\n" not in str(e.value)


def test_files_that_are_something_else(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "n.safetensors"
    with pytest.raises(FileError, match="no such file"):
        load_weights(path)
    path.write_bytes(pickle.dumps({"weights": 1}))
    with pytest.raises(DataError, match="not a whole"):
        load_weights(path)
    save_file({"a": np.zeros(1)}, path)
    with pytest.raises(DataError, match="not a file of Outflank"):
        load_weights(path)
    save_file({"a": np.zeros(1)}, path, {"outflank": "{"})
    with pytest.raises(DataError, match="not JSON"):
        load_weights(path)
    save_tensors(path, WEIGHTS, kind="training", facts={})
    with pytest.raises(DataError, match="holds 'training' where 'network' is needed"):
        load_weights(path)
    save_file({"a": np.zeros(1)}, path, {"outflank": '{"kind": "network", "version": 99}'})
    with pytest.raises(DataError, match="is of version 99; this reads 1"):
        load_weights(path)
    save_tensors(path, WEIGHTS, kind="network", facts={"architecture": "conv2"})
    with pytest.raises(DataError, match="its card has no encoding"):
        load_weights(path)


def test_facts_come_back(tmp_path: Path) -> None:
    save_tensors(tmp_path / "t", WEIGHTS, kind="training", facts={"step": 3, "of": [1, None]})
    assert load_tensors(tmp_path / "t", kind="training")[1] == {"step": 3, "of": [1, None]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small network as .onnx."""
    pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    pytest.importorskip("onnx", reason="needs onnx (the extra train)")
    from outflank.nets.torch.export import export_onnx

    path = tmp_path_factory.mktemp("model") / "small.onnx"
    export_onnx(path, build("conv2"), CARD)
    return path


# All kinds of layers and shortcuts; the deeper networks have no others.
@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("conv2", "vmoves"),
        ("conv8-dropout", "pieces"),
        ("conv8-bn", "ones"),
        ("resnet-32", "pieces"),
        ("resnet-32-np-p", "pieces"),
        ("densenet-40", "pieces"),
        ("widenet-40-4", "pieces"),
    ],
)
def test_onnx_gives_what_torch_gives(name: str, encoding: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    pytest.importorskip("onnx", reason="needs onnx (the extra train)")
    from outflank.nets.torch.export import export_onnx
    from outflank.nets.torch.policy import TorchPolicy

    torch.manual_seed(1)
    card = Card(name, encoding)
    module = build(name, planes=2 if encoding == "pieces" else 3)
    with torch.no_grad():  # so that the statistics of normalisations are not those of the start
        module(torch.rand(16, 2 if encoding == "pieces" else 3, 8, 8))
    export_onnx(tmp_path / "network.onnx", module, card)
    boards = BOARDS[:20]
    played = OnnxPolicy(tmp_path / "network.onnx", threads=1).predict(boards).logits
    trained = TorchPolicy(module, card).predict(boards).logits
    assert np.isneginf(played[:, [27, 28, 35, 36]]).all()
    scale = np.abs(trained[np.isfinite(trained)]).max()
    np.testing.assert_allclose(played / scale, trained / scale, atol=1e-5)


def test_onnx_of_a_team_of_gpus(tmp_path: Path) -> None:
    """Their normalisations are synchronised ones, with the same statistics."""
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    pytest.importorskip("onnx", reason="needs onnx (the extra train)")
    from outflank.nets.torch.export import export_onnx

    module, card = build("conv4-bn"), Card("conv4-bn", "pieces")
    with torch.no_grad():
        module(torch.rand(16, 2, 8, 8))
    export_onnx(tmp_path / "one.onnx", module, card)
    together = torch.nn.SyncBatchNorm.convert_sync_batchnorm(module)
    export_onnx(tmp_path / "team.onnx", together, card)
    assert (tmp_path / "one.onnx").read_bytes() == (tmp_path / "team.onnx").read_bytes()


def test_a_model_plays_without_torch_in_batches(model: Path) -> None:
    policy = OnnxPolicy(model)
    assert (policy.name, policy.card) == ("small", CARD)
    assert len(policy.fingerprint) == 16
    whole = policy.predict(BOARDS)
    assert whole.logits.shape == (300, 64)  # more than one batch
    assert whole.values is None
    np.testing.assert_allclose(whole.logits[256:], policy.predict(BOARDS[256:]).logits, atol=1e-5)
    assert policy.predict(BOARDS[:0]).logits.shape == (0, 64)


def test_models_that_are_not_whole_are_named(model: Path, tmp_path: Path) -> None:
    whole = model.read_bytes()
    for length in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.onnx").write_bytes(whole[:length])
        with pytest.raises(DataError, match=r"cut\.onnx: ") as e:
            OnnxPolicy(tmp_path / "cut.onnx")
        assert "\n" not in str(e.value)
    with pytest.raises(FileError):
        OnnxPolicy(tmp_path / "missing.onnx")


def test_models_of_others_are_named(model: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    other = tmp_path / "other.onnx"
    found = onnx.load(model)
    facts = json.loads(found.metadata_props[0].value)
    onnx.helper.set_model_props(found, {"outflank": json.dumps({**facts, "encoding": "colours"})})
    onnx.save(found, other)
    with pytest.raises(DataError, match="no such encoding: 'colours'; encodings are pieces"):
        OnnxPolicy(other)
    onnx.helper.set_model_props(found, {"outflank": json.dumps({**facts, "encoding": "ones"})})
    onnx.save(found, other)
    with pytest.raises(DataError, match=r"needed is planes \[n, 3, 8, 8\]"):
        OnnxPolicy(other)
    del found.metadata_props[:]
    onnx.save(found, other)
    with pytest.raises(DataError, match="not a file of Outflank"):
        OnnxPolicy(other)


def test_modules_come_back_and_others_do_not_fit(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    from outflank.nets.torch.policy import TorchPolicy, load_module, save_module, weights_of

    path = tmp_path / "n.safetensors"
    module = build("conv2")
    save_module(path, module, CARD)
    loaded, card = load_module(path)
    assert card == CARD
    before, after = TorchPolicy(module, CARD).predict(BOARDS), TorchPolicy(loaded, card)
    np.testing.assert_array_equal(before.logits, after.predict(BOARDS).logits)
    save_weights(path, weights_of(module), Card("conv4", "pieces"))
    with pytest.raises(DataError, match="its weights are of another network"):
        load_module(path)
    save_weights(path, weights_of(module), Card("conv2", "ones"))
    with pytest.raises(DataError, match=r"0\.weight has the shape \(32, 2, 3, 3\), not"):
        load_module(path)
    save_weights(path, weights_of(module), Card("conv9", "pieces"))
    with pytest.raises(DataError, match=r"n\.safetensors: no such network: 'conv9'"):
        load_module(path)
