"""Places in a text as browsers count them: in units of UTF-16, of which some characters, such as emoji, take two."""

from bisect import bisect_left, bisect_right

BEYOND = "\uffff"
"""The last character that takes one unit."""


class Utf16:
    """The places of a text, in characters and in units of UTF-16.

    >>> places = Utf16("\\N{PARTY POPPER}ab")
    >>> places.units(1), places.place(2), places.place(99)
    (2, 1, 3)
    """

    def __init__(self, text: str) -> None:
        """Places of a text."""
        self._length = len(text)
        wide = () if text.isascii() else [k for k, character in enumerate(text) if character > BEYOND]
        self._wide = list(wide)
        self._units_of_wide = [place + k for k, place in enumerate(self._wide)]

    def units(self, place: int) -> int:
        """The units before a character, by its number from 0 on."""
        return place + bisect_left(self._wide, place)

    def place(self, units: int) -> int:
        """The number of the character before which there are so many units; the end of the text behind it."""
        before = bisect_right(self._units_of_wide, units - 1)
        return max(0, min(units - before, self._length))
