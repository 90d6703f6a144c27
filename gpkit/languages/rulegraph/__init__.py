"""The language of rule graphs (``.rules``): a rule consists of a pattern for positions, and the side to draw there."""
