"""Common parts of the pictures of games: beginning and end, number format, and the colours of paper and ink."""

from collections.abc import Iterable
from html import escape

INK, MUTED, CREAM = "#22262b", "#6b7280", "#f7f5ef"
"""The colours of lines and text, of lesser text, and of the paper."""


def number(value: float) -> str:
    """A number in the fewest characters, with two decimals at most.

    >>> number(20.0), number(7.5), number(2 / 3)
    ('20', '7.5', '0.67')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def document(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """An SVG document of these parts; the title is what is told of it where it cannot be seen."""
    x, y = number(width), number(height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x} {y}" width="{x}" height="{y}" role="img" '
        'font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
