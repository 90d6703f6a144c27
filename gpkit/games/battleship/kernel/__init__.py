"""Battleship, compiled: whole games in one call; ``rules``, ``fleets``, ``aiming``, ``gunnery`` give the meaning."""
