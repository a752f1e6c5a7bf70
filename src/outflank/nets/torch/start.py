"""How weights start: He's method, as in paper 1."""

from __future__ import annotations

from torch import nn


def start_weights(network: nn.Module) -> None:
    """Draw all weights anew: normal with variance 2 / inputs (He et al. 2015), biases zero."""
    for layer in network.modules():
        if isinstance(layer, (nn.Conv2d, nn.Linear)):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
