"""Selectors, schemes, stopping rules and callbacks from outside: called, checked, and blamed for what they do wrong."""

import inspect
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError, UsageError
from gpkit.evolution.individual import Individual, Population
from gpkit.evolution.own_parts import called, check_takes, parameters_of
from gpkit.evolution.parts import Part, Parts, Sent, blame
from gpkit.evolution.problem import Representation
from gpkit.evolution.schemes import Mating, ParentCount, Scheme, Shares
from gpkit.evolution.selection import Draw, Selector


@dataclass(frozen=True, slots=True, eq=False)
class OwnSelector:
    """Selector from outside: a value with ``prepare``, or a function of a random generator and the population."""

    name: str
    sent: Sent

    def prepare(self, population: Sequence[Individual[Any]]) -> Draw:
        """The draw from one population, sorted best first.

        Raises:
            GuestError: it raises, or draws a place that there is not.
        """
        value, what = self.sent.value, f"the selector `{self.name}`"
        made = called(value.prepare, value.prepare, what, population) if hasattr(value, "prepare") else None

        def draw(rng: np.random.Generator) -> int:
            try:
                found = value(rng, population) if made is None else made(rng)
            except Exception as error:
                raise blame(error, value, what) from error
            return checked_place(found, len(population), what)

        return draw


def checked_place(found: Any, count: int, what: str) -> int:
    """The place of an individual that somebody from outside gave.

    Raises:
        GuestError: there is no such place.
    """
    try:
        place = operator.index(found)
    except TypeError:
        place = -1
    if not 0 <= place < count:
        raise GuestError(
            f"{what} returned {shortened(repr(found))} for a population of {count} individuals; expected a place "
            f"from 0 to {count - 1}, the best first"
        )
    return place


def selector_of(name: str, part: Part, table: Any) -> Selector:
    """The selector of a part, which is one, or a function of the table [selection] that gives one, or draws itself.

    Raises:
        UsageError: it is none of these.
        GuestError: it raises.
    """
    value, what = part.value, f"the selector `{name}`"
    if not part.version:
        shipped: Selector = value(table)
        return shipped
    if not hasattr(value, "prepare") or inspect.isclass(value):
        count = len(parameters_of(value, what))
        if count == 1:
            value = called(value, value, what, table)
        elif count != 2:
            raise UsageError(
                f"{what} takes {count} arguments; expected {name}(rng, population), which gives a place"
            )
    return OwnSelector(name, Sent(value))


@dataclass(frozen=True, slots=True, eq=False)
class OwnScheme(Scheme):
    """Scheme from outside: its matings name operators and places that there are, and it ranks all individuals."""

    name: str
    sent: Sent
    shares: Shares

    @property
    def parents_stay(self) -> bool:  # type: ignore[override]
        """Whether parents compete with their children."""
        return bool(getattr(self.sent.value, "parents_stay", False))

    def prepare(self, population: Sequence[Individual[Any]], size: int, parents: ParentCount) -> Mating:
        """The mating for ``size`` children.

        Raises:
            GuestError: it raises, or names an operator or a place that there is not.
        """
        value, what = self.sent.value, f"the scheme `{self.name}`"
        made = called(value.prepare, value.prepare, what, population, size, parents)
        known = {"clone", *(name for name, _ in self.shares)}

        def mating(rng: np.random.Generator, index: int) -> tuple[str, list[int]]:
            try:
                operator, places = made(rng, index)
                chosen = [*places]
            except Exception as error:
                raise blame(error, value.prepare, what) from error
            if operator not in known or len(chosen) != parents(operator):
                raise GuestError(
                    f"{what} returned ({operator!r}, {chosen}); expected an operator and its parents' places"
                )
            return operator, [checked_place(each, len(population), what) for each in chosen]

        return mating

    def rank(self, individuals: Sequence[Individual[Any]]) -> Population[Any]:
        """The individuals, the best first.

        Raises:
            GuestError: it raises, or loses some.
        """
        value, what = self.sent.value, f"the scheme `{self.name}`"
        if not hasattr(value, "rank"):
            return Scheme.rank(self, individuals)
        found = tuple(called(value.rank, value.rank, what, individuals))
        if len(found) != len(individuals) or any(not isinstance(each, Individual) for each in found):
            raise GuestError(
                f"{what} ranked {len(found)} of {len(individuals)} individuals; expected all, best first"
            )
        return found

    def survivors(self, individuals: Sequence[Individual[Any]], size: int) -> Population[Any]:
        """Those who make up the next generation, the best first."""
        value = self.sent.value
        kept = (
            value.survivors(individuals, size)
            if hasattr(value, "survivors")
            else self.rank(individuals)[:size]
        )
        found: Population[Any] = tuple(kept)
        return found

    def room(self, size: int) -> tuple[int, int]:
        """The least and the greatest number of individuals of a population with so many children."""
        value = self.sent.value
        found: tuple[int, int] = value.room(size) if hasattr(value, "room") else (size, size)
        return found

    def behaviour(
        self, individual: Individual[Any], representation: Representation[Any]
    ) -> tuple[float, ...]:
        """The behaviour of an individual that was just evaluated."""
        value = self.sent.value
        has = hasattr(value, "behaviour")
        found: tuple[float, ...] = (
            value.behaviour(individual, representation) if has else individual.behaviour
        )
        return found


