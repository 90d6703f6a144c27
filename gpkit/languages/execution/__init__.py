"""Execution trees: plans of instructions that take time, with tests, chances and loops."""
