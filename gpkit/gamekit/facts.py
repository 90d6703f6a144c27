"""Facts of a step of a game: each is declared where its value is computed, with its meaning.

Conditions, JSON, the words of a trace, notebooks and pages read them.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gpkit.core.errors import GuestError, UsageError
from gpkit.core.json_values import plain
from gpkit.core.plugins import shown_path
from gpkit.gamekit.sight import inner

Value = float | str | None
"""Value of a fact in a step: a number, a text, or None where the step has no such thing."""

Kind = Literal["number", "text", "data"]

GIVEN: Mapping[str, tuple[str, str]] = {
    "before": (
        "the state in which an action was chosen",
        """@fact("bets before it")
def bets_before(before):
    return sum(before.said)""",
    ),
    "action": (
        "the action",
        """@fact("1 for a bet, else 0")
def is_bet(action):
    return action""",
    ),
    "after": (
        "the state after it",
        """@fact("bets so far")
def bets(after):
    return sum(after.said)""",
    ),
    "seat": (
        "that of whoever chose",
        """@fact("card of who chose")
def card(before, seat):
    return before.cards[seat]""",
    ),
    "decision": (
        "the values of the traced program: a decision of ``gpkit.playing.decisions``",
        """@fact("highest value of an action")
def best(decision):
    return max(decision.values.values())""",
    ),
    "step": (
        "all of these, names and texts: a ``gpkit.playing.trace.Step``",
        """@fact("what was said, or nothing", "pass", "bet")
def word(step) -> str:
    return step.text or None""",
    ),
}
"""Arguments that a fact may have, by their names: what each is, and an example."""

_DATA = {"list", "dict", "tuple", "Mapping", "Sequence", "object"}


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a step, and the function that gives it.

    Attributes:
        name: as conditions write it.
        kind: ``number``, ``text``, or ``data`` for lists and dictionaries, which only JSON shows.
        meaning: what it is, in a few words, for people.
        function: of the arguments that it wants.
        wants: their names, each one of ``GIVEN``, or what only the steps of some language have.
        words: texts that it gives and that conditions may write without quotes.
    """

    name: str
    kind: Kind
    meaning: str
    function: Callable[..., Any]
    wants: tuple[str, ...] = ("step",)
    words: tuple[str, ...] = ()

    def of(self, step: Any) -> Any:
        """The value in a step; None where the step lacks something that the fact wants, such as an action.

        Raises:
            GuestError: it is not of the declared kind.
        """
        given = [step if name == "step" else inner(getattr(step, name, None)) for name in self.wants]
        if any(each is None for each in given):
            return None
        value = self.function(*given)
        if self.kind == "data":
            return plain(value, repr)
        if value is None or isinstance(value, str) == (self.kind == "text"):
            try:
                return value if value is None or self.kind == "text" else float(value)
            except (TypeError, ValueError):
                pass
        code = inspect.unwrap(self.function).__code__
        place = f"{shown_path(code.co_filename)}, line {code.co_firstlineno}"
        more = "" if self.kind == "text" else "; a text is declared with `-> str`"
        raise GuestError(f"{place}: the fact {self.name} is {value!r}; declared as a {self.kind}{more}")


def fact(meaning: str, *words: str) -> Callable[[Callable[..., Any]], Fact]:
    """A fact from a function of a step; conditions use the name of the function, such as ``left``.

    The function says by the names of its arguments (``GIVEN``) what it needs. A step that lacks one of them, such as
    the beginning, which has no action, lacks the fact. It gives a number; with ``-> str`` a text; with ``-> list`` or
    ``-> dict`` data for JSON.

    >>> @fact("sticks that were taken")
    ... def taken(before, after):
    ...     return before.sticks - after.sticks
    >>> taken.name, taken.kind, taken.wants
    ('taken', 'number', ('before', 'after'))

    Args:
        meaning: what it is, in a few words, for people.
        words: texts that it gives and that conditions may write without quotes.

    Raises:
        UsageError: the function has other arguments.
    """

    def declare(function: Callable[..., Any]) -> Fact:
        signature = inspect.signature(function)
        wants = tuple(signature.parameters)
        wrong = [name for name in wants if name not in GIVEN]
        if wrong or not wants:
            has = f"has the argument `{wrong[0]}`" if wrong else "has no arguments"
            raise UsageError(f"the fact {function.__name__} {has}; expected some of {', '.join(GIVEN)}")
        returned = set(re.findall(r"\w+", inspect.formatannotation(signature.return_annotation)))
        kind: Kind = "data" if returned & _DATA else "text" if "str" in returned else "number"
        return Fact(function.__name__.rstrip("_"), kind, meaning, function, wants, words)

    return declare


def facts_of(names: Mapping[str, Any]) -> tuple[Fact, ...]:
    """The facts among the names of a module, in the order of being declared."""
    return tuple(each for each in names.values() if isinstance(each, Fact))
