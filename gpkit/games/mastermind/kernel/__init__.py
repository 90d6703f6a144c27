"""Mastermind, compiled, with codes as bits; ``rules`` and ``sensors`` say what it means."""
