"""J. Bridon and others on Battleship: the sinking language and its evolution."""
