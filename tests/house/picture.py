"""A picture of the house in words: its floors from the top, their rooms, the arrows between them and their sizes.

    PYTHONPATH=tests python -m house.picture [--write]

prints the picture as a table. With ``--write``, it puts the picture into ``docs/explanation/architecture.md``.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from house.structure import ROOF, House, code_lines

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
COLUMNS = "| floor | room | lines of code | files | what it holds | imports from |"
RULE = "|--:|---|--:|--:|---|---|"


class Room(NamedTuple):
    """A room: its floor, the lowest 1; the code in it; the first line of its docstring; the rooms that it imports."""

    floor: int
    name: str
    lines: int
    files: int
    words: str
    below: tuple[str, ...]

    def __str__(self) -> str:
        """A row of the table; lines are given to the nearest hundred."""
        words, arrows = self.words.replace("``", "`"), ", ".join(self.below) or "nothing"
        return f"| {self.floor} | `{self.name}` | {self.lines:,} | {self.files} | {words} | {arrows} |"


def rooms(house: House) -> Iterator[Room]:
    """The rooms from the top floor to the lowest."""
    for name in sorted(house.rooms, key=lambda room: (-house.floors[room], room)):
        own = [module for module in house.modules.values() if module.room == name]
        lines = sum(code_lines((house.package / each.path).read_text(encoding="utf-8")) for each in own)
        words = ast.get_docstring(house.modules[f"gpkit.{name}"].tree) or ""
        below = sorted(other for room, other in house.arrows if room == name and other not in ROOF)
        first = words.splitlines()[0].removesuffix(".")
        yield Room(house.floors[name] + 1, name, round(lines, -2), len(own), first, tuple(below))


def picture(house: House) -> str:
    """The table."""
    return "\n".join([COLUMNS, RULE, *map(str, rooms(house))])


def parts_of(page: str) -> tuple[str, str, str]:
    """The text of the page before the picture, the picture, and the text after it."""
    before, _, rest = page.partition(COLUMNS)
    table, _, after = rest.partition("\n\n")
    return before, COLUMNS + table, "\n\n" + after


def main() -> None:
    """Print the picture, or write it into the page."""
    text = picture(House(ROOT))
    if "--write" in sys.argv[1:]:
        before, _, after = parts_of(PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(before + text + after, encoding="utf-8")
    else:
        sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
