"""Compiled kernels over sets of placements and lists of fleets."""
