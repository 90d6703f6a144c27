"""Sevens (Sjuan, Ristiseiska): a game of stops that each player wants to leave first.

``options`` and ``rules`` say what the game is, ``kernel`` the same compiled; ``primitives`` is what a program can read,
``sensors`` what it reads there; ``board`` and ``picture`` show the game;
``game`` is where everything above takes hold.
"""
