"""Dots and Boxes: edges are drawn in turns, and whoever closes a box owns it and draws again."""
