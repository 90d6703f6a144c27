"""Validation of arguments of public functions against their annotations, with messages that explain the errors."""

import collections.abc
import inspect
import os
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from functools import cache, partial, wraps
from importlib import import_module
from numbers import Integral, Real
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from gpkit.api.kinds import Kind, Within
from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.layout import Tabular

Parameters = ParamSpec("Parameters")
Given = TypeVar("Given")


def command(function: Callable[Parameters, Given]) -> Callable[Parameters, Given]:
    """Make a function check its arguments against their annotations, as the command of the same name does.

    The function raises ``UsageError`` for a wrong or unknown argument. If part of the work failed, the function raises
    the error of that part.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*args: Parameters.args, **options: Parameters.kwargs) -> Given:
        try:
            bound = signature.bind(*args, **options)
        except TypeError as error:
            raise UsageError(_misfit(function.__name__, signature, options, error)) from None
        for name, value in bound.arguments.items():
            parameter = signature.parameters[name]
            if value is not parameter.default:
                label, kind = partial(as_given, name, value), wanted(function, name)
                if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                    kind = types.GenericAlias(tuple, (kind, ...))
                bound.arguments[name] = fitting(value, kind, label)
        answer = function(*bound.args, **bound.kwargs)
        for failure in answer.failures if isinstance(answer, Tabular) else ():
            raise failure
        return answer

    return checked


@cache
def wanted(function: Callable[..., object], name: str) -> Any:
    """The annotation of a function's argument; ``Any`` if it has none."""
    if name not in function.__annotations__:
        return Any
    holder = types.SimpleNamespace(__annotations__={name: function.__annotations__[name]})
    return get_type_hints(holder, function.__globals__, Names(), include_extras=True)[name]


class Names(dict[str, Any]):
    """The types named in string annotations; gpkit imports them only when a function is called."""

    def __missing__(self, name: str) -> Any:
        if name == "Value":
            from gpkit.gamekit.options import Value

            return Value
        for public in (sys.modules["gpkit"], import_module("gpkit.types")):
            if name in public.__all__:
                return getattr(public, name)
        known: tuple[Any, ...] = os, Callable, Executor, Mapping, Sequence, Within
        return {each.__name__: each for each in known}[name]


MOVED = {
    ("match", "rules"): "match takes only the board: --board 2x2 instead of --rules board=2x2",
    **dict.fromkeys(
        (("run", "data"), ("run", "target")),
        "`gpkit predict PROGRAM DATA --target COLUMN` evaluates a program on the rows of a table.",
    ),
    **dict.fromkeys(
        (("evolve", "data"), ("evolve", "target"), ("evolve", "words")),
        "rows are for gpkit.fit(data, target, kind='tree'), in the shell: gpkit fit FILE --target COLUMN --as tree",
    ),
}
"""Advice on arguments that a function no longer has or that belong to another function, by function and argument."""


def _misfit(name: str, signature: inspect.Signature, options: Mapping[str, object], error: TypeError) -> str:
    """The error message for a call with an unknown argument, or with too many or too few arguments."""
    known = [each for each in signature.parameters if each != "self"]
    for given in options:
        if given not in known:
            fix = MOVED.get((name, given)) or suggestion(given, known, f"it has {', '.join(known)}")
            return f"{name} has no argument `{given}`; {fix}"
    return f"{name}({', '.join(known)}): {error}"


def as_given(name: str, value: object) -> str:
    """An argument as it appears in messages."""
    return f"{name}={shortened(' '.join(repr(value).split()))}"


def fitting(value: object, kind: object, label: Callable[[], str]) -> Any:
    """The argument, checked against its annotation; a NumPy number becomes a Python number.

    Args:
        value: the argument.
        kind: its annotation.
        label: a function that returns the name of the argument for messages.

    Raises:
        UsageError: the value does not match the annotation.
    """
    if type(value).__module__ == "numpy":
        import numpy as np  # waits for a thread that imports it

        value = value.item() if isinstance(value, np.generic) else value
    if not _fits(value, kind):
        raise UsageError(f"{label()}: expected {_words(kind)}")
    return value


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value matches an annotation; a kind that cannot be checked quickly accepts every value."""
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
    if origin is tuple:
        return isinstance(value, tuple) and (
            parts[1:] != (...,) or all(_fits(each, parts[0]) for each in value)
        )
    if isinstance(origin, type) and not isinstance(value, origin):
        return False
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return all(_fits(key, parts[0]) and _fits(each, parts[1]) for key, each in value.items())
    if isinstance(origin, type) and issubclass(origin, Sequence | Iterable):
        return not isinstance(value, str | bytes) and all(_fits(each, parts[0]) for each in value)
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    is_checked = isinstance(kind, type) and kind not in (object, Any)
    return not is_checked or getattr(kind, "_is_protocol", False) or isinstance(value, kind)


_WORDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "True or False",
    Any: "anything",
    os.PathLike: "a path",
    collections.abc.Callable: "a function",
    types.NoneType: "None",
}


def _told(part: object) -> str:
    """The description of the values that a part of an annotation allows; empty if the part has no description."""
    return part if isinstance(part, str) else part.words if isinstance(part, Kind) else ""


def _words(kind: object) -> str:
    """The description of a kind: taken from its annotation, or otherwise derived from its type."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        if told := next((_told(each) for each in parts[1:] if _told(each)), ""):
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
    known = origin or kind
    return _WORDS.get(known, f"a {getattr(known, '__name__', known)}")
