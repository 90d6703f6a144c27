"""Mastermind in readable form: what programs decide, and games step by step."""
