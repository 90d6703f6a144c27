"""Sevens compiled: rules, sensors, players and games, bit for bit equal to the readable ones.

A game in progress is one int64 array (``rules.py``), so that a search can copy it. Sets of cards are masks: card k is
bit k. A suit is 13 adjacent bits in ascending rank; positions 0 … 12 in a suit are its ranks.
"""
