"""Forms of the game, found by their names: for traces, conversations, exports and held-out trials."""
