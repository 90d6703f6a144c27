"""Compiled Mastermind, with codes as bits; ``rules`` and ``sensors`` define its meaning in readable Python."""
