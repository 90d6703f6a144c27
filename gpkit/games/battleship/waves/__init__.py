"""Harmonic waves over the squares of a board, and densities that they stand for."""
