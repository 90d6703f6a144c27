"""Compiled code that evaluates many formulas over many rows."""
