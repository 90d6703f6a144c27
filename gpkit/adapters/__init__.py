"""Adapters between gpkit and the libraries OpenSpiel and PettingZoo."""
