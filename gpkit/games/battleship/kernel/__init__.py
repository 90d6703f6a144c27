"""Compiled Battleship, for many games in one call; ``rules``, ``aiming`` and ``primitives`` define its behaviour."""
