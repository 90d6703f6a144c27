"""Weights: a number for each sensor of a section; a candidate is worth the weighted sum."""
