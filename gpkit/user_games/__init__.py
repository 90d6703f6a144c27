"""Games of one's own: a game from an immutable state, functions that are its sensors, and options."""
