"""Parts from outside within a search: called, checked, and blamed for what they do wrong."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GpkitError, GuestError, UsageError
from gpkit.core.registry import language_entry
from gpkit.core.timeouts import Stuck, watched
from gpkit.evolution.parts import Operator, Part, Parts, Sent, Wrap, blame, register
from gpkit.evolution.problem import Child, Representation

SECONDS = 10.0
"""Seconds that one call of an operator or initialiser from outside may take."""


@dataclass(frozen=True, slots=True, eq=False)
class OwnOperator:
    """Operator from outside in a search.

    Attributes:
        name: in the configuration.
        sent: its function, or its ``Operator``.
        parents: how many it takes.
        takes_space: whether the function takes the representation, by the keyword ``space``.
        wrap: makes the programs that the function gets.
        language: name of that of the programs; a ``Language`` cannot be sent to workers.
    """

    name: str
    sent: Sent
    parents: int
    takes_space: bool
    wrap: Wrap | None
    language: str

    def __call__(self, space: Any, rng: np.random.Generator, parents: Sequence[Any]) -> Child[Any]:
        """The child of genomes.

        Raises:
            GuestError: it raises, does not come back, changes a parent, or gives what is no program.
        """
        what, before = f"the operator `{self.name}`", [space.print(each) for each in parents]
        value = called(self._made, self.sent.value, what, space, rng, parents)
        if [space.print(each) for each in parents] != before:
            raise GuestError(f"{what} changed its parent, which others share: return a new program instead")
        return child_in(value, space, what)

    def _made(self, space: Any, rng: np.random.Generator, parents: Sequence[Any]) -> Any:
        function = self.sent.value
        if isinstance(function, Operator):
            return function.apply(space, rng, parents)
        language = language_entry(self.language).load()
        wrapped = [self.wrap(each, language, {}) for each in parents] if self.wrap else parents
        return function(rng, *wrapped, **({"space": space} if self.takes_space else {}))


def own_operator(name: str, part: Part, parts: Parts, language: Any) -> OwnOperator:
    """The operator of a part: an ``Operator``, or a function of a random generator and one or two programs.

    Raises:
        UsageError: it is neither.
    """
    value = part.value
    if isinstance(value, Operator):
        return OwnOperator(name, Sent(value), value.parents, False, None, language.name)
    taken = parameters_of(value, f"the operator `{name}`")
    places = [
        each for each in taken.values() if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]
    count = len([each for each in places if each.name != "space"]) - 1
    if count not in (1, 2):
        raise UsageError(
            f"the operator `{name}` takes {max(0, count)} programs; expected a function such as {name}(rng, program) "
            f"or {name}(rng, program, donor)"
        )
    return OwnOperator(name, Sent(value), count, "space" in taken, parts.wrap, language.name)


def parameters_of(value: Any, what: str) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function.

    Raises:
        UsageError: it is none.
    """
    try:
        return inspect.signature(value).parameters
    except (TypeError, ValueError):
        raise UsageError(f"{what} is {shortened(repr(value))}; expected a function") from None


def check_takes(value: Any, what: str, *arguments: str) -> None:
    """Check that a function can be called with so many arguments; one whose signature nobody knows may be.

    Args:
        value: the function.
        what: it is, such as "the callback `mine`".
        arguments: their names in messages.

    Raises:
        UsageError: it cannot.
    """
    try:
        inspect.signature(value).bind(*arguments)
    except ValueError:
        return
    except TypeError:
        given = f"takes {inspect.signature(value)}" if callable(value) else f"is {shortened(repr(value))}"
        raise UsageError(f"{what} {given}; expected a function of ({', '.join(arguments)})") from None


