"""Calls to user-defined parts in a search, and checks of their results."""

import inspect
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GpkitError, GuestError, UsageError
from gpkit.core.registry import language_entry
from gpkit.evolution.config import Config
from gpkit.evolution.parts import Operator, Part, Parts, Wrap, register
from gpkit.evolution.problem import Child, Genome, Individual, Population, Representation
from gpkit.evolution.schemes import Draw, Mating, ParentCount, Scheme, Selector, Shares
from gpkit.langkit.language import Language


def parameters_of(value: object, what: str) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function.

    Raises:
        UsageError: the value is not a function.
    """
    try:
        return inspect.signature(value).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise UsageError(f"{what} is {shortened(repr(value))}; expected a function") from None


def check_takes(value: object, what: str, *arguments: str) -> None:
    """Check that a function takes this many arguments; a function with an unknown signature passes.

    Args:
        value: the function.
        what: the function's name in messages, such as "the callback `mine`".
        arguments: the names of the arguments in messages.

    Raises:
        UsageError: the function does not take these arguments.
    """
    try:
        inspect.signature(value).bind(*arguments)  # type: ignore[arg-type]
    except ValueError:
        return
    except TypeError:
        given = f"takes {inspect.signature(value)}" if callable(value) else f"is {shortened(repr(value))}"
        raise UsageError(f"{what} {given}; expected a function of ({', '.join(arguments)})") from None


def shown(value: object) -> str:
    """The description of a part's value, with its type, for messages."""
    return f"{shortened(repr(value))} ({type(value).__name__})"


def with_space(part: Part, space: Representation[Genome]) -> Callable[..., Any]:
    """The function of a part; if it takes the keyword ``space``, gpkit fills in the representation.

    Raises:
        UsageError: the part is not a function.
    """
    return partial(part.value, space=space) if "space" in parameters_of(part.value, part.what) else part.value


def own_child(
    part: Part,
    wrap: Wrap | None,
    language: str,
    space: Representation[Genome],
    rng: np.random.Generator,
    parents: Sequence[Genome],
) -> Child[Genome]:
    """The child that a user's operator makes from its parents.

    Args:
        part: the operator, a function or an ``Operator``.
        wrap: makes the programs that the function receives.
        language: the name of the programs' language; gpkit cannot send a ``Language`` to workers.
        space, rng, parents: the arguments of an ``Operator``.

    Raises:
        GuestError: the operator raises an error, does not return, changes a parent, or returns something
            other than a program.
    """
    before = [space.print(each) for each in parents]
    if isinstance(part.value, Operator):
        made = part.call(part.value.apply, space, rng, parents)
    else:
        given = (
            parents if wrap is None else [wrap(each, language_entry(language).load(), {}) for each in parents]
        )
        made = part.call(with_space(part, space), rng, *given)
    if [space.print(each) for each in parents] != before:
        raise GuestError(
            f"{part.what} changed its parent, which other individuals share: return a new program instead"
        )
    return child_in(made, space, part.what)


def own_operator(part: Part, wrap: Wrap | None, language: str) -> Operator:
    """The operator of a part: an ``Operator``, or a function of a random generator and one or two programs.

    Raises:
        UsageError: the part is neither an operator nor such a function.
    """
    make = partial(own_child, part, wrap, language)
    if isinstance(part.value, Operator):
        return Operator(part.value.parents, make)
    places = [
        each
        for each in parameters_of(part.value, part.what).values()
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) and each.name != "space"
    ]
    if len(places) not in (2, 3):
        name = part.name
        raise UsageError(
            f"{part.what} takes {max(0, len(places) - 1)} programs; expected a function such as {name}(rng, program) "
            f"or {name}(rng, program, donor)"
        )
    return Operator(len(places) - 1, make)


def child_in(value: Any, space: Representation[Genome], what: str) -> Child[Genome]:
    """The child that a value represents: the value is a program, a program's text, a genome, or a ``Child``.

    Raises:
        GuestError: the value is not one of these, or the search does not allow the program.
    """
    made = value if isinstance(value, Child) else Child(value)
    genome = made.genome.named.source.program if hasattr(made.genome, "named") else made.genome
    try:
        if isinstance(genome, str):
            return Child(space.parse(genome), made.places)
        if space.parse(space.print(genome)) == genome:
            return Child(genome, made.places)
        why = "its text means another one"
    except GpkitError as error:
        why = str(error)
    except Exception:
        why = "a gpkit.Program, its text, or a genome is expected"
    raise GuestError(f"{what} returned {shown(made.genome)}, which is not a program: {why}")


