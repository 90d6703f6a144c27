"""Feedback as text: ``2 black 1 white``."""

import re

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Feedback, can_be, least_common

_COLOURS = ("black", "white")
_NOTHING = ("none", "nothing")


def feedback_text(answer: Feedback) -> str:
    """The text of feedback.

    >>> feedback_text(Feedback(2, 1))
    '2 black 1 white'
    """
    return f"{answer.black} black {answer.white} white"


def feedback_of_text(text: str, rules: Rules) -> Feedback:
    """The feedback of a text; what is not mentioned is 0, words may be short, and two bare numbers are black, white.

    >>> feedback_of_text("2 black 1 white", Rules()) == feedback_of_text("1w2b", Rules()) == Feedback(2, 1)
    True
    >>> feedback_of_text("2 1", Rules()), feedback_of_text("none", Rules())
    (Feedback(black=2, white=1), Feedback(black=0, white=0))

    Raises:
        UsageError: it is none, or no two codes have it; the message says what was expected.
    """
    shown = text.strip() if len(text.strip()) <= 40 else f"{text.strip()[:39]}…"
    words = re.findall(r"[0-9]+|[^\W\d_]+|[^\s,;+]", text)
    words = [word for word in words if word.lower() not in ("and", "peg", "pegs")]
    counts = {"black": 0, "white": 0}
    if len(words) == 2 and all(map(_is_number, words)):
        counts = dict(zip(_COLOURS, map(int, words), strict=True))
    elif not (len(words) == 1 and words[0].lower() in _NOTHING):
        counts |= _counted(words, shown)
    answer = Feedback(counts["black"], counts["white"])
    if not can_be(answer, rules):
        raise UsageError(f"`{shown}` cannot be{_reason(answer, rules)}")
    return answer


def _counted(words: list[str], shown: str) -> dict[str, int]:
    """The counts of a text that pairs numbers with colours."""
    expected = "expected such as `2 black 1 white`"
    counts: dict[str, int] = {}
    for number, word in zip(words[::2], words[1::2], strict=False):
        if not _is_number(number):
            raise UsageError(f"`{shown}`: `{number}` is no number of pegs; {expected}")
        found = [colour for colour in _COLOURS if word.lower() in (colour, colour[0])]
        if not found:
            close = nearest(word.lower(), _COLOURS)
            hint = f"did you mean `{close}`?" if close else expected
            raise UsageError(f"`{shown}`: `{word}` is neither black nor white; {hint}")
        if found[0] in counts:
            raise UsageError(f"`{shown}`: {found[0]} is there twice; {expected}")
        counts[found[0]] = int(number)
    if len(words) % 2:
        last = words[-1]
        wrong = f"no colour follows `{last}`" if _is_number(last) else f"`{last}` is no number of pegs"
        raise UsageError(f"`{shown}`: {wrong}; {expected}")
    if not words:
        raise UsageError(f"there is no feedback; {expected}, or `none`")
    return counts


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 4


def _most(black: int, length: int) -> str:
    """Limits of feedback, in words, with so many black pegs if that many fit."""
    if black > length:
        return f"at most {length} black"
    white = f"at most {length - black}" if black < length else "no"
    return f"{white} white beside {black} black"


def _reason(answer: Feedback, rules: Rules) -> str:
    """Reason that feedback is impossible, and what is near it."""
    length = rules.length
    if answer.black + answer.white > length:
        return f": a code has {length} pegs, so {_most(answer.black, length)}"
    if answer == Feedback(length - 1, 1):
        return (
            f": if {length - 1} pegs are in place, the last one cannot be right elsewhere; "
            f"did you mean `{feedback_text(Feedback(length - 1, 0))}`?"
        )
    if rules.colours == 1:
        return f": there is only one code; did you mean `{feedback_text(Feedback(length, 0))}`?"
    return f": any two codes have {least_common(rules)} pegs or more in common, black and white together"
