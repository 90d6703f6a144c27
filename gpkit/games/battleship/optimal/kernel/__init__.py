"""Compiled search for optimal play."""
