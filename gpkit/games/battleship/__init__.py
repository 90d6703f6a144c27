"""Battleship: fleets and shots; the first player to find all ships wins."""
