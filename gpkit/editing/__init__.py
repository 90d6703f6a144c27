"""Programs while they are written, for every editor: findings, completions, meanings, definitions, as plain values."""
