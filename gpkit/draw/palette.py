"""Colours: those of Okabe and Ito (2008), which every kind of colour vision tells apart, and light tints of them.

Every distinction that a colour makes is made by a shape, a dash or a weight as well, so that pictures survive print.
"""

INK = "#24292F"
"""Text and strong lines on white."""
LINE = "#6B737B"
"""Ordinary edges."""
FAINT = "#7A828A"
"""Text of what does not matter: still legible on white."""
PALE = "#C3C9CF"
"""Lines of what does not matter."""
PAPER = "#FFFFFF"
MIST = "#F3F4F6"

BLUE = "#0072B2"
GREEN = "#00795A"
"""The bluish green, darkened so that small text of it is legible on white."""
ORANGE = "#E69F00"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"

TINTS = {BLUE: "#DCEBF7", GREEN: "#D9F0E8", ORANGE: "#FDF0D2", VERMILLION: "#FBE3D6", PURPLE: "#F7E6F0"}
"""The light tint of each colour."""


def tinted(colour: str) -> dict[str, str]:
    """The DOT attributes of a node in a colour: its tint, or else paper, within a line of the colour."""
    return {"fillcolor": TINTS.get(colour, PAPER), "color": colour}


def blend(low: str, high: str, share: float) -> str:
    """The colour that lies so far, from 0 to 1, on the way from one to another."""
    ends = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in (low, high)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*ends, strict=True))


FONT = "Helvetica,Arial,sans-serif"
