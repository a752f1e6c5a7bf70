"""Shipped weights, and how a network is found by its name or its file.

Each shipped network or evaluation NAME has its weights beside this file, NAME.safetensors or
NAME.onnx, and a card NAME.md that says how they were made and how strong they are.
"""

from outflank.models.finding import (
    Model,
    find_network_file,
    find_network_files,
    load_network,
    load_networks,
    shipped_models,
    shipped_networks,
)

__all__ = [
    "Model",
    "find_network_file",
    "find_network_files",
    "load_network",
    "load_networks",
    "shipped_models",
    "shipped_networks",
]
