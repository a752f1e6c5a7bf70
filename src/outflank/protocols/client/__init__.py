"""Asking other programs' engines for moves."""

from outflank.protocols.client.client import Answer, EngineClient
from outflank.protocols.client.edax import EdaxClient, find_edax
from outflank.protocols.client.gtp import GtpClient
from outflank.protocols.client.nboard import NBoardClient
from outflank.protocols.client.pool import EnginePool
from outflank.protocols.client.process import EngineProcess

__all__ = [
    "Answer",
    "EdaxClient",
    "EngineClient",
    "EnginePool",
    "EngineProcess",
    "GtpClient",
    "NBoardClient",
    "find_edax",
]