@dataclass(frozen=True, slots=True, eq=False)
class OwnRepresentation:
    """A representation with user-defined operators or a user-defined initialiser; the rest comes from the language.

    Attributes:
        inner: the representation of the language.
        own: the user's operators, by name.
        initialiser: creates genomes from a random generator and an index; None means the method of the language.
    """

    inner: Representation[Any]
    own: Mapping[str, Operator] = field(default_factory=dict)
    initialiser: Part | None = None

    @property
    def operators(self) -> Sequence[str]:
        """The names of the operators."""
        return (*self.inner.operators, *self.own)

    def parents(self, operator: str) -> int:
        """The number of parents that an operator takes."""
        own = self.own.get(operator)
        return self.inner.parents(operator) if own is None else own.parents

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Genome]) -> Child[Genome]:
        """The child that an operator makes from its parents."""
        own = self.own.get(operator)
        return self.inner.vary(rng, operator, parents) if own is None else own.apply(self.inner, rng, parents)

    def create(self, rng: np.random.Generator, index: int) -> Any:
        """A genome of the first generation.

        Raises:
            GuestError: the initialiser raises an error, or returns something other than a program.
        """
        first, space = self.initialiser, self.inner
        if first is None:
            return space.create(rng, index)
        return child_in(first.call(with_space(first, space), rng, index), space, "the initialiser").genome

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the language's representation."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.inner, name)


def extended(
    representation: Representation[Genome], config: Config, parts: Parts, language: Language
) -> Representation[Genome]:
    """The representation, extended by the user-defined operators and initialiser that a configuration names.

    Raises:
        UsageError: there is no such part.
        GuestError: the part's distribution cannot be imported.
    """
    known = representation.operators
    own = {
        name: own_operator(parts.find("operator", name, language.name), parts.wrap, language.name)
        for name in config.operators
        if name not in known
    }
    first = parts.find("initialiser", config.population.initialiser, language.name)
    is_own = first.value is not created
    if is_own:
        check_takes(with_space(first, representation), first.what, "rng", "index")
    if not own and not is_own:
        return representation
    return OwnRepresentation(representation, own, first if is_own else None)


def created(rng: np.random.Generator, index: int, *, space: Representation[Genome]) -> Genome:
    """A genome of the first generation, made by the language."""
    return space.create(rng, index)


register("initialiser", "random", created)


@dataclass(frozen=True, slots=True, eq=False)
class OwnSelector:
    """A user-defined selector: a value with ``prepare``, or a function of a random generator and the population."""

    part: Part

    def prepare(self, population: Sequence[Individual[Genome]]) -> Draw:
        """The function that draws parents from a population, sorted best first.

        Raises:
            GuestError: the selector raises an error, or draws a position that does not exist.
        """
        part, value = self.part, self.part.value
        made = part.call(value.prepare, population) if hasattr(value, "prepare") else None

        def draw(rng: np.random.Generator) -> int:
            with part.blaming(value):
                found = value(rng, population) if made is None else made(rng)
            return checked_place(found, len(population), part.what)

        return draw


def own_selector(part: Part, table: object) -> OwnSelector:
    """The selector from a part: a selector, a function that makes one from [selection], or a function that draws.

    Raises:
        UsageError: the part is not one of these.
        GuestError: it raises.
    """
    if not hasattr(part.value, "prepare") or inspect.isclass(part.value):
        count = len(parameters_of(part.value, part.what))
        if count == 1:
            return OwnSelector(replace(part, value=part.call(part.value, table)))
        if count != 2:
            raise UsageError(
                f"{part.what} takes {count} arguments; expected {part.name}(rng, population), which returns a position"
            )
    return OwnSelector(part)


def checked_place(found: Any, count: int, what: str) -> int:
    """Check the position of an individual that an external part returned, and return the position.

    Raises:
        GuestError: there is no such position.
    """
    try:
        place = operator.index(found)
    except TypeError:
        place = -1
    if not 0 <= place < count:
        raise GuestError(
            f"{what} returned {shortened(repr(found))} for a population of {count} individuals; expected a position "
            f"from 0 to {count - 1}, the best first"
        )
    return place


