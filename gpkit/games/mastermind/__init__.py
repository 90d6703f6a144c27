"""Mastermind, in which a player tries to find a hidden code with as few guesses as possible."""
