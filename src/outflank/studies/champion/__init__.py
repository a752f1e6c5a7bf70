"""Studies of our own: all players on one ladder, and what more data bring the champion."""
