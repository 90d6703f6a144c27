"""The reference of the observations that custom sensors receive, as Markdown for each game of the package."""

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
"""The prefix of the modules whose classes the reference describes."""

UNTOLD = ("apply", "resample", "begin", "observation", "returns", "to_options")
"""The methods that players of the game need, but sensors do not."""


def observed(entry: Entry) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """The classes in the observations of a game, each with a title, a summary, and rows of name, type and meaning.

    The first class is the observation itself. The list is empty if the game takes no formulas.
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
    """Yield the game classes in a type, and the classes in their fields, properties and methods."""
    for part in get_args(kind):
        yield from _classes(part, seen)
    if not (inspect.isclass(kind) and kind.__module__.startswith(GAMES)) or kind in seen:
        return
    seen[kind] = None
    yield kind
    for hint in _hints(kind).values():
        yield from _classes(hint, seen)


def _hints(kind: type) -> dict[str, Any]:
    """The types of a class's fields and properties, and the return types of its methods."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if not name.startswith("_")}
    for name, member in _members(kind):
        function = getattr(member, "fget", None) or getattr(member, "func", None) or member
        hints[name] = get_type_hints(function).get("return")
    return hints


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the public properties and methods of a class, by name."""
    for name, member in vars(kind).items():
        if name.startswith("_") or name in UNTOLD:
            continue
        if inspect.isfunction(member) or isinstance(member, property | cached_property):
            yield name, member


def _rows(kind: type, more: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield the name, type and meaning of each field, property and method; ``more`` adds meanings of fields."""
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
    """The meanings of a class's attributes by name, from its docstring."""
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
    """A type as text, without the names of modules."""
    text = hint.__name__ if inspect.isclass(hint) and not get_args(hint) else str(hint)
    return re.sub(r"\b(?:\w+\.)+(\w)", r"\1", text)
