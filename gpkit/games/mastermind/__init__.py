"""Mastermind: a player finds a hidden code with as few guesses as possible."""
