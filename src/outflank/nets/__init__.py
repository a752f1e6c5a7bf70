"""Networks that score moves: what they are, their architectures, their files.

Playing needs no PyTorch; building and training do (the extra `train`).
"""

from outflank.nets.architectures import Architecture, architectures, build, need_torch
from outflank.nets.files import load_weights, save_weights
from outflank.nets.line import LinePolicy
from outflank.nets.network import (
    Averaged,
    Card,
    PolicyNetwork,
    Prediction,
    Symmetrised,
    legal_probabilities,
    symmetrised,
)
from outflank.nets.onnx_policy import OnnxPolicy

__all__ = [
    "Architecture",
    "Averaged",
    "Card",
    "LinePolicy",
    "OnnxPolicy",
    "PolicyNetwork",
    "Prediction",
    "Symmetrised",
    "architectures",
    "build",
    "legal_probabilities",
    "load_weights",
    "need_torch",
    "save_weights",
    "symmetrised",
]
