"""Agents meet games: loading agents, matches, tournaments."""
