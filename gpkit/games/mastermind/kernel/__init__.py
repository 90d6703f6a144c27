"""Mastermind, compiled: codes as bits; ``rules``, ``parts`` and ``sensors`` give the meaning."""
