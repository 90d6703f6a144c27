"""Codes as values, as numbers and as text: a colour is a digit, with more than nine colours a letter."""

from math import perm

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.games.mastermind.options import Rules

Code = tuple[int, ...]
"""By place the colour of the peg, from 0."""

DIGITS = "123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_BETWEEN = " \t,;.-_|/"
"""Separators that may stand between pegs."""


def is_code(code: Code, rules: Rules) -> bool:
    """Whether this is a code of these rules."""
    return (
        len(code) == rules.length
        and all(0 <= colour < rules.colours for colour in code)
        and (rules.repeats or len(set(code)) == len(code))
    )


def code_of_number(number: int, rules: Rules) -> Code:
    """The code with so many codes before it in the order of their texts.

    >>> code_of_number(8, Rules()), code_of_number(8, Rules(repeats=False))
    ((0, 0, 1, 2), (0, 1, 4, 5))
    """
    assert 0 <= number < rules.codes, "there is a code of that number"
    left = list(range(rules.colours))
    code = []
    for place in range(rules.length):
        colour, number = divmod(number, _codes_after(place, rules))
        code.append(colour if rules.repeats else left.pop(colour))
    return tuple(code)


def number_of_code(code: Code, rules: Rules) -> int:
    """Number of a code: the number of codes before it."""
    assert is_code(code, rules), "it is a code of these rules"
    number = 0
    for place, colour in enumerate(code):
        used = 0 if rules.repeats else sum(other < colour for other in code[:place])
        number += (colour - used) * _codes_after(place, rules)
    return number


def _codes_after(place: int, rules: Rules) -> int:
    """Number of codes that begin with the same pegs up to and with this place."""
    free = rules.length - place - 1
    return rules.colours**free if rules.repeats else perm(rules.colours - place - 1, free)


def symbols(rules: Rules) -> str:
    """The signs of the colours, in order."""
    return (DIGITS if rules.colours <= len(DIGITS) else LETTERS)[: rules.colours]


def code_text(code: Code, rules: Rules) -> str:
    """The text of a code.

    >>> code_text((0, 0, 1, 2), Rules()), code_text((0, 0, 1, 11), Rules(4, 12))
    ('1123', 'AABL')
    """
    return "".join(symbols(rules)[colour] for colour in code)


def code_of_text(text: str, rules: Rules) -> Code:
    """The code of a text: digits or letters, capital or not, with blanks or commas between them or not.

    >>> code_of_text("1123", Rules()), code_of_text("a, a, b, c", Rules())
    ((0, 0, 1, 2), (0, 0, 1, 2))

    Raises:
        UsageError: it is none; the message names the peg and the nearest right thing.
    """
    shown = shortened(text.strip())
    pegs = [sign for sign in text if sign not in _BETWEEN]
    first, last = symbols(rules)[0], symbols(rules)[-1]
    size = counted(rules.length, "peg")
    code: list[int] = []
    for place, sign in enumerate(pegs[: rules.length], start=1):
        capital = sign.upper() if sign.isascii() else sign
        colour = (DIGITS if sign in DIGITS else LETTERS).find(capital)
        if not 0 <= colour < rules.colours:
            near = first if sign == "0" else last
            hint = f"; the nearest is `{near}`" if capital in "0" + DIGITS + LETTERS else ""
            raise UsageError(f"`{shown}`: peg {place} is `{sign}`; colours are {first} to {last}{hint}")
        if not rules.repeats and colour in code:
            free = "".join(each for number, each in enumerate(symbols(rules)) if number not in code)
            raise UsageError(
                f"`{shown}`: peg {place} repeats peg {code.index(colour) + 1}, "
                f"and no colour may occur twice; still free: {', '.join(free)}"
            )
        code.append(colour)
    if len(pegs) < rules.length:
        given = f"`{shown}`: peg {len(pegs) + 1} is missing" if pegs else "there is no peg"
        more = [colour for colour in range(rules.colours) if colour not in code] + [0] * rules.length
        example = code_text((*code, *more)[: rules.length], rules)
        raise UsageError(f"{given}; a code has {size}, such as `{example}`")
    if len(pegs) > rules.length:
        near = code_text(tuple(code), rules)
        raise UsageError(
            f"`{shown}`: peg {rules.length + 1} is one too many; a code has {size}; did you mean `{near}`?"
        )
    return tuple(code)
