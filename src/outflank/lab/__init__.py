"""The lab: the web page where people play, review, watch, learn and compare."""

from outflank.lab.settings import LabSettings

__all__ = ["LabSettings"]
