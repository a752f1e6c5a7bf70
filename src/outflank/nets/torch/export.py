"""PyTorch modules as .onnx files, which players run without PyTorch.

PyTorch has an exporter of its own for any program. It takes half a minute for the deepest of our
networks, and they are made of a dozen operations; here each of them is written as what it is.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, fx, nn
from torch.nn import functional

from outflank.data.encodings import CLASSES, find_encoding
from outflank.errors import DataError
from outflank.files import write_bytes
from outflank.nets.files import KEY, describe
from outflank.nets.network import Card
from outflank.nets.onnx_policy import INPUT, LOGITS, VALUE

_OPSET, _IR_VERSION = 17, 8  # of 2022: any ONNX Runtime since then reads them
_ANY = "boards"  # the name of the dimension that may have any size
_WIDTHS = {LOGITS: CLASSES, VALUE: 1}


def export_onnx(
    path: Path | str, module: nn.Module, card: Card, outputs: Sequence[str] = (LOGITS,)
) -> None:
    """Write a module as .onnx, with its card in the metadata, for any number of boards at once.

    Args:
        path: The file to write.
        module: It must be made of the operations that are listed below.
        card: Of the network.
        outputs: What it gives: LOGITS, VALUE, or both in the order of its results.
    """
    from onnx import TensorProto, helper

    writer = _Writer()
    results = _write_graph(writer, fx.symbolic_trace(module))
    for result, name in zip(results, outputs, strict=True):
        writer.add("Identity", [result], name)
    planes = len(find_encoding(card.encoding).planes)
    graph = helper.make_graph(
        writer.nodes,
        card.architecture,
        [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, [_ANY, planes, 8, 8])],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [_ANY, _WIDTHS[name]])
            for name in outputs
        ],
        writer.constants,
    )
    opset = [helper.make_opsetid("", _OPSET)]
    model = helper.make_model(
        graph, opset_imports=opset, ir_version=_IR_VERSION, producer_name="outflank"
    )
    helper.set_model_props(model, {KEY: describe("network", dataclasses.asdict(card))})
    write_bytes(path, model.SerializeToString())


def weights_in_onnx(path: Path | str, module: nn.Module) -> dict[str, NDArray[Any]]:
    """Return the weights of a file that export_onnx wrote, by their names in a module like its own.

    Only of modules without normalisations, whose constants are their weights in order.
    """
    import onnx
    from onnx import numpy_helper

    constants = [numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer]
    names = list(module.state_dict())
    if len(names) != len(constants):
        raise DataError(f"{path}: its weights are of another network")
    return dict(zip(names, constants, strict=True))


class _Writer:
    """Gathers the nodes and constants of a graph."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(
        self, operation: str, inputs: list[str], output: str | None = None, **attributes: Any
    ) -> str:
        """Add an operation and return the name of what it gives."""
        from onnx import helper

        output = output or f"value{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [output], **attributes))
        return output

    def constant(self, value: Tensor | NDArray[Any] | list[int]) -> str:
        """Add a constant and return its name."""
        from onnx import numpy_helper

        if isinstance(value, Tensor):
            array = value.detach().cpu().contiguous().numpy()
        else:
            array = np.asarray(value)
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        return name


def _write_graph(writer: _Writer, traced: fx.GraphModule) -> tuple[str, ...]:
    """Write the operations of a module in their order; return the names of its results."""
    names: dict[fx.Node, str] = {}

    def name_of(argument: Any) -> Any:
        return fx.node.map_arg(argument, lambda node: names[node])

    for node in traced.graph.nodes:
        if node.op == "placeholder":
            names[node] = INPUT
        elif node.op == "output":
            result = name_of(node.args[0])
            return result if isinstance(result, tuple) else (result,)
        elif node.op == "call_module":
            layer = traced.get_submodule(node.target)
            names[node] = _find(_LAYERS, type(layer))(writer, layer, name_of(node.args[0]))
        else:
            names[node] = _find(_FUNCTIONS, node.target)(writer, *name_of(node.args))
    raise ValueError("the network has no output")


