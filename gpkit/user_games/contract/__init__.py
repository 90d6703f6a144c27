"""The contract of games: the requirements for their states, sensors and views, tested in random games."""
