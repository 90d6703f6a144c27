"""The contract of games: what their states, sensors and faces owe everything above, tried on games at random."""
