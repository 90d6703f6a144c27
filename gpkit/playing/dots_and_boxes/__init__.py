"""Dots and Boxes as traces show it."""
