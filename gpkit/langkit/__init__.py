"""The shared parts of all languages: reading, recovery from errors, findings and node tables."""
