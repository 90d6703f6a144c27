"""Forms of the game, one module each, found by their names."""
