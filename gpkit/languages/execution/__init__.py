"""Execution trees: plans whose instructions take time, with tests, chances and loops between them."""
