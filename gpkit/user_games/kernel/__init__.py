"""Compiled parts of users' games."""
