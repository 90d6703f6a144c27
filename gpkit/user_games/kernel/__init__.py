"""Compiled parts of the user's own games."""
