"""Optimal play on small boards: the fewest shots that a shooter can expect, by dynamic programming over beliefs."""
