"""Arguments of public functions held against their annotations, so that a wrong one is a mistake that is explained."""

import collections.abc
import inspect
import os
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from numbers import Integral, Real
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError

Parameters = ParamSpec("Parameters")
Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Within:
    """Bounds of a number, both among them; None is no bound."""

    low: int
    high: int | None = None

    def __str__(self) -> str:
        """The bounds in words."""
        return f"of at least {self.low}" if self.high is None else f"from {self.low} to {self.high:,}"


Seed = Annotated[int, Within(0)]
"""Seed of all chance: a whole number of at least 0."""

Count = Annotated[int, Within(1, 10_000_000)]
"""Number of games or the like, at least 1."""

Number = Annotated[int, Within(0, 10_000_000)]
"""Number of a deal, from 0."""

Seconds = Annotated[float, Within(0)]


def command(function: Callable[Parameters, Given]) -> Callable[Parameters, Given]:
    """A command in Python: the function, with its arguments held against their annotations; it takes numbers of numpy.

    What it raises for a wrong one is a ``UsageError``, as of a wrong option; so is an argument that it does not have.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*args: Parameters.args, **options: Parameters.kwargs) -> Given:
        try:
            bound = signature.bind(*args, **options)
        except TypeError as error:
            raise UsageError(_misfit(function.__name__, signature, options, error)) from None
        kinds = _kinds(function)
        for name, value in bound.arguments.items():
            given = value.item() if isinstance(value, np.generic) else value
            if name in kinds and not _fits(given, kinds[name]):
                shown = shortened(" ".join(repr(given).split()))
                raise UsageError(f"{name}={shown}: expected {_words(kinds[name])}")
            bound.arguments[name] = given
        return function(*bound.args, **bound.kwargs)

    return checked


@cache
def _kinds(function: Callable[..., object]) -> Mapping[str, Any]:
    """The annotations of the arguments of a function that are given by name or in order."""
    found = get_type_hints(function, include_extras=True)
    various = {
        each.name
        for each in inspect.signature(function).parameters.values()
        if each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    }
    return {name: kind for name, kind in found.items() if name != "return" and name not in various}


MOVED = {
    ("evolve", word): "rows are for gpkit.fit(data, target, kind='tree')"
    for word in ("data", "target", "words")
}
"""Advice on arguments that functions had, by the names of function and argument."""


def _misfit(name: str, signature: inspect.Signature, options: Mapping[str, object], error: TypeError) -> str:
    """Sentence about arguments of another number or of other names than a function has."""
    known = [each for each in signature.parameters if each != "self"]
    for given in options:
        if given not in known:
            fix = MOVED.get((name, given)) or suggestion(given, known, f"it has {', '.join(known)}")
            return f"{name} has no argument `{given}`; {fix}"
    return f"{name}({', '.join(known)}): {error}"


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of the kind that an annotation says; of what cannot be said in a moment it may be."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        bounds = [each for each in parts[1:] if isinstance(each, Within)]
        return _fits(value, parts[0]) and all(
            each.low <= value <= (value if each.high is None else each.high) for each in bounds
        )
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is Literal:
        return value in parts and type(value) in map(type, parts)
    if origin is collections.abc.Callable:
        return callable(value)
    if origin is tuple:
        return isinstance(value, tuple)
    if isinstance(origin, type) and not isinstance(value, origin):
        return False
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return all(_fits(key, parts[0]) and _fits(each, parts[1]) for key, each in value.items())
    if isinstance(origin, type) and issubclass(origin, Sequence | Iterable):
        return not isinstance(value, str | bytes) and all(_fits(each, parts[0]) for each in value)
    return origin is not None or _is_a(value, kind)


def _is_a(value: Any, kind: Any) -> bool:
    """Whether a value is of a kind without parameters."""
    if kind is None or kind is type(None):
        return value is None
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    is_asked = (
        isinstance(kind, type) and kind not in (object, Any) and not getattr(kind, "_is_protocol", False)
    )
    return not is_asked or isinstance(value, kind)


_WORDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "True or False",
    Any: "anything",
    os.PathLike: "a path",
    collections.abc.Callable: "a function",
}


def _words(kind: Any) -> str:
    """The kind in words: those that an annotation has, if it has any."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        if told := next((each for each in parts[1:] if isinstance(each, str)), ""):
            return told
        return " ".join([_words(parts[0]), *(str(each) for each in parts[1:] if isinstance(each, Within))])
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_words(part) for part in parts if part is not type(None)))
    if origin is Literal:
        return " or ".join(repr(each) for each in parts)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"a mapping from {_words(parts[0])} to {_words(parts[1])}"
    if isinstance(origin, type) and issubclass(origin, Sequence | Iterable) and parts:
        return f"a sequence, each {_words(parts[0])}"
    if kind is None or kind is type(None):
        return "None"
    known = origin or kind
    return _WORDS.get(known, f"a {getattr(known, '__name__', known)}")
