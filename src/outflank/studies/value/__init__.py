"""Ng (2017): value networks under alpha-beta."""
