"""Primitives of Dots and Boxes: the boxes and chains of the position, which rules match by their symbols."""

from gpkit.core.offers import PrimitiveSets
from gpkit.core.primitives import PrimitiveSet

PRIMITIVES = PrimitiveSet(game="dots_and_boxes", sections=(), sensors=(), alphabets=())

OFFERS = PrimitiveSets({"rulegraph": PRIMITIVES})
