"""Battleship, compiled: whole games in one call. What it means stands in ``rules``, ``fleets``, ``aiming`` and ``gunnery``."""