def called(
    function: Callable[..., Any], blamed: Any, what: str, *arguments: Any, seconds: float | None = None
) -> Any:
    """The value of a call into code from outside, which may take so many seconds, or ``SECONDS``.

    Raises:
        GuestError: it raises, or does not come back.
    """
    seconds = SECONDS if seconds is None else seconds
    try:
        with watched(seconds, lambda file: True):
            return function(*arguments)
    except Stuck:
        raise GuestError(f"{what} did not return within {seconds:g} seconds") from None
    except (Exception, SystemExit) as error:
        raise blame(error, blamed, what) from error


def child_in(value: Any, space: Any, what: str) -> Child[Any]:
    """The child that a value means: a program, its text, a genome, or a ``Child``.

    Raises:
        GuestError: it is none of these, or no program of what is searched.
    """
    places: tuple[tuple[str, int], ...] = ()
    if isinstance(value, Child):
        value, places = value.genome, value.places
    genome = value.named.source.program if hasattr(value, "named") else value
    try:
        if isinstance(genome, str):
            return Child(space.parse(genome), places)
        if space.parse(space.print(genome)) == genome:
            return Child(genome, places)
        why = "its text means another one"
    except GpkitError as error:
        why = str(error)
    except Exception:
        why = "a gpkit.Program, its text, or a genome is expected"
    raise GuestError(
        f"{what} returned {shortened(repr(value))} ({type(value).__name__}), which is no program: {why}"
    )


@dataclass(frozen=True, slots=True, eq=False)
class OwnRepresentation:
    """Representation with operators or an initialiser from outside; all else is that of the language.

    Attributes:
        inner: that of the language.
        own: operators from outside, by name.
        initialiser: creates genomes, given a random generator and an index; None leaves that to the language.
    """

    inner: Any
    own: Mapping[str, OwnOperator] = field(default_factory=dict)
    initialiser: Sent | None = None

    @property
    def operators(self) -> Sequence[str]:
        """The names of the operators."""
        return (*self.inner.operators, *self.own)

    def parents(self, operator: str) -> int:
        """Number of parents that an operator takes."""
        own = self.own.get(operator)
        count: int = self.inner.parents(operator) if own is None else own.parents
        return count

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Any]) -> Child[Any]:
        """The child that an operator makes of its parents."""
        own = self.own.get(operator)
        made: Child[Any] = (
            self.inner.vary(rng, operator, parents) if own is None else own(self.inner, rng, parents)
        )
        return made

    def create(self, rng: np.random.Generator, index: int) -> Any:
        """A genome of the first generation.

        Raises:
            GuestError: the initialiser raises, or gives what is no program.
        """
        if self.initialiser is None:
            return self.inner.create(rng, index)
        value, what = self.initialiser.value, "the initialiser"
        more = {"space": self.inner} if "space" in parameters_of(value, what) else {}
        return child_in(called(lambda: value(rng, index, **more), value, what), self.inner, what).genome

    def __getattr__(self, name: str) -> Any:
        """An attribute of the representation of the language."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.inner, name)


def extended(
    representation: Representation[Any], names: Sequence[str], initialiser: str, parts: Parts, language: Any
) -> Representation[Any]:
    """The representation with those operators of these names, and the initialiser, that are from outside.

    Raises:
        UsageError: there is no such part.
        GuestError: it is of a distribution that cannot be imported.
    """
    known = representation.operators
    own = {
        name: own_operator(name, parts.find("operator", name, language.name), parts, language)
        for name in names
        if name not in known
    }
    first = parts.find("initialiser", initialiser, language.name)
    if not own and first.value is created:
        return representation
    if first.value is not created:
        taken = parameters_of(first.value, what := f"the initialiser `{initialiser}`")
        given = partial(first.value, space=representation) if "space" in taken else first.value
        check_takes(given, what, "rng", "index")
    widened: Any = OwnRepresentation(
        representation, own, None if first.value is created else Sent(first.value)
    )
    return widened  # type: ignore[no-any-return]


def created(rng: np.random.Generator, index: int, *, space: Any) -> Any:
    """A genome of the first generation as the language makes it."""
    return space.create(rng, index)


register("initialiser", "random", created)
