"""Mastermind: a hidden code is to be found with as few guesses as possible."""
