"""Facts of a step of Mastermind: a step is one guess with its answer."""

from gpkit.gamekit.facts import fact, facts_of
from gpkit.games.mastermind.codes import code_of_number, code_text
from gpkit.games.mastermind.exact import count_left
from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE
from gpkit.games.mastermind.state import State
from gpkit.playing.decisions import Decision


@fact("guesses made before it")
def turn(before: State) -> int:
    """The guesses made before the step."""
    return len(before.turns)


@fact("the code that was guessed, such as '1123'")
def guess(before: State, action: int) -> str:
    """The guess in digits or letters."""
    return code_text(code_of_number(action, before.rules), before.rules)


@fact("pegs of the right colour in the right place")
def black(action: int, after: State) -> int:
    """The black pegs of the answer."""
    return after.turns[-1].feedback.black


@fact("further pegs of a right colour")
def white(action: int, after: State) -> int:
    """The white pegs of the answer."""
    return after.turns[-1].feedback.white


@fact("codes that could be the secret before it")
def left(before: State) -> int | None:
    """The codes left before the guess; None where codes cannot be listed."""
    return count_left(before.turns, before.rules)


@fact("codes that can be the secret after it")
def after_(after: State) -> int | None:
    """The codes left after the guess; None where codes cannot be listed."""
    return count_left(after.turns, after.rules)


@fact("1 if one or two were left, so that there was nothing to choose, else 0")
def forced(before: State) -> bool:
    """Whether a program had nothing to choose."""
    return (count_left(before.turns, before.rules) or before.rules.codes) <= NOTHING_TO_CHOOSE


@fact("kinds of guesses that the program could tell apart")
def candidates(decision: Decision) -> int:
    """The candidates of the traced program."""
    return len(decision.actions)


@fact("the code that is hidden")
def secret(after: State) -> object:
    """The secret in digits or letters, for JSON alone."""
    return code_text(after.secret, after.rules)


FACTS = facts_of(globals())
