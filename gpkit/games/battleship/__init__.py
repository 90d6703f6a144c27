"""Battleship: players shoot at each other's hidden fleets, and the first to sink all ships wins."""
