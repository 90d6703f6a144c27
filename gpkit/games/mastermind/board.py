"""Games as text: a line for each guess with its pegs."""

from gpkit.games.mastermind.answers import feedback_text
from gpkit.games.mastermind.codes import Code, code_text
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Feedback, State

BLACK, WHITE, NONE = "x", "o", "."
"""What a peg of feedback is shown as."""


def pegs_text(answer: Feedback, rules: Rules) -> str:
    """Feedback as pegs, the black ones first.

    >>> pegs_text(Feedback(2, 1), Rules())
    'xxo.'
    """
    none = rules.length - answer.black - answer.white
    return BLACK * answer.black + WHITE * answer.white + NONE * none


def board_text(state: State, *, reveal: bool = False) -> str:
    """The game in lines that end with a line break: each guess with its feedback, and how it stands.

    Args:
        state: the game.
        reveal: whether the code is shown before the end.
    """
    rules = state.rules
    lines = []
    for number, turn in enumerate(state.turns, start=1):
        pegs = pegs_text(turn.feedback, rules)
        lines.append(f"{number:2}  {spaced(turn.guess, rules)}   {pegs}  {feedback_text(turn.feedback)}")
    hidden = " ".join("?" * rules.length)
    shown = spaced(state.secret, rules) if reveal or state.is_terminal else hidden
    lines.append(f"    {shown}   {_standing(state)}")
    return "".join(f"{line}\n" for line in lines)


def spaced(code: Code, rules: Rules) -> str:
    """The text of a code with blanks between the pegs."""
    return " ".join(code_text(code, rules))


def _standing(state: State) -> str:
    count = len(state.turns)
    made = "1 guess" if count == 1 else f"{count} guesses"
    if state.is_solved:
        return f"found with {made}"
    if state.is_terminal:
        return f"not found with {made}"
    return f"{made} made, {state.rules.guesses - count} left"
