"""Battleship: two players place fleets and shoot at them, and the first player to sink all ships wins."""
