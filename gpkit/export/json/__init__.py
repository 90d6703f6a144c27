"""JSON, for other tools; it reads back to the same program."""
