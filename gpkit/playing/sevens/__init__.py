"""Sevens played by formulas: the decisions of programs in readable form, and traces of whole games."""
