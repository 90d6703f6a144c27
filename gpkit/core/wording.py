"""Helpers for wording: numbers in sentences, and sentences about players.

Some characters are invisible and change the apparent meaning of text: programs may not contain them, and gpkit escapes
them in output.
"""

import html
import re
from collections.abc import Callable
from pathlib import Path

LINE_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""All line ends except LF; only some programs recognise them."""

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that change the direction of displayed text."""

BYTE_ORDER_MARK = "\ufeff"

ORDERS = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029{BIDI}{BYTE_ORDER_MARK}\ud800-\udfff]"
)
"""Characters that a terminal could execute or hide: controls except tab and LF, direction marks, and invalid bytes."""

DECEPTIVE = re.compile(f"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\r\u2028\u2029{BIDI}{BYTE_ORDER_MARK}\ud800-\udfff]")
"""Characters that change the apparent meaning of text (Unicode Technical Report 36; "Trojan Source", 2021)."""

MISPLACED = re.compile(rf"{DECEPTIVE.pattern}(?<!\r(?=\n))(?<!\A{BYTE_ORDER_MARK})")
"""Deceptive characters outside their proper places, which are a CR before LF and a byte order mark at the start."""


def shown(text: str) -> str:
    r"""The text with all terminal commands escaped, so that users see them and the terminal does not execute them.

    >>> print(shown("a\x1b[31m\u202eb"))
    a\x1b[31m\u202eb
    """
    return ORDERS.sub(
        lambda order: f"\\x{code:02x}" if (code := ord(order[0])) < 0x100 else f"\\u{code:04x}", text
    )


def in_markup(text: str) -> str:
    r"""The text for an HTML or SVG element or attribute, with special characters and terminal commands escaped.

    >>> print(in_markup("<a> & \x1b"))
    &lt;a&gt; &amp; \x1b
    """
    return html.escape(shown(text))


def shown_in_json(text: str) -> str:
    r"""JSON text with terminal commands escaped; its values stay the same.

    >>> print(shown_in_json('"a\x7f"'))
    "a\u007f"
    """
    return ORDERS.sub(lambda order: f"\\u{ord(order[0]):04x}", text)


def undeceptive(text: str) -> str:
    """The text with a space in place of each deceptive character.

    >>> undeceptive("a\\x1b[31m\\u202eb")
    'a [31m b'
    """
    return DECEPTIVE.sub(" ", text)


def is_unicode(text: str) -> bool:
    """Whether a string can be encoded as UTF-8; one with an unpaired surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


DISTRIBUTION, VERSION = "gpkit-games", "0.1.0"

_PACKAGE = Path(__file__).resolve().parent.parent


def install_command(extra: str) -> str:
    """The command that installs the packages of an extra; in a checkout, it must be run in the checkout's folder."""
    is_checkout = (_PACKAGE.parent / "pyproject.toml").is_file()
    return f"pip install -e '.[{extra}]'" if is_checkout else f"pip install '{DISTRIBUTION}[{extra}]'"


def counted(count: int, noun: str) -> str:
    """A number with its noun, which is plural if necessary.

    >>> counted(1, "game"), counted(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


Tell = Callable[[str], object]
"""A function that shows a sentence about the progress of long-running work, in place of the previous sentence."""


def counting(tell: Tell, total: int, what: str = "") -> Callable[[int], None]:
    """A callback for ``watch`` that shows how many of ``total`` games have been played."""

    def watch(played: int) -> None:
        tell(f"{what}{counted(played, 'game')}, {min(played / total, 1.0):.0%}")

    return watch


def deal_told(seed: int, deal: int) -> str:
    """The seed and the deal of a game in words; deal 0 is omitted, because many games deal nothing.

    >>> deal_told(3, 0), deal_told(3, 2)
    ('seed 3', 'seed 3, deal 2')
    """
    return f"seed {seed}, deal {deal}" if deal else f"seed {seed}"


FAMILIES = {"openspiel": "OpenSpiel"}
"""The names of packages whose games gpkit can load, by the first word of a game's name."""


def spelled(game: str) -> str:
    """The display name of a game.

    >>> spelled("dots_and_boxes"), spelled("three_in_a_row")
    ('Dots and Boxes', 'Three in a Row')
    >>> spelled("openspiel:connect_four(rows=4)")
    'Connect Four, rows 4 (OpenSpiel)'
    """
    family, colon, own = game.partition(":")
    name, *parameters = (own if colon else game).split("(", 1)
    if family in FAMILIES:
        values = "".join(parameters).removesuffix(")").replace("_", " ").replace("=", " ").split(",")
        return f"{', '.join([spelled(name), *filter(None, values)])} ({FAMILIES[family]})"
    first, *others = name.split("_")
    small = ("a", "and", "in", "of", "the")
    words = [first.capitalize(), *(word if word in small else word.capitalize() for word in others)]
    return " ".join([*words, *(f"({each}" for each in parameters)])


def rule_in(title: str, game: str) -> str:
    """The rule in a game's title as a sentence, without the name of the game at its start.

    >>> rule_in("Tic-tac-toe: three in a row", "tic_tac_toe"), rule_in("Whoever is last wins.", "nim")
    ('Three in a row.', 'Whoever is last wins.')
    """
    name, _, rule = title.partition(": ")
    told = rule if re.sub(r"\W", "_", name).lower() == game else title
    return f"{told[:1].upper()}{told[1:].removesuffix('.')}." if told else ""


def first_line(value: object) -> str:
    """The first line of a docstring, without the full stop and the double backquotes."""
    return (value.__doc__ or "").split("\n")[0].replace("``", "").removesuffix(".")


YOU = "you"
"""The name of the human player."""

_YOURS = {"is": "are", "has": "have", "passes": "pass"}
"""Verb forms that differ by more than a final ``s`` after ``you``."""


def does(name: str, verb: str) -> str:
    """A sentence about a player's action; the verb is given in the third person.

    >>> does("simple", "plays"), does("you", "plays"), does("you", "has")
    ('simple plays', 'you play', 'you have')
    """
    return f"{name} {_YOURS.get(verb, verb.removesuffix('s'))}" if name == YOU else f"{name} {verb}"
