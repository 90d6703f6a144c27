"""Players meet games: loading players, matches, tournaments."""
