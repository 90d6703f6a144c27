"""Adapters between gpkit and two other libraries, OpenSpiel and PettingZoo."""
