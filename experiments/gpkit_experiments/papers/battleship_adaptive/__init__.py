"""The adaptive Battleship player of J. Bridon and others, measured again."""
