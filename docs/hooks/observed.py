"""Reference of the observations that your own sensors get: Markdown by game of the package."""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cached_property
from typing import Any, get_args, get_type_hints

from python_reference import items, section

from gpkit.core.plugins import Entry
from gpkit.user_games.declare import LANGUAGE

GAMES = "gpkit.games."
"""Beginning of the modules whose classes are told."""

UNTOLD = ("apply", "resample", "begin", "observation", "returns", "to_options")
"""Methods that are for those who play the game, and not for sensors."""


def observed(entry: Entry) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """The classes that the observations of a game are made of: title, summary, and rows of name, type and meaning.

    The first is the observation itself; there are none if the game takes no formulas.
    """
    if LANGUAGE not in entry.load().offers:
        return []
    state = get_type_hints(entry.load().first)["return"]
    given = get_type_hints(state.observation)["return"]
    found = [*_classes(given, {})]
    what = "" if given in found else f"A `{_shown(given)}`, what the player knows."
    options = {option.name: option.meaning for option in entry.load().all_options}
    more = {given: _attributes(state), "Rules": options}
    told = (
        (each.__name__, _first(each), [*_rows(each, more.get(each) or more.get(each.__name__, {}))])
        for each in found
    )
    return [*([("seen", what, [])] if what else []), *told]


def _classes(kind: Any, seen: dict[Any, None]) -> Iterator[type]:
    """The classes of games in a type, and in those of their fields and properties."""
    for part in get_args(kind):
        yield from _classes(part, seen)
    if not (inspect.isclass(kind) and kind.__module__.startswith(GAMES)) or kind in seen:
        return
    seen[kind] = None
    yield kind
    for hint in _hints(kind).values():
        yield from _classes(hint, seen)


def _hints(kind: type) -> dict[str, Any]:
    """The types of the fields and properties of a class, and of what its methods give."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if not name.startswith("_")}
    for name, member in _members(kind):
        function = getattr(member, "fget", None) or getattr(member, "func", None) or member
        hints[name] = get_type_hints(function).get("return")
    return hints


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """The public properties and methods of a class."""
    for name, member in vars(kind).items():
        if name.startswith("_") or name in UNTOLD:
            continue
        if inspect.isfunction(member) or isinstance(member, property | cached_property):
            yield name, member


def _rows(kind: type, more: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """By field, property and method its type and its meaning; meanings of fields that the class does not tell."""
    hints, told = _hints(kind), {**more, **_attributes(kind)}
    members = dict(_members(kind))
    fields = [name for name in get_type_hints(kind) if not name.startswith("_") and name not in members]
    for name in fields if is_dataclass(kind) or hasattr(kind, "_fields") else ():
        yield name, _shown(hints[name]), told.get(name, "")
    for name, member in members.items():
        is_method = inspect.isfunction(member)
        called = f"({', '.join([*inspect.signature(member).parameters][1:])})" if is_method else ""
        if not is_method or hints[name] is not kind:  # another moment, of which nothing is known yet
            yield f"{name}{called}", _shown(hints[name]), _first(member)


def _attributes(kind: type) -> dict[str, str]:
    """The attributes of a class by name, each with the words of its docstring."""
    told = [each.partition(": ") for each in items(section(kind, "Attributes"))]
    return {
        name.strip(): meaning.replace("``", "`").removesuffix(".")
        for names, _, meaning in told
        for name in names.split(",")
    }


def _first(documented: Any) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(documented) or "").partition("\n")[0].replace("``", "`").removesuffix(".")


def _shown(hint: Any) -> str:
    """A type as it is written."""
    text = hint.__name__ if inspect.isclass(hint) and not get_args(hint) else str(hint)
    return re.sub(r"\b(?:\w+\.)+(\w)", r"\1", text)
