"""What Dots and Boxes offers to programs: the boxes and chains of the position, which rules match by their symbols."""

from gpkit.core.primitives import PrimitiveSet

PRIMITIVES = PrimitiveSet(game="dots_and_boxes", sections=(), sensors=(), alphabets=(), language="rulegraph")
