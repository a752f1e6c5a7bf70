"""The network of patterns as PyTorch trains it, and as whole numbers for the core."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from outflank import _core
from outflank.errors import DataError
from outflank.nets.files import Tensors
from outflank.nets.torch.policy import to_array

STAGES, STAGE_EMPTIES = 16, 4
OUTPUTS = 3  # the result before the hyperbolic tangent; the final and the perfect score

_SCALE, _INNER_SCALE, _OUTER_SCALE = 64, 1024, 256  # as the core has them
_MOST = 8.0  # activations are cut off here
_LARGEST = 127 / _SCALE  # weight of a row that eight bits hold
_FIRST_SUM = 0.5  # so that all channels are alive at first


class PatternModule(nn.Module):
    """Vectors of rows are added up; two layers, of each stage its own, follow.

    Args:
        channels: Length of the vectors.
        hidden: Units of the inner layer.
    """

    def __init__(self, channels: int, hidden: int) -> None:
        super().__init__()
        self.rows = nn.EmbeddingBag(_core.PatternNetwork.rows, channels, mode="sum")
        self.empties = nn.Embedding(61, channels)
        inner = torch.randn(channels, hidden) / math.sqrt(channels)
        outer = torch.randn(hidden, OUTPUTS) / (2 * math.sqrt(hidden))
        self.inner = nn.Parameter(inner.repeat(STAGES, 1, 1))
        self.inner_bias = nn.Parameter(torch.zeros(STAGES, hidden))
        self.outer = nn.Parameter(outer.repeat(STAGES, 1, 1))
        self.outer_bias = nn.Parameter(torch.zeros(STAGES, OUTPUTS))
        nn.init.normal_(self.rows.weight, 0, 0.02)
        nn.init.constant_(self.empties.weight, _FIRST_SUM)

    def forward(self, rows: Tensor, empties: Tensor, kept: Tensor | None = None) -> Tensor:
        """Return the outputs, float32[n, OUTPUTS].

        Args:
            rows: int64[n, patterns], as the core's pattern_rows gives them.
            empties: int64[n], empty squares.
            kept: float32[n, patterns], how much each pattern counts; None: 1 each.
        """
        sums = self.rows(rows, per_sample_weights=kept) + self.empties(empties)
        sums = sums.clamp(0, _MOST)
        stage = (empties // STAGE_EMPTIES).clamp(max=STAGES - 1)
        out = torch.zeros(len(rows), OUTPUTS)
        for number in range(STAGES):
            of_stage = torch.nonzero(stage == number).view(-1)
            if len(of_stage):
                units = sums[of_stage] @ self.inner[number] + self.inner_bias[number]
                found = units.clamp(0, _MOST) @ self.outer[number] + self.outer_bias[number]
                out = out.index_copy(0, of_stage, found)
        return out

    def limit_rows(self) -> None:
        """Keep the weights of rows within what eight bits hold."""
        with torch.no_grad():
            self.rows.weight.clamp_(-_LARGEST, _LARGEST)

    def take_whole_numbers(self, weights: Tensors) -> None:
        """Begin with the weights of a network for playing; what was rounded away is lost.

        The scores' outputs, which such a network does not have, stay as they are.
        """
        channels, hidden = self.inner.shape[1:]
        if weights["rows"].shape[1] != channels or weights["outer"].shape[1] != hidden:
            raise DataError(
                f"the network has {weights['rows'].shape[1]} channels and "
                f"{weights['outer'].shape[1]} hidden units, not {channels} and {hidden}"
            )
        inner = weights["inner"].reshape(STAGES, hidden, channels).transpose(0, 2, 1)
        with torch.no_grad():
            for parameter, array, scale in (
                (self.rows.weight, weights["rows"], _SCALE),
                (self.empties.weight, weights["empties"], _SCALE),
                (self.inner, inner, _INNER_SCALE),
                (self.inner_bias, weights["inner_bias"], _SCALE * _INNER_SCALE),
                (self.outer[:, :, 0], weights["outer"], _OUTER_SCALE),
                (self.outer_bias[:, 0], weights["outer_bias"], _SCALE * _OUTER_SCALE),
            ):
                parameter.copy_(torch.from_numpy(array.astype(np.float32) / scale))

    def whole_numbers(self, scales: NDArray[np.float64] | None = None) -> Tensors:
        """Return the weights as the core takes them.

        Args:
            scales: float64[STAGES], by which each stage's output is multiplied; None: by 1.
        """
        by_stage = np.ones(STAGES) if scales is None else scales
        inner = to_array(self.inner).transpose(0, 2, 1)  # by stage and unit
        outer = to_array(self.outer)[:, :, 0] * by_stage[:, None]
        bias = to_array(self.outer_bias)[:, 0] * by_stage
        weights = {
            "rows": _rounded(to_array(self.rows.weight), _SCALE, np.int8),
            "empties": _rounded(to_array(self.empties.weight), _SCALE, np.int16),
            "inner": _rounded(inner.reshape(-1, inner.shape[2]), _INNER_SCALE, np.int16),
            "inner_bias": _rounded(to_array(self.inner_bias), _SCALE * _INNER_SCALE, np.int32),
            "outer": _rounded(outer, _OUTER_SCALE, np.int16),
            "outer_bias": _rounded(bias, _SCALE * _OUTER_SCALE, np.int32),
        }
        return {name: np.ascontiguousarray(array) for name, array in weights.items()}


def _rounded(weights: np.ndarray, scale: int, kind: type[np.signedinteger]) -> np.ndarray:
    limits = np.iinfo(kind)
    return np.clip(np.rint(weights.astype(np.float64) * scale), limits.min, limits.max).astype(kind)
