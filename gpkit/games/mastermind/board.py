"""Games and feedback as text: a line for each guess with its pegs, ``2 black 1 white``."""

import re
from collections.abc import Sequence

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.games.mastermind.codes import Code, code_text
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Feedback, Turn, can_be, least_common
from gpkit.games.mastermind.state import State

_COLOURS = _BLACK, _WHITE = "black", "white"


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
    shown = shortened(text.strip())
    found = re.findall(r"[0-9]+|[^\W\d_]+|[^\s,;+]", text)
    words = [word for word in found if word.lower() not in ("and", "peg", "pegs")]
    if len(words) == 2 and all(map(_is_number, words)):
        words = [words[0], _BLACK, words[1], _WHITE]
    counts = {} if len(words) == 1 and words[0].lower() in ("none", "nothing") else _counted(words, shown)
    answer = Feedback(counts.get(_BLACK, 0), counts.get(_WHITE, 0))
    if not can_be(answer, rules):
        raise UsageError(f"`{shown}` cannot be{_reason(answer, rules)}")
    return answer


def _counted(words: list[str], shown: str) -> dict[str, int]:
    """The counts of a text that pairs numbers with colours."""
    expected = "expected an answer such as `2 black 1 white`"
    counts: dict[str, int] = {}
    for number, word in zip(words[::2], words[1::2], strict=False):
        if not _is_number(number):
            raise UsageError(f"`{shown}`: `{number}` is not a number of pegs; {expected}")
        found = [colour for colour in _COLOURS if word.lower() in (colour, colour[0])]
        if not found:
            hint = suggestion(word.lower(), _COLOURS, expected)
            raise UsageError(f"`{shown}`: `{word}` is neither black nor white; {hint}")
        if found[0] in counts:
            raise UsageError(f"`{shown}`: {found[0]} appears twice; {expected}")
        counts[found[0]] = int(number)
    if len(words) % 2:
        last = words[-1]
        wrong = f"no colour follows `{last}`" if _is_number(last) else f"`{last}` is not a number of pegs"
        raise UsageError(f"`{shown}`: {wrong}; {expected}")
    if not words:
        raise UsageError(f"the answer is empty; {expected}, or `none`")
    return counts


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 4


def _reason(answer: Feedback, rules: Rules) -> str:
    """Reason that feedback is impossible, and what is near it."""
    length = rules.length
    if answer.black > length:
        return f": a code has {length} pegs, so at most {length} black"
    if answer.black + answer.white > length:
        most = f"at most {length - answer.black}" if answer.black < length else "no"
        return f": a code has {length} pegs, so {most} white beside {answer.black} black"
    if answer == Feedback(length - 1, 1):
        return (
            f": if {length - 1} pegs are in place, the last one cannot be right elsewhere; "
            f"did you mean `{feedback_text(Feedback(length - 1, 0))}`?"
        )
    if rules.colours == 1:
        return f": there is only one code; did you mean `{feedback_text(Feedback(length, 0))}`?"
    return f": any two codes have {least_common(rules)} pegs or more in common, black and white together"


BLACK, WHITE, NONE = "x", "o", "."


def pegs_text(answer: Feedback, rules: Rules) -> str:
    """Feedback as pegs, the black ones first.

    >>> pegs_text(Feedback(2, 1), Rules())
    'xxo.'
    """
    return (BLACK * answer.black + WHITE * answer.white).ljust(rules.length, NONE)


def board_text(state: State, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The game in lines that end with a line break: each guess with its feedback, and how it stands.

    Args:
        state: the game.
        player: who looks, to whom the code is shown at the end only; None: it is open.
        names: of the players; they are not shown.
    """
    rules = state.rules
    lines = [turn_text(number, turn, rules) for number, turn in enumerate(state.turns, start=1)]
    is_open = player is None or state.is_terminal
    shown = spaced(state.secret, rules) if is_open else " ".join("?" * rules.length)
    made, left = guesses_text(len(state.turns)), rules.guesses - len(state.turns)
    found = "found" if state.is_solved else "not found"
    standing = f"{found} with {made}" if state.is_terminal else f"{made} made, {left} left"
    return "".join(f"{line}\n" for line in [*lines, f"    {shown}   {standing}"])


def turn_text(number: int, turn: Turn, rules: Rules) -> str:
    """A numbered guess with its feedback."""
    answer = turn.feedback
    return f"{number:2}  {spaced(turn.guess, rules)}   {pegs_text(answer, rules)}  {feedback_text(answer)}"


def spaced(code: Code, rules: Rules) -> str:
    """The text of a code with blanks between the pegs."""
    return " ".join(code_text(code, rules))


def guesses_text(count: int) -> str:
    """A number of guesses in words."""
    return "1 guess" if count == 1 else f"{count} guesses"
