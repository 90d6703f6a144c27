"""Places of a text in the units of an encoding, as editors and browsers count them."""

from bisect import bisect_left, bisect_right

LIMITS = {"utf-8": "\x7f\u07ff\uffff", "utf-16": "\uffff", "utf-32": ""}
"""The last characters that take one unit, two, and so on, by encoding."""


class Places:
    """The places of a text, in characters and in units.

    In UTF-16, in which browsers count, emoji take two units, and unpaired surrogates one each.

    >>> places = Places("\\N{PARTY POPPER}ab")
    >>> places.units(1), places.place(2), places.place(99)
    (2, 1, 3)
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        """Places of a text."""
        self._length = len(text)
        limits = "" if text.isascii() else LIMITS[encoding]
        self._wide = sorted(
            place for limit in limits for place, sign in enumerate(text) if sign > limit
        )  # once for each further unit
        self._units_of_wide = [place + number for number, place in enumerate(self._wide)]

    def units(self, place: int) -> int:
        """The units before a character, by its number from 0 on."""
        return place + bisect_left(self._wide, place)

    def place(self, units: int) -> int:
        """The number of the character before which there are so many units; the end of the text behind it."""
        before = bisect_right(self._units_of_wide, units - 1)
        return max(0, min(units - before, self._length))
