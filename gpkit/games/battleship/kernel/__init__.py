"""Compiled Battleship, with many games in one call; ``rules``, ``aiming`` and ``primitives`` define the meaning."""
