"""The compiled loops that are timed."""
