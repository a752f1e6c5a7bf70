"""Boards drawn as plain text, in a colour terminal and as SVG."""
