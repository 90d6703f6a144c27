"""Coins: two players take 1 to 3 coins in turns, and whoever takes the last one wins."""