def _find(table: dict[Any, Callable[..., str]], key: Any) -> Callable[..., str]:
    if key not in table:
        raise ValueError(
            f"{key} has no form in ONNX here; nets/torch/export.py lists those that do"
        )
    return table[key]


_Normalisation = nn.BatchNorm1d | nn.BatchNorm2d | nn.SyncBatchNorm


def _convolution(writer: _Writer, layer: nn.Conv2d, maps: str) -> str:
    if isinstance(layer.padding, str):
        raise ValueError(f"a convolution whose padding is {layer.padding!r} has no form here")
    inputs = [maps, *_weights(writer, layer)]
    return writer.add("Conv", inputs, strides=layer.stride, pads=[*layer.padding, *layer.padding])


def _normalisation(writer: _Writer, layer: _Normalisation, maps: str) -> str:
    state = layer.state_dict()
    parts = [state[name] for name in ("weight", "bias", "running_mean", "running_var")]
    inputs = [maps, *map(writer.constant, parts)]
    return writer.add("BatchNormalization", inputs, epsilon=layer.eps)


def _linear(writer: _Writer, layer: nn.Linear, units: str) -> str:
    inputs = [units, *_weights(writer, layer)]
    return writer.add("Gemm", inputs, transB=1)


def _weights(writer: _Writer, layer: nn.Conv2d | nn.Linear) -> list[str]:
    """Write a layer's weights, and its biases if it has any."""
    return [writer.constant(one) for one in (layer.weight, layer.bias) if one is not None]


def _slice(writer: _Writer, maps: str, slices: tuple[slice, ...]) -> str:
    starts, steps = [part.start or 0 for part in slices], [part.step or 1 for part in slices]
    whole, axes = np.iinfo(np.int64).max, list(range(len(steps)))
    ends = [whole if part.stop is None else part.stop for part in slices]
    inputs = [maps, *(writer.constant(part) for part in (starts, ends, axes, steps))]
    return writer.add("Slice", inputs)


def _pad(writer: _Writer, maps: str, amounts: tuple[int, ...]) -> str:
    """Pad with zeros; PyTorch names (before, after) from the last dimension on, ONNX the rest."""
    before, after = [0, *amounts[-2::-2]], [0, *amounts[::-2]]
    return writer.add("Pad", [maps, writer.constant([*before, *after])])


# By the type of layer: writer, layer, name of its input -> name of its output.
_LAYERS: dict[type[nn.Module], Callable[..., str]] = {
    nn.Conv2d: _convolution,
    nn.BatchNorm1d: _normalisation,
    nn.BatchNorm2d: _normalisation,
    nn.SyncBatchNorm: _normalisation,  # what a team of GPUs has in its place
    nn.Linear: _linear,
    nn.ReLU: lambda writer, _, maps: writer.add("Relu", [maps]),
    nn.Flatten: lambda writer, _, maps: writer.add("Flatten", [maps], axis=1),
    nn.AdaptiveAvgPool2d: lambda writer, _, maps: writer.add("GlobalAveragePool", [maps]),
    nn.Dropout: lambda writer, _, units: units,  # drops nothing when it plays
    nn.Identity: lambda writer, _, maps: maps,
}

# By the function: writer, its arguments with names for tensors -> name of its result.
_FUNCTIONS: dict[Any, Callable[..., str]] = {
    torch.relu: lambda writer, maps: writer.add("Relu", [maps]),
    torch.tanh: lambda writer, maps: writer.add("Tanh", [maps]),
    torch.cat: lambda writer, maps, axis: writer.add("Concat", maps, axis=axis),
    operator.add: lambda writer, one, other: writer.add("Add", [one, other]),
    operator.sub: lambda writer, one, other: writer.add("Sub", [one, other]),
    operator.getitem: _slice,
    functional.pad: _pad,
}
