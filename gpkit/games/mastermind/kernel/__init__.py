"""Compiled Mastermind, with codes as bits; ``rules`` and ``sensors`` define its behaviour in readable Python."""
