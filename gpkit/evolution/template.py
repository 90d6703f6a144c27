"""A configuration as a commented TOML text with every key, its meaning, its default and its range, from the tables."""

import inspect
import re
import textwrap
import types
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, get_args

from gpkit.core.codec import codec, hints_of
from gpkit.core.settings import TOML, to_data, toml_line

WIDTH = 100
"""Characters of a line of comment at most."""

NO_NOTES: Mapping[str, str] = types.MappingProxyType({})


def template(table: Any, *, notes: Mapping[str, str] = NO_NOTES) -> str:
    """The TOML text of a table: keys are commented out, so that the text changes nothing until one is uncommented.

    A table of names that a person chooses, such as shares of operators, stands as it is: it is replaced as a whole.

    Args:
        table: the values, a dataclass of tables.
        notes: what more there is to be said of a key or a table, by its dotted name.
    """
    return "\n".join(_lines(table, to_data(table), "", notes)) + "\n"


def _lines(table: Any, data: Mapping[str, Any], where: str, notes: Mapping[str, str]) -> Iterator[str]:
    hints, meanings = hints_of(type(table)), attributes_of(type(table))
    names = [name for name in hints if name in data]
    nested = [name for name in names if isinstance(data[name], Mapping)]
    for name in names:
        if name in nested:
            continue
        dotted = f"{where}.{name}" if where else name
        yield ""
        yield from _comment(meanings.get(name, ""), notes.get(dotted, ""))
        yield f"#{toml_line(name, data[name])}  # {codec(hints[name], TOML).words}"
    for name in nested:
        value, dotted = getattr(table, name), f"{where}.{name}" if where else name
        yield ""
        if is_dataclass(value):
            summary = (inspect.getdoc(type(value)) or "").partition("\n\n")[0]
            yield from _comment(_plain(summary), notes.get(dotted, ""))
            yield f"[{dotted}]"
            yield from _lines(value, data[name], dotted, notes)
        else:
            yield from _comment(meanings.get(name, ""), notes.get(dotted, ""))
            yield f"[{dotted}]  # each {codec(get_args(hints[name])[1], TOML).words}"
            yield from (toml_line(key, value) for key, value in data[name].items())


def _comment(*parts: str) -> list[str]:
    """Parts of a comment as its lines; a part of several lines keeps them."""
    message = [line.rstrip(".,") for part in parts for line in part.splitlines()]
    return [f"# {line}" for part in message for line in textwrap.wrap(part, WIDTH - 2)]


def attributes_of(kind: type[Any]) -> dict[str, str]:
    """The meaning of each attribute of a class, by the sections ``Attributes`` of its docstring and its bases'."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        section = inspect.cleandoc(each.__doc__ or "").partition("Attributes:\n")[2]
        for entry in filter(None, re.split(r"^ {4}(?=\w)", section, flags=re.MULTILINE)):
            names, _, meaning = entry.partition(":")
            found |= dict.fromkeys((name.strip() for name in names.split(",")), _plain(meaning))
    return found


def _plain(text: str) -> str:
    """A text of a docstring as a comment shows it."""
    return " ".join(text.replace("``", "`").split())
