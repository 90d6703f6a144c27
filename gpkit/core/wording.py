"""Numbers, and who does what, in sentences."""

import re
from collections.abc import Callable
from pathlib import Path

DISTRIBUTION = "gpkit-games"

_PACKAGE = Path(__file__).resolve().parent.parent


def install_command(extra: str) -> str:
    """The command that brings the packages of an extra; in a checkout it is called in its folder."""
    is_checkout = (_PACKAGE.parent / "pyproject.toml").is_file()
    return f"pip install -e '.[{extra}]'" if is_checkout else f"pip install '{DISTRIBUTION}[{extra}]'"


def counted(count: int, noun: str) -> str:
    """So many of them.

    >>> counted(1, "game"), counted(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


Tell = Callable[[str], object]
"""A function that shows a sentence about the progress of long work, in place of the previous one."""


def counting(tell: Tell, total: int, what: str = "") -> Callable[[int], None]:
    """A callback for ``watch``: tells how many of ``total`` games have been played."""

    def watch(played: int) -> None:
        tell(f"{what}{counted(played, 'game')}, {min(played / total, 1.0):.0%}")

    return watch


def spelled(game: str) -> str:
    """The name of a game as people write it.

    >>> spelled("dots_and_boxes"), spelled("three_in_a_row")
    ('Dots and Boxes', 'Three in a Row')
    >>> spelled("openspiel:connect_four(rows=4)")
    'Connect Four (rows=4)'
    """
    name, *parameters = re.sub(r"^\w+:", "", game).replace(",", ", ").split("(", 1)
    first, *others = name.split("_")
    small = ("a", "and", "in", "of", "the")
    words = [first.capitalize(), *(word if word in small else word.capitalize() for word in others)]
    return " ".join([*words, *(f"({each}" for each in parameters)])


def first_line(value: object) -> str:
    """The first line of what the docstring of something says, without its point and marks."""
    return (value.__doc__ or "").split("\n")[0].replace("``", "").removesuffix(".")


YOU = "you"
"""The name of the person at a table."""

_YOURS = {"is": "are", "has": "have", "passes": "pass"}
"""Verbs of which more than the ``s`` is lost behind ``you``."""


def does(name: str, verb: str) -> str:
    """A player and what it does; the verb is that of a third person.

    >>> does("simple", "plays"), does("you", "plays"), does("you", "has")
    ('simple plays', 'you play', 'you have')
    """
    return f"{name} {_YOURS.get(verb, verb.removesuffix('s'))}" if name == YOU else f"{name} {verb}"
