"""The options of Dots and Boxes, one value ``Rules``, and their text form ``KEY=VALUE``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gpkit.gamekit.options import Option, OptionRules, Value, bad_value, written_rule

MAX_EDGES = 62
"""The edges of a board are the bits of a number: 5x5 boxes have 60."""

BOARD = Option("board", "columns and rows of boxes", form="a size such as 3x3, at most 5x5, 4x6 or 3x8")


@dataclass(frozen=True, slots=True)
class Rules(OptionRules):
    """The rules of one game.

    >>> Rules.from_options({"board": "4x3"}).edges
    31

    Attributes:
        width, height: columns and rows of boxes.
    """

    title = "Dots and Boxes"

    width: int = written_rule(3, BOARD)
    height: int = 3

    @property
    def board(self) -> str:
        """The size of the board, as its option has it."""
        return f"{self.width}x{self.height}"

    @property
    def boxes(self) -> int:
        """The boxes of the board."""
        return self.width * self.height

    @property
    def edges(self) -> int:
        """The lines that can be drawn, those at the border, too."""
        return self.width * (self.height + 1) + self.height * (self.width + 1)

    @classmethod
    def fields_of(cls, values: Mapping[str, Value]) -> Mapping[str, int]:
        """The columns and rows of a board.

        Raises:
            UsageError: it is no size.
        """
        if "board" not in values:
            return {}
        sides = re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]?)", str(values["board"]))
        if sides is None:
            raise bad_value(BOARD, str(values["board"]))
        return {"width": int(sides[1]), "height": int(sides[2])}

    def check(self) -> None:
        """Check that the board is not too large.

        Raises:
            UsageError: it has more than ``MAX_EDGES``.
        """
        if self.edges > MAX_EDGES:
            message = f"; {self.board} has {self.edges} edges, more than {MAX_EDGES}"
            raise bad_value(BOARD, self.board, message)