@dataclass(frozen=True, slots=True, eq=False)
class OwnScheme(Scheme):
    """A user-defined scheme; checks that its matings name known operators and positions and that it loses nobody."""

    part: Part
    shares: Shares

    @property
    def parents_stay(self) -> bool:  # type: ignore[override]
        """Whether parents compete with their children."""
        return bool(getattr(self.part.value, "parents_stay", False))

    def prepare(self, population: Sequence[Individual[Genome]], size: int, parents: ParentCount) -> Mating:
        """The mating that makes ``size`` children.

        Raises:
            GuestError: the scheme raises an error, or names an operator or a position that does not exist.
        """
        prepare, part = self.part.value.prepare, self.part
        made = part.call(prepare, population, size, parents)
        known = {"clone", *(name for name, _ in self.shares)}

        def mating(rng: np.random.Generator, index: int) -> tuple[str, list[int]]:
            with part.blaming(prepare):
                operator, places = made(rng, index)
                chosen = [*places]
            if operator not in known or len(chosen) != parents(operator):
                raise GuestError(
                    f"{part.what} returned ({operator!r}, {chosen}); expected an operator and its parents' positions"
                )
            return operator, [checked_place(each, len(population), part.what) for each in chosen]

        return mating

    def rank(self, individuals: Sequence[Individual[Genome]]) -> Population[Genome]:
        """The individuals, best first.

        Raises:
            GuestError: the scheme raises an error, or loses individuals.
        """
        found = tuple(self._call("rank", individuals))
        if len(found) != len(individuals) or any(not isinstance(each, Individual) for each in found):
            raise GuestError(
                f"{self.part.what} ranked {len(found)} of {len(individuals)} individuals; expected all, best first"
            )
        return found

    def survivors(self, individuals: Sequence[Individual[Genome]], size: int) -> Population[Genome]:
        """The individuals that form the next generation, best first."""
        return tuple(self._call("survivors", individuals, size))

    def room(self, size: int) -> tuple[int, int]:
        """The minimum and maximum size of a population with this many children."""
        return self._call("room", size)  # type: ignore[no-any-return]

    def behaviour(
        self, individual: Individual[Genome], representation: Representation[Genome]
    ) -> tuple[float, ...]:
        """The behaviour of an individual that was just evaluated."""
        return self._call("behaviour", individual, representation, seconds=math.inf)  # type: ignore[no-any-return]

    def _call(self, name: str, *arguments: object, seconds: float | None = None) -> Any:
        """Call the method with this name; if the user's scheme has no such method, call the method of ``Scheme``.

        Raises:
            GuestError: the method raises an error, or takes longer than ``seconds``.
        """
        method = getattr(self.part.value, name, None)
        if method is None:
            return getattr(Scheme, name)(self, *arguments)
        return self.part.call(method, *arguments, seconds=seconds)


def own_scheme(part: Part, table: object, shares: Shares, selector: Selector) -> OwnScheme:
    """The scheme from a part: a function of the table [scheme], the operators' shares, and the selector.

    Raises:
        GuestError: the function raises an error, or returns no scheme.
    """
    made = part.call(part.value, table, shares, selector)
    if not hasattr(made, "prepare"):
        raise GuestError(f"{part.what} returned {shortened(repr(made))}, which has no prepare")
    return OwnScheme(replace(part, value=made), shares)


def rule_made(part: Part, value: object) -> Callable[[object], str | None]:
    """The stopping rule (a function of the state) that an external part makes from the value of its key.

    Raises:
        UsageError: this function takes arguments other than a state.
        GuestError: the part raises an error, or returns no function.
    """
    rule = part.call(part.value, value)
    if not callable(rule):
        raise GuestError(
            f"{part.what} returned {shortened(repr(rule))}; expected a function of the state of a search"
        )
    return own_rule(replace(part, value=rule))


def own_rule(part: Part) -> Callable[[object], str | None]:
    """A user-defined stopping rule; its reason is the string that the function returns, or the rule's name for True.

    Raises:
        UsageError: the rule takes arguments other than a state.
    """
    check_takes(part.value, part.what, "state")

    def reason(state: object) -> str | None:
        found = part.call(part.value, state)
        return f"the rule {part.name}" if found is True else str(found) if found else None

    return reason


def own_objective(part: Part, individual: Individual[Genome]) -> tuple[float]:
    """The value of a user's objective for an evaluated individual, as a tuple; higher is better.

    Raises:
        GuestError: the objective raises an error, or does not return a number.
    """
    with part.blaming(part.value):
        found = part.value(individual)
    try:
        return (float("no number" if isinstance(found, str | bytes) else found),)
    except (TypeError, ValueError) as error:
        raise GuestError(
            f"{part.what} returned {shown(found)}; expected a number; higher is better"
        ) from error


CALLBACK_SECONDS = 60.0
"""The time limit in seconds for one call of a callback."""


class Callbacks:
    """The user's callbacks; gpkit calls them for every generation, and the first one to return False ends the run."""

    def __init__(self, names: Sequence[str], parts: Parts) -> None:
        """Callbacks by name.

        Raises:
            UsageError: there is no such callback, or it takes different arguments.
        """
        self._parts, self._ended = [parts.find("callback", name) for name in names], ""
        for part in self._parts:
            check_takes(part.value, part.what, "summary", "champion")

    def generation(self, summary: object, champion: object) -> None:
        """Call the callbacks with the summary of a generation and the champion so far.

        Raises:
            GuestError: a callback raises an error.
        """
        for part in self._parts:
            if part.call(part.value, summary, champion, seconds=CALLBACK_SECONDS) is False:
                self._ended = self._ended or part.name

    def stop(self, _state: object) -> str | None:
        """The reason to stop, if a callback has ended the run."""
        return f"the callback {self._ended}" if self._ended else None
