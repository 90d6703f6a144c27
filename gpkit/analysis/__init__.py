"""Comparisons of programs: their ratings, predictions and values, with intervals."""
