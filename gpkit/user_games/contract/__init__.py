"""The contract of games: the requirements on their states, sensors and views, tested in random games."""
