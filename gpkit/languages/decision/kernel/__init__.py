"""Compiled code that runs decision trees over rows; the interpreter defines the semantics."""
