"""The options of Dots and Boxes, one value ``Rules``, and their text form ``KEY=VALUE``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gpkit.gamekit.options import Option, bad_value, values_of

MAX_EDGES = 62
"""The edges of a board are the bits of a number: 5x5 boxes have 60."""

BOARD = Option("board", "columns and rows of boxes", form="a size such as 3x3, at most 5x5, 4x6 or 3x8")
"""The size of the board."""

OPTIONS = (BOARD,)
"""Every option."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game.

    Attributes:
        width, height: columns and rows of boxes.
    """

    width: int = 3
    height: int = 3

    @property
    def boxes(self) -> int:
        """The boxes of the board."""
        return self.width * self.height

    @property
    def edges(self) -> int:
        """The lines that can be drawn, those at the border, too."""
        return self.width * (self.height + 1) + self.height * (self.width + 1)

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> "Rules":
        """The default rules with these options set.

        >>> Rules.from_options({"board": "4x3"}).edges
        31

        Raises:
            UsageError: an unknown option or value.
        """
        board = values_of(options, OPTIONS, "Dots and Boxes").get("board")
        if board is None:
            return cls()
        sides = re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]?)", str(board))
        if sides is None:
            raise bad_value(BOARD, str(board))
        rules = cls(int(sides[1]), int(sides[2]))
        if rules.edges > MAX_EDGES:
            message = f"; {board} has {rules.edges} edges, more than {MAX_EDGES}"
            raise bad_value(BOARD, str(board), message)
        return rules

    def to_options(self) -> dict[str, str]:
        """Every option as text; ``from_options`` gives the rules back."""
        return {"board": f"{self.width}x{self.height}"}
