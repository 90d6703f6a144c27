"""Mastermind, compiled: codes as bits; ``rules``, ``parts``, ``sensors`` and ``collecting`` give the meaning."""
