"""Belief about a hidden fleet: the posterior of a shooter, and a player that shoots by it."""
