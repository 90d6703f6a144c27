"""Dots and Boxes: players take turns to draw edges. A player who closes a box owns it and draws again."""
