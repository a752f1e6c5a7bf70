"""The rules of Othello as values: squares, positions, games."""

from outflank.othello.colors import BLACK, WHITE, Color
from outflank.othello.game import Game, Note
from outflank.othello.moves import PASS, SQUARES, Move
from outflank.othello.position import Position

__all__ = ["BLACK", "PASS", "SQUARES", "WHITE", "Color", "Game", "Move", "Note", "Position"]
