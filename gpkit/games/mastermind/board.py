"""Games as text: a line for each guess with its pegs."""

from collections.abc import Sequence

from gpkit.games.mastermind.answers import feedback_text
from gpkit.games.mastermind.codes import Code, code_text
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Feedback, State, Turn

BLACK, WHITE, NONE = "x", "o", "."
"""Signs of the pegs of feedback."""


def pegs_text(answer: Feedback, rules: Rules) -> str:
    """Feedback as pegs, the black ones first.

    >>> pegs_text(Feedback(2, 1), Rules())
    'xxo.'
    """
    none = rules.length - answer.black - answer.white
    return BLACK * answer.black + WHITE * answer.white + NONE * none


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
    lines.append(f"    {shown}   {_standing(state)}")
    return "".join(f"{line}\n" for line in lines)


def turn_text(number: int, turn: Turn, rules: Rules) -> str:
    """A numbered guess with its feedback."""
    pegs = pegs_text(turn.feedback, rules)
    return f"{number:2}  {spaced(turn.guess, rules)}   {pegs}  {feedback_text(turn.feedback)}"


def spaced(code: Code, rules: Rules) -> str:
    """The text of a code with blanks between the pegs."""
    return " ".join(code_text(code, rules))


def _standing(state: State) -> str:
    count = len(state.turns)
    made = guesses_text(count)
    if state.is_solved:
        return f"found with {made}"
    if state.is_terminal:
        return f"not found with {made}"
    return f"{made} made, {state.rules.guesses - count} left"


def guesses_text(count: int) -> str:
    """A number of guesses in words."""
    return "1 guess" if count == 1 else f"{count} guesses"
