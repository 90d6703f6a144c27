"""Mastermind, compiled: codes as bits; ``rules`` and ``breakers`` give the meaning."""
