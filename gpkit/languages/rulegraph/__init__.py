"""The language of rule graphs (``.rules``): what a position must hold, and the side to draw then."""
