"""Beliefs about a hidden fleet: a shooter's posterior, and a player that uses it to choose its shots."""
