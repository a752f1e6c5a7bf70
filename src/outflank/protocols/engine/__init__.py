"""Any player as an engine for other programs."""

from outflank.protocols.engine.gtp import GtpEngine
from outflank.protocols.engine.nboard import NBoardEngine

__all__ = ["GtpEngine", "NBoardEngine"]
