"""Formulas compiled: the walk that evaluates many of them over many rows."""
