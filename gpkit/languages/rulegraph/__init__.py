"""The language of rule graphs (``.rules``): a rule has a pattern of positions, and the side to draw there."""
