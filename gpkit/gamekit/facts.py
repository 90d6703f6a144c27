"""Facts about the steps of a game: a function computes each fact, and the decorator ``@fact`` adds its meaning.

Facts appear in conditions, JSON, traces, notebooks and web pages.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gpkit.core.codec import plain
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import shown_path
from gpkit.gamekit.state import inner

Value = float | str | None
"""The value of a fact in a step: a number, a string, or None if the fact has no value in this step."""

Kind = Literal["number", "text", "data"]

GIVEN = ("before", "action", "after", "seat", "decision", "step")
"""The names of the arguments that the function of a fact may take."""

_DATA = {"list", "dict", "tuple", "Mapping", "Sequence", "object"}


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a step, and the function that computes it.

    Attributes:
        name: the name that conditions use.
        kind: ``number``, ``text``, or ``data`` for lists and dictionaries, which appear only in JSON.
        meaning: a short description for people.
        function: computes the value from the arguments named in ``wants``.
        wants: the names of the function's arguments; each is in ``GIVEN`` or is an attribute of the steps of one
            language.
        words: possible values that need no quotes in conditions.
    """

    name: str
    kind: Kind
    meaning: str
    function: Callable[..., Any]
    wants: tuple[str, ...] = ("step",)
    words: tuple[str, ...] = ()

    def of(self, step: Any) -> Any:
        """The value of the fact in a step; None if the step lacks an argument of the function, such as the action.

        Raises:
            GuestError: the value does not have the declared kind.
        """
        return self.checked(self.asked(step))

    def asked(self, step: object) -> Any:
        """The value that the function returns for a step; None if the step lacks one of its arguments."""
        given = [step if name == "step" else inner(getattr(step, name, None)) for name in self.wants]
        return None if any(each is None for each in given) else self.function(*given)

    def checked(self, value: Any) -> Any:
        """Convert a returned value for conditions and JSON.

        Raises:
            GuestError: the value does not have the declared kind.
        """
        if self.kind == "data":
            return plain(value, repr)
        if value is None or isinstance(value, str) == (self.kind == "text"):
            try:
                return value if value is None or self.kind == "text" else float(value)
            except (TypeError, ValueError):
                pass
        more = "" if self.kind == "text" else "; for a text, declare `-> str`"
        raise GuestError(f"{self.place}: the fact {self.name} is {value!r}; declared as a {self.kind}{more}")

    @property
    def place(self) -> str:
        """The file and the line of the function."""
        code = inspect.unwrap(self.function).__code__
        return f"{shown_path(code.co_filename)}, line {code.co_firstlineno}"


def fact(meaning: str, *words: str) -> Callable[[Callable[..., Any]], Fact]:
    """Turn a function into a fact; conditions use the function's name, such as ``left``.

    The names of the function's arguments select the values that it needs: ``before``, ``action``, ``after``, ``seat``,
    ``decision`` or ``step``. If a step lacks one of these values, the fact has no value in that step; for example, the
    beginning of a game has no action. The function returns a number, a string if it is annotated with ``-> str``, or
    data for JSON if it is annotated with ``-> list`` or ``-> dict``.

    >>> @fact("sticks that were taken")
    ... def taken(before, after):
    ...     return before.sticks - after.sticks
    >>> taken.name, taken.kind, taken.wants
    ('taken', 'number', ('before', 'after'))

    Args:
        meaning: a short description for people.
        words: possible values that need no quotes in conditions.

    Raises:
        UsageError: the function has no arguments, or arguments other than these.
    """

    def declare(function: Callable[..., object]) -> Fact:
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


def facts_of(names: Mapping[str, object]) -> tuple[Fact, ...]:
    """The facts that a module declares, in order."""
    return tuple(each for each in names.values() if isinstance(each, Fact))


USUAL = (
    Fact("step", "number", "the number of the step; 0 is the beginning", lambda step: step.number),
    Fact("seat", "number", "the seat of the player who chose", lambda seat: seat, ("seat",)),
    Fact("player", "text", "the name of the player who chose", lambda step: step.name or None),
    Fact(
        "mine",
        "number",
        "1 if the traced program chose, else 0",
        lambda step: None if step.before is None else step.is_mine,
    ),
    Fact("action", "text", "the action as people write it", lambda step: step.text or None),
    Fact(
        "candidates",
        "number",
        "the number of legal actions",
        lambda step: step.choices or None,
    ),
    Fact(
        "forced",
        "number",
        "1 if only one action was legal, else 0",
        lambda step: step.choices == 1 if step.choices else None,
    ),
    Fact(
        "value",
        "number",
        "the traced program's value of the action",
        lambda step: step.winner and step.winner.value,
    ),
    Fact(
        "margin",
        "number",
        "the margin of this value over the next best",
        lambda step: step.winner and step.decision.margin,
    ),
    Fact(
        "mistake",
        "number",
        "the cost of the choice, as a share of the range of scores, with --mistakes",
        lambda step: step.mistake,
    ),
    Fact("over", "number", "1 at the end of the game, else 0", lambda after: after.is_terminal, ("after",)),
    Fact("score", "number", "the score of the traced program, at the end", lambda step: step.score),
)
"""The facts that every game has."""

OPEN = tuple(each for each in USUAL if each.name in ("step", "player", "mine", "over", "score"))
"""The facts that a human player may always see."""
