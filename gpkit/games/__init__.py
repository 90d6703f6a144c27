"""The games, a folder each: readable rules, the same rules compiled, sensors, opponents, board."""
