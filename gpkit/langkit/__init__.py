"""The parts that all languages share: reading, recovery from errors, findings and node tables."""