def scheme_of_part(name: str, part: Part, table: Any, shares: Shares, selector: Selector) -> Scheme:
    """The scheme of a part: a function of the table [scheme], the shares of operators, and the selector.

    Raises:
        GuestError: it raises.
    """
    if not part.version:
        shipped: Scheme = part.value(table, shares, selector)
        return shipped
    made = called(part.value, part.value, f"the scheme `{name}`", table, shares, selector)
    if not hasattr(made, "prepare"):
        raise GuestError(f"the scheme `{name}` gave {shortened(repr(made))}, which has no prepare")
    return OwnScheme(name, Sent(made), shares)


def rule_of(name: str, part: Part, value: Any) -> Callable[[Any], str | None]:
    """The stopping rule of a part, a function of the value of its key that gives a function of the state.

    Raises:
        GuestError: it raises, or gives no function.
    """
    if not part.version:
        shipped: Callable[[Any], str | None] = part.value(value)
        return shipped
    what = f"the stopping rule `{name}`"
    rule = called(part.value, part.value, what, value)
    if not callable(rule):
        raise GuestError(f"{what} gave {shortened(repr(rule))}; expected a function of the state of a search")
    return own_rule(name, rule)


def own_rule(name: str, rule: Callable[[Any], Any]) -> Callable[[Any], str | None]:
    """A stopping rule from outside: the reason that it gives, or its name where it gives True.

    Raises:
        UsageError: it takes other arguments than a state.
    """
    check_takes(rule, f"the stopping rule `{name}`", "state")

    def reason(state: Any) -> str | None:
        found = called(rule, rule, f"the stopping rule `{name}`", state)
        return f"the rule {name}" if found is True else str(found) if found else None

    return reason


CALLBACK_SECONDS = 60.0
"""Seconds that one call of a callback may take."""


@dataclass(frozen=True, slots=True, eq=False)
class OwnObjective:
    """Objective from outside: a function of an individual, the more the better."""

    name: str
    sent: Sent

    def __call__(self, individual: Individual[Any]) -> float:
        """The value of an individual that was evaluated.

        Raises:
            GuestError: it raises, or gives no number.
        """
        what = f"the objective `{self.name}`"
        try:
            found = self.sent.value(individual)
        except Exception as error:
            raise blame(error, self.sent.value, what) from error
        try:
            return float("no number" if isinstance(found, str | bytes) else found)
        except (TypeError, ValueError) as error:
            shown = f"{shortened(repr(found))} ({type(found).__name__})"
            raise GuestError(f"{what} returned {shown}; expected a number, the more the better") from error


class Callbacks:
    """Callbacks from outside: called for every generation, which the first that gives False makes the last."""

    def __init__(self, names: Sequence[str], parts: Parts) -> None:
        """Callbacks by name.

        Raises:
            UsageError: there is no such callback, or it takes other arguments.
        """
        self._functions = {name: parts.find("callback", name).value for name in names}
        for name, function in self._functions.items():
            check_takes(function, f"the callback `{name}`", "summary", "champion")
        self._ended = ""

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self._functions)

    def generation(self, summary: Any, champion: Any) -> None:
        """Call them with the numbers of a generation, and the champion so far.

        Raises:
            GuestError: one raises.
        """
        for name, function in self._functions.items():
            what = f"the callback `{name}`"
            if called(function, function, what, summary, champion, seconds=CALLBACK_SECONDS) is False:
                self._ended = self._ended or name

    def stop(self, _state: Any) -> str | None:
        """The reason to end, if one of them wants it."""
        return f"the callback {self._ended}" if self._ended else None
