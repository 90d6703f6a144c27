"""Forms of the language, one module each, found by their names."""
