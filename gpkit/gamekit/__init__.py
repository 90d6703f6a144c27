"""The seam of games: what a game, a state, a player and a view are to everything above. It knows no game by name."""
