"""The lab: the web app in which people play, review, watch, learn and compare."""

from outflank.lab.settings import LabSettings

__all__ = ["LabSettings"]
