"""Sevens (Sjuan, Ristiseiska): a game of stops that each player wants to leave first.

``options`` and ``rules`` say what the game is, ``sensors`` what a program sees of it, ``decisions`` how a program's
numbers become a choice, ``board`` and ``picture`` show it.
"""
