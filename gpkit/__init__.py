"""gpkit: game-playing programs that people can read."""

__version__ = "0.1.0"
