"""Battleship: fleets, shots and who finds the ships first."""
