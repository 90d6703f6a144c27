"""Weights as a picture: the text of the program in a box."""

from collections.abc import Mapping
from typing import Any

from gpkit.languages.weights.program import Weights, print_program
from gpkit.show.graph import Picture
from gpkit.show.pictures import Drawing


def picture(program: Weights, header: Mapping[str, str], primitives: Any, title: str, text: str) -> Picture:
    """One box for all."""
    words = print_program(program)
    lines = words.replace("\n", "\\l")
    return Picture(title, f'digraph {{ n [shape=box, label="{lines}"] }}', words, 1, text)


DRAWING = Drawing(picture)
