"""The compiled rules, sensors, players and games of Sevens, which give exactly the same results as the readable ones.

A game in progress is one int64 array (``rules.py``), so a search can copy it. Sets of cards are bit masks, with bit k
for card k. A suit occupies 13 adjacent bits in ascending order of rank; positions 0 … 12 within a suit are its ranks.
"""
