"""Forms of the language."""
