"""Belief about a hidden fleet: the posterior of a shooter, and the player that shoots by it."""
