"""Sevens (Sjuan, Ristiseiska): a card game that the first player without cards wins.

``rules`` has the readable rules, and ``kernel`` has them compiled. ``primitives`` lists what a program can read, and
``sensors`` computes it. ``forms.view`` shows the game, and ``game`` declares it.
"""
