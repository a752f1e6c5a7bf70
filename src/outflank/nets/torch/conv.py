"""Conv4, Conv6 and Conv8 of paper 1 (Table I), with dropout or batch normalisation (Table V)."""

from __future__ import annotations

from collections.abc import Sequence

from torch import nn

from outflank.nets.torch.start import start_weights

_HIDDEN_UNITS = 128


def build(
    *,
    planes: int,
    classes: int,
    maps: Sequence[int],
    normalised: bool = False,
    dropout: float = 0.0,
) -> nn.Module:
    """Stack 3x3 convolutions, then two fully connected layers.

    All maps are 8x8: the board is padded with zeros and nothing is pooled.

    Args:
        planes: Of the input.
        classes: Of the output.
        maps: Feature maps of each convolution.
        normalised: Whether batch normalisation follows every hidden layer and replaces its biases.
            Without it on the hidden fully connected units, such a network learns more slowly than
            one without any (docs/imitation.md).
        dropout: Share of the hidden fully connected units dropped, as introduced by Krizhevsky et
            al.; the paper says how much (half), not where.
    """
    layers: list[nn.Module] = []
    inputs = planes
    for outputs in maps:
        layers.append(nn.Conv2d(inputs, outputs, 3, padding=1, bias=not normalised))
        if normalised:
            layers.append(nn.BatchNorm2d(outputs))
        layers.append(nn.ReLU(inplace=True))
        inputs = outputs
    layers += [nn.Flatten(), nn.Linear(64 * inputs, _HIDDEN_UNITS, bias=not normalised)]
    if normalised:
        layers.append(nn.BatchNorm1d(_HIDDEN_UNITS))
    layers.append(nn.ReLU(inplace=True))
    if dropout:
        layers.append(nn.Dropout(dropout))
    layers.append(nn.Linear(_HIDDEN_UNITS, classes))
    network = nn.Sequential(*layers)
    start_weights(network)
    return network
