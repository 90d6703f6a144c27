"""Comparisons: ratings, predictions and values of programs, with their intervals."""
