"""Primitives of Dots and Boxes: the symbols by which rules match the boxes and chains of a position."""

from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import PrimitiveSets

PRIMITIVES = PrimitiveSet(game="dots_and_boxes", sections=(), sensors=(), alphabets=())

OFFERS = PrimitiveSets({"rulegraph": PRIMITIVES})
