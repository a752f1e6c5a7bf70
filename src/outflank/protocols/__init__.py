"""The languages of Othello engines: as an engine for others, and to call others' engines."""

from outflank.protocols.client import (
    Answer,
    EdaxClient,
    EngineClient,
    EnginePool,
    EngineProcess,
    GtpClient,
    NBoardClient,
)
from outflank.protocols.engine import GtpEngine, NBoardEngine

__all__ = [
    "Answer",
    "EdaxClient",
    "EngineClient",
    "EnginePool",
    "EngineProcess",
    "GtpClient",
    "GtpEngine",
    "NBoardClient",
    "NBoardEngine",
]
