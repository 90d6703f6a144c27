"""Battleship compiled: games in one call; ``rules``, ``aiming`` and ``primitives`` define their meaning."""
