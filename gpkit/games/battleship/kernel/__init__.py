"""Battleship, compiled: whole games in one call; ``rules``, ``fleets``, ``aiming`` and ``gunnery`` say what it means."""
