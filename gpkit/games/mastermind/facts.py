"""Facts about a step of Mastermind; a step is one guess with its answer."""

from gpkit.gamekit.facts import fact, facts_of
from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE
from gpkit.games.mastermind.rules import code_text, count_left
from gpkit.games.mastermind.state import MastermindState
from gpkit.playing.decisions import Decision


@fact("guesses made before it")
def turn(before: MastermindState) -> int:
    """The number of guesses made before the step."""
    return len(before.turns)


@fact("how many pegs have the right colour in the right place")
def black(action: int, after: MastermindState) -> int:
    """The number of black pegs in the answer."""
    return after.turns[-1].feedback.black


@fact("how many other pegs have a right colour in a wrong place")
def white(action: int, after: MastermindState) -> int:
    """The number of white pegs in the answer."""
    return after.turns[-1].feedback.white


@fact("how many codes could be the secret before the guess")
def left(before: MastermindState) -> int | None:
    """The number of codes left before the guess; None if there are too many codes to list."""
    return count_left(before.turns, before.rules)


@fact("how many codes can be the secret after the guess")
def after_(after: MastermindState) -> int | None:
    """The number of codes left after the guess; None if there are too many codes to list."""
    return count_left(after.turns, after.rules)


@fact("1 if only one or two codes were left, so that there was nothing to choose, else 0")
def settled(before: MastermindState) -> bool:
    """Whether there was nothing to choose, because at most two codes were left."""
    return (count_left(before.turns, before.rules) or before.rules.codes) <= NOTHING_TO_CHOOSE


@fact("how many kinds of guesses the program could tell apart")
def groups(decision: Decision) -> int:
    """The number of groups of guesses; the program cannot distinguish the guesses in one group."""
    return len(decision.actions)


@fact("the code that is hidden")
def secret(after: MastermindState) -> object:
    """The secret code as digits or letters; this fact appears only in JSON."""
    return code_text(after.secret, after.rules)


FACTS = facts_of(globals())
