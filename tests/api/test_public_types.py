"""Every type that a public function takes or gives is public, and says what it is."""

import inspect
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import gpkit
import gpkit.types
from gpkit.api.arguments import Names
from gpkit.api.games import commands_of_games
from gpkit.core.registry import GAMES

INNER = {
    "Function": "an operator: people name it in a list",
    "Language": "named in a problem, as the registry knows it",
    "Named": "a program as commands read it",
    "Seating": "players as the engine seats them",
    "Condition": "read from a text",
    "Vocabulary": "of conditions",
    "HostInstruction": "of primitive sets",
    "Switch": "of primitive sets",
    "Operator": "of alphabets",
    "Player": "as the engine seats it",
    "Seated": "players of a trace",
    "Evaluation": "of a part of a program, in a step",
    "Subject": "a program as it is exported",
    "Problem": "its attributes are those of a configuration",
}
"""Types of the engine that attributes of public ones have, each with its reason."""

MADE = {"Game", "GameForms", "Kernel", "View"}
"""Types that gpkit.game makes or takes: their fields are for the engine."""


def public_types() -> dict[str, type]:
    """Types by their public names."""
    named = {name: getattr(gpkit, name) for name in gpkit.__all__}
    named |= {name: getattr(gpkit.types, name) for name in gpkit.types.__all__}
    return {name: each for name, each in named.items() if isinstance(each, type)}


def leaves(kind: Any) -> Iterator[type]:
    """The types of this package in an annotation."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        parts = parts[:1]
    if origin is Literal:
        return
    for part in parts:
        for each in part if isinstance(part, list) else [part]:
            yield from leaves(each)
    for each in (origin, kind):
        if isinstance(each, type) and each.__module__.startswith("gpkit"):
            yield each


def annotated(thing: Any) -> Iterator[type]:
    """The types in the annotations of a function, or of the public methods, properties and fields of a class."""
    hints = get_type_hints(inspect.unwrap(thing), localns=Names(), include_extras=True)
    for name, kind in hints.items():
        if not name.startswith("_"):
            yield from leaves(kind)
    if isinstance(thing, type):
        for name, member in vars(thing).items():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if not name.startswith("_") and inspect.isfunction(function):
                yield from annotated(function)


def private(things: dict[str, Any], known: set[Any]) -> set[str]:
    """The types that these have in their annotations and that are not known."""
    return {
        f"{name} has {each.__name__}"
        for name, thing in things.items()
        for each in annotated(thing)
        if each not in known and each.__name__ not in INNER
    }


def test_types_of_public_functions_are_public() -> None:
    types = public_types()
    named = {name: getattr(gpkit, name) for name in [*gpkit.__all__, "list"]}
    functions = {name: each for name, each in named.items() if inspect.isfunction(each)}
    classes = {name: each for name, each in types.items() if name not in MADE}
    assert len(functions) > 20
    assert private({**functions, **classes}, {*types.values()}) == set()


def test_private_type_is_found() -> None:
    class Secret:
        pass

    Secret.__module__ = "gpkit.secret"

    def tell(what: list[Secret]) -> None: ...

    tell.__annotations__["what"] = list[Secret]
    assert private({"tell": tell}, set()) == {"tell has Secret"}


def test_public_names_have_help() -> None:
    named = {name: getattr(gpkit, name) for name in [*gpkit.__all__, "list"]}
    named |= {each.__name__: each for _, functions in commands_of_games(GAMES) for each in functions}
    for name, each in {**named, **public_types()}.items():
        if isinstance(each, type) or inspect.isfunction(each):
            assert inspect.getdoc(each), name
            assert not str(each.__doc__).startswith(f"{each.__name__}("), f"{name} has no help but its fields"
