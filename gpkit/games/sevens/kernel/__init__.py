"""Sevens compiled: the rules, the sensors, the players and whole games, equal to the readable ones bit for bit.

A game in progress is one int64 array (``layout.py``), so that a search can copy it. Sets of cards are masks: card id k
is bit k, and a suit is 13 neighbouring bits in ascending rank; positions 0 … 12 within a suit stand for the ranks.
"""
