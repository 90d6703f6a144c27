"""Numbers as texts: the one notation in which cells of tables have them, in gpkit and in every exported file."""

import re

NUMBER = re.compile(r"[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?")
"""A number: a sign or none, digits with a point or without one, an exponent or none."""

_OTHER = re.compile(r"[^-+.0-9eE\s]")


def is_number(text: str) -> bool:
    """Whether a text is a number: ``12``, ``-.5``, ``1e-9``, and not ``1_000``, ``0x10``, ``inf`` or ``１２``."""
    return NUMBER.fullmatch(text) is not None


def may_be_numbers(texts: str) -> bool:
    """Whether texts with white space between them have only characters that numbers have.

    Those that ``float`` reads are then all in the notation.
    """
    return _OTHER.search(texts) is None
