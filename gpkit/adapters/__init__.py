"""Adapters between gpkit's games and those of OpenSpiel and PettingZoo."""
