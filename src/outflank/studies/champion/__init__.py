"""Studies of our own: all players on one ladder, and what the champion learns from more data."""
