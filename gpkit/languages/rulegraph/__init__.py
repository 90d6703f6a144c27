"""The language of rule graphs (``.rules``); a rule consists of a pattern, and the side to draw where it matches."""
