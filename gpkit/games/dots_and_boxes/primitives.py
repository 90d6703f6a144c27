"""Primitives of Dots and Boxes: the boxes and chains of the position, which rules match by their symbols."""

from types import MappingProxyType

from gpkit.core.primitives import Offers, PrimitiveSet

PRIMITIVES = PrimitiveSet(game="dots_and_boxes", sections=(), sensors=(), alphabets=())

OFFERS: Offers = MappingProxyType({"rulegraph": PRIMITIVES})
