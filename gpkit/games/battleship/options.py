"""The options of Battleship, one value ``Rules``, and their text form ``KEY=VALUE``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gpkit.gamekit.options import NO, YES, Option, Value, Variants, bad_value, text_of, values_of

MAX_SIDE = 64
MAX_SHIPS = 128

VARIANTS: Variants = {
    "classic": {"fleet": "5,4,3,3,2", "touch": YES},
    "ten-ships": {"fleet": "4,3,3,2,2,2,1,1,1,1", "touch": NO},
}
"""Whole sets of rules by name; other options given with one win over it."""

_BOARD = Option("board", "columns and rows", form=f"a size such as 10x10, at most {MAX_SIDE}x{MAX_SIDE}")
_FLEET = Option("fleet", "the lengths of the ships", form="lengths separated by commas, such as 5,4,3,3,2")

OPTIONS = (
    Option("variant", "the standard fleet, or ten small ships that may not touch", tuple(VARIANTS)),
    Option("mode", "one player shoots until the board is cleared, or two take turns", ("solitaire", "duel")),
    _BOARD,
    _FLEET,
    Option("touch", "ships may touch; if not, not even at corners", (YES, NO)),
    Option(
        "announce",
        "what is announced when a ship sinks: which one, that one did, or nothing",
        ("ship", "sunk", "hit"),
    ),
    Option("shots", "one shot a turn, or again after a hit", ("one", "again")),
    Option("found", "the first answer to Target is a square of a ship: for practice", (NO, YES)),
)
"""Every option; all but ``variant`` are fields of ``Rules``."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game.

    Attributes:
        mode: ``solitaire`` or ``duel``.
        width, height: columns and rows of the board.
        fleet: the lengths of the ships, the longest first.
        touch: whether ships may lie side by side.
        announce: what is told when a ship sinks: ``ship`` (which one), ``sunk`` or ``hit`` (nothing).
        shots: ``one`` a turn, or ``again`` after a hit.
        found: whether the first target is a square of a ship.
    """

    mode: str = "solitaire"
    width: int = 10
    height: int = 10
    fleet: tuple[int, ...] = (5, 4, 3, 3, 2)
    touch: bool = True
    announce: str = "ship"
    shots: str = "one"
    found: bool = False

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

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> "Rules":
        """The default rules with these options set.

        >>> Rules.from_options({"variant": "ten-ships", "board": "12x12"}).squares
        144

        Raises:
            UsageError: an unknown option or value, or a fleet that cannot lie on the board.
        """
        values = values_of(options, OPTIONS, "Battleship", VARIANTS)
        rules = cls(**_fields(values))  # type: ignore[arg-type]
        if max(rules.fleet) > max(rules.width, rules.height) or sum(rules.fleet) > rules.squares:
            hint = f"; these ships do not fit on {rules.width}x{rules.height}"
            raise bad_value(_FLEET, str(values["fleet"]), hint)
        return rules

    def to_options(self) -> dict[str, str]:
        """Every option as text; ``from_options`` gives the rules back."""
        return {
            "mode": self.mode,
            "board": f"{self.width}x{self.height}",
            "fleet": ",".join(map(str, self.fleet)),
            "touch": text_of(self.touch),
            "announce": self.announce,
            "shots": self.shots,
            "found": text_of(self.found),
        }


def _fields(values: Mapping[str, Value]) -> dict[str, object]:
    """The fields of ``Rules`` that options set."""
    fields: dict[str, object] = {
        name: value for name, value in values.items() if name not in ("board", "fleet")
    }
    if "board" in values:
        text = str(values["board"])
        sides = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", text)
        if sides is None or not all(1 <= int(side) <= MAX_SIDE for side in sides.groups()):
            raise bad_value(_BOARD, text)
        fields["width"], fields["height"] = int(sides[1]), int(sides[2])
    if "fleet" in values:
        text = str(values["fleet"])
        words = text.split(",")
        if len(words) > MAX_SHIPS or not all(re.fullmatch(r"[1-9][0-9]?", word.strip()) for word in words):
            raise bad_value(_FLEET, text, f", at most {MAX_SHIPS} of them")
        fields["fleet"] = tuple(sorted((int(word) for word in words), reverse=True))
    return fields
