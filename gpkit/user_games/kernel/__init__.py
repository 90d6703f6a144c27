"""Compiled parts of games of one's own."""
