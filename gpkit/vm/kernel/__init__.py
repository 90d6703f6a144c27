"""Compiled parts of the machine."""
