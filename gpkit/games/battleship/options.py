"""The options of Battleship, one value ``Rules``, and their text form ``KEY=VALUE``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gpkit.gamekit.options import (
    NO,
    YES,
    Option,
    OptionRules,
    Value,
    Variants,
    bad_value,
    rule,
    text_of,
    written_rule,
)

MAX_SIDE = 64
MAX_SHIPS = 128

VARIANTS: Variants = {
    "classic": {"fleet": "5,4,3,3,2", "touch": YES},
    "ten-ships": {"fleet": "4,3,3,2,2,2,1,1,1,1", "touch": NO},
}
"""Whole sets of rules by name; other options given with one win over it."""

_BOARD = Option("board", "columns and rows", form=f"a size such as 10x10, at most {MAX_SIDE}x{MAX_SIDE}")
_FLEET = Option("fleet", "the lengths of the ships", form="lengths separated by commas, such as 5,4,3,3,2")


@dataclass(frozen=True, slots=True)
class Rules(OptionRules):
    """The rules of one game; each field that is an option has its name.

    >>> Rules.from_options({"variant": "ten-ships", "board": "12x12"}).squares
    144

    Attributes:
        width, height: columns and rows of the board.
        fleet: the lengths of the ships, the longest first.
    """

    title = "Battleship"
    variant = Option("variant", "the standard fleet, or ten small ships that may not touch", tuple(VARIANTS))
    variants = VARIANTS
    duel = MappingProxyType({"mode": "duel"})

    mode: str = rule(
        "solitaire",
        "one player shoots until the board is cleared, or two take turns",
        choices=("solitaire", "duel"),
    )
    width: int = written_rule(10, _BOARD)
    height: int = 10
    fleet: tuple[int, ...] = written_rule((5, 4, 3, 3, 2), _FLEET)
    touch: bool = rule(True, "ships may touch; otherwise not even at corners", choices=(YES, NO))
    announce: str = rule(
        "ship",
        "what is announced when a ship sinks: which one, that one did, or nothing",
        choices=("ship", "sunk", "hit"),
    )
    shots: str = rule("one", "one shot a turn, or again after a hit", choices=("one", "again"))
    found: bool = rule(False, "the first answer to Target is a square with a ship, for practice")

    @property
    def is_duel(self) -> bool:
        """Whether two shoot in turns."""
        return self.mode == "duel"

    @property
    def squares(self) -> int:
        """The squares of a board."""
        return self.width * self.height

    @property
    def cap(self) -> int:
        """The turns after which a player's game is given up: twice the squares."""
        return 2 * self.squares

    def square_at(self, position: tuple[int, int]) -> int:
        """The square of a position, its column and its row; −1 off the board."""
        x, y = position
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else -1

    @property
    def board(self) -> str:
        """The size of the board, as its option has it."""
        return f"{self.width}x{self.height}"

    @classmethod
    def fields_of(cls, values: Mapping[str, Value]) -> Mapping[str, object]:
        """The fields that options set: of the board two, of the fleet its lengths.

        Raises:
            UsageError: they are no size and no lengths.
        """
        fields: dict[str, object] = dict(values)
        if "board" in values:
            text = str(fields.pop("board"))
            sides = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", text)
            if sides is None or not all(1 <= int(side) <= MAX_SIDE for side in sides.groups()):
                raise bad_value(_BOARD, text)
            fields["width"], fields["height"] = int(sides[1]), int(sides[2])
        if "fleet" in values:
            text = str(values["fleet"])
            words = text.split(",")
            are_lengths = all(re.fullmatch(r"[1-9][0-9]?", word.strip()) for word in words)
            if len(words) > MAX_SHIPS or not are_lengths:
                raise bad_value(_FLEET, text, f", at most {MAX_SHIPS} of them")
            fields["fleet"] = tuple(sorted((int(word) for word in words), reverse=True))
        return fields

    def check(self) -> None:
        """Check that the fleet can lie on the board.

        Raises:
            UsageError: it cannot.
        """
        if max(self.fleet) > max(self.width, self.height) or sum(self.fleet) > self.squares:
            hint = f"; these ships do not fit on {self.board}"
            raise bad_value(_FLEET, text_of(self.fleet), hint)
