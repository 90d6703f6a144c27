"""The notation of numbers in the cells of tables, the same for gpkit and for every exported file."""

import re

NUMBER = re.compile(r"[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?")
"""A number: digits, with an optional sign, decimal point and exponent."""

_OTHER = re.compile(r"[^-+.0-9eE\s]")


def is_number(text: str) -> bool:
    """Whether a text is a number: ``12``, ``-.5``, ``1e-9``, but not ``1_000``, ``0x10``, ``inf`` or ``１２``."""
    return NUMBER.fullmatch(text) is not None


def may_be_numbers(texts: str) -> bool:
    """Whether texts, joined by white space, contain only characters that occur in numbers.

    If so, all those texts that ``float`` accepts are numbers for gpkit, too.
    """
    return _OTHER.search(texts) is None
