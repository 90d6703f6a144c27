"""Sevens (Sjuan, Ristiseiska), a card game in which the first player to get rid of all cards wins.

``rules`` contains the readable rules, and ``kernel`` contains the compiled rules. ``primitives`` lists the sensors that
a program can read, and ``sensors`` computes them. ``forms.view`` displays the game, and ``game`` declares it.
"""
