"""Strict settings: nested frozen dataclasses, converted to and from TOML or JSON; errors name the key and its table.

Fields have the types of ``gpkit.core.codec``; None is written as ``false``.
"""

import inspect
import json
import re
import textwrap
import tomllib
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_args

from gpkit.core.codec import Codec, Leaves, as_table, at, codec, hints_of
from gpkit.core.diagnostics import nearest, shortened, suggestion
from gpkit.core.errors import UsageError, told_as
from gpkit.core.plain_files import check_named

Settings = TypeVar("Settings")

TOML: Leaves = {None: Codec[Any](bool, lambda value: value)}
"""The codec for None in TOML, which has no null; it writes None as ``false``."""


class UnknownKeyError(UsageError):
    """A table has no such key."""

    def __init__(self, place: str, key: str, fix: str) -> None:
        super().__init__(f"{place} has no key `{key}`; {fix}")
        self.place, self.key = place, key


def parse_settings(
    text: str,
    presets: Mapping[str, Settings],
    filename: str,
    *,
    read: Callable[[Mapping[str, Any], Settings], Settings],
    default: Settings,
    implied_by: str = "",
    elsewhere: str = "",
) -> Settings:
    """Read a table from TOML text.

    Args:
        text: the text of a file, whose key ``preset`` names the values to start from.
        presets: the presets by name.
        filename: the name of the file, for error messages.
        read: makes the table from nested mappings; for missing keys, it uses the values of another table.
        default: the values to start from if no preset is named or implied by a key.
        implied_by: a key whose value is the name of the preset if no preset is named.
        elsewhere: advice for users who name an unknown preset.

    Raises:
        UsageError: the text is not TOML, there is no such preset, or ``read`` rejects its values.
    """
    with told_as(UsageError, filename, UsageError):
        data = check_named(parse_toml(text))
        name = data.pop("preset", None)
        if name is None:
            return read(data, presets.get(str(data.get(implied_by)), default))
        if not isinstance(name, str) or name not in presets:
            more = f"; {elsewhere}" if elsewhere and nearest(str(name), presets) is None else ""
            raise UsageError(f"there is no preset `{name}`; {suggestion(str(name), presets)}{more}")
        return read(data, presets[name])


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML text; numbers that are too long and arrays that are nested too deeply also raise a UsageError.

    Raises:
        UsageError: the text is not TOML.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise UsageError("arrays or tables are nested too deeply") from None
    except ValueError as error:
        raise UsageError(str(error)) from error


def from_data(kind: type[Settings], data: Mapping[str, Any], default: Settings, where: str = "") -> Settings:
    """A table of this class with the values in ``data``; missing keys get their values from ``default``.

    Args:
        kind: a dataclass.
        data: nested mappings of plain values.
        default: the values of missing keys.
        where: the dotted name of the table, for error messages.

    Raises:
        UsageError: a key is unknown, or a value has the wrong type or is out of range.
    """
    hints, known = hints_of(kind), keys_of(default)
    for key in _read(as_table, data, where or "settings"):
        if key not in known:
            raise UnknownKeyError(
                f"table [{where}]" if where else "the top level", key, suggestion(key, known)
            )
    values = {name: getattr(default, name) for name in hints}
    for key, value in data.items():
        name, old = f"{where}.{key}" if where else key, values[key]
        values[key] = (
            from_data(type(old), value, old, name)
            if is_dataclass(old)
            else _read(codec(hints[key], TOML).read, value, name)
        )
    return kind(**values)


def _read(read: Callable[[Any], Settings], value: object, name: str) -> Settings:
    try:
        return read(value)
    except ValueError as error:
        raise UsageError(str(at(name, error))) from error


def to_data(table: object) -> dict[str, Any]:
    """The table as nested dictionaries with every key; ``from_data`` reads it back."""
    data = codec(type(table), TOML).write(table)
    return {name: data[name] for name in keys_of(table)}


def keys_of(table: Any) -> list[str]:
    """The keys of a table, in order; a field with metadata ``with`` is left out if the field that it names is empty."""
    needed = {each.name: each.metadata.get("with", "") for each in fields(table)}
    return [name for name in hints_of(type(table)) if getattr(table, needed[name], True)]


def print_config(config: object) -> str:
    """A configuration as TOML text with all values."""
    return to_toml(to_data(config))


NO_SETTINGS: Mapping[str, Any] = types.MappingProxyType({})
"""Settings that keep all defaults."""


def over(first: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults, overridden by the settings key by key.

    If a plain value stands in place of a table, it is kept, so that a later check can reject it.

    >>> over({"stop": {"generations": 1}, "fit": 3}, {"stop": {"target": 2}, "fit": {"task": ""}})
    {'stop': {'target': 2, 'generations': 1}, 'fit': 3}

    Raises:
        UsageError: the settings are not a table.
    """
    both = {
        name: (one, usual[name]) for name, one in _read(as_table, first, "settings").items() if name in usual
    }
    tables = {
        name: {**other, **one} if isinstance(other, Mapping) else other
        for name, (one, other) in both.items()
        if isinstance(one, Mapping)
    }
    return {**usual, **first, **tables}


FREE = frozenset({"stop", "front.choose", "fit.file", "fit.digits", "fit.no_clip"})
"""Tables and keys that may change when work is resumed: when and how the work ends, and its data file."""


def check_same(stored: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Check that resumed work keeps its configuration; only ``FREE`` keys may change.

    The order of operators must not change, because it determines which operator a draw chooses.

    Args:
        stored, given: nested dictionaries, as returned by ``to_data``.

    Raises:
        UsageError: another key differs; the message names it.
    """
    for table in (*stored, *(name for name in given if name not in stored)):
        old, new = (_without_free(table, each.get(table)) for each in (stored, given))
        same = old == new and (table != "operators" or list(stored[table]) == list(given[table]))
        if table in FREE or same:
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping) and old != new:
            key = next(k for k in {**old, **new} if old.get(k) != new.get(k))
            old, new, table = old.get(key), new.get(key), f"{table}.{key}"
        raise UsageError(
            f"cannot resume with another configuration: {table} was {shortened(repr(old))} and is now "
            f"{shortened(repr(new))}; use only --resume and --out to continue unchanged"
        )


def _without_free(table: str, value: object) -> Any:
    """A table without the keys that may change."""
    if not isinstance(value, Mapping):
        return value
    return {key: each for key, each in value.items() if f"{table}.{key}" not in FREE}


def to_toml(data: Mapping[str, object], where: str = "") -> str:
    """Nested dictionaries as TOML text: plain keys first, then a section for each table that is not empty."""
    lines = [toml_line(k, v) for k, v in data.items() if not isinstance(v, Mapping)]
    blocks = ["\n".join([f"[{where}]", *lines] if where else lines)] if lines else []
    blocks += [
        to_toml(value, f"{where}.{_key(key)}" if where else _key(key)).rstrip("\n")
        for key, value in data.items()
        if isinstance(value, Mapping)
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def toml_line(name: str, value: object) -> str:
    """A TOML line for a key and its value, which is plain or a list."""
    return f"{_key(name)} = {_toml_value(value)}"


def _key(name: str) -> str:
    return (
        name if name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name) else _toml_value(name)
    )


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(_toml_value(item) for item in value)}]"
    if isinstance(value, str):  # a JSON string is a TOML string, except for the delete character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)


# A configuration as a commented TOML text: every key, its meaning, its default and its range, from the tables.

WIDTH = 100
"""The maximum number of characters in a comment line."""


def template(table: object, *, notes: Mapping[str, str] = types.MappingProxyType({})) -> str:
    """The TOML text of a table with all keys commented out; it changes no setting until the user uncomments a key.

    A table whose keys the user chooses, such as the shares of operators, is not commented out, because the user
    replaces it as a whole.

    Args:
        table: the values, a dataclass of tables.
        notes: additional comments on keys and tables, by dotted name.
    """
    return "\n".join(_lines(table, to_data(table), "", notes)) + "\n"


def _lines(table: object, data: Mapping[str, Any], where: str, notes: Mapping[str, str]) -> Iterator[str]:
    hints, meanings = hints_of(type(table)), attributes_of(type(table))
    names = [name for name in hints if name in data]
    nested = [name for name in names if isinstance(data[name], Mapping)]
    for name in [each for each in names if each not in nested]:
        dotted = f"{where}.{name}" if where else name
        yield ""
        yield from _comment(meanings.get(name, ""), notes.get(dotted, ""))
        yield f"#{toml_line(name, data[name])}  # {codec(hints[name], TOML).words}"
    for name in nested:
        value, dotted = getattr(table, name), f"{where}.{name}" if where else name
        yield ""
        if is_dataclass(value):
            yield from _comment(
                _as_comment((inspect.getdoc(type(value)) or "").partition("\n\n")[0]), notes.get(dotted, "")
            )
            yield f"[{dotted}]"
            yield from _lines(value, data[name], dotted, notes)
        else:
            yield from _comment(meanings.get(name, ""), notes.get(dotted, ""))
            yield f"[{dotted}]  # each {codec(get_args(hints[name])[1], TOML).words}"
            yield from (toml_line(key, value) for key, value in data[name].items())


def _comment(*parts: str) -> list[str]:
    """The parts of a comment as comment lines; line breaks within a part are kept."""
    message = [line.rstrip(".,") for part in parts for line in part.splitlines()]
    return [f"# {line}" for part in message for line in textwrap.wrap(part, WIDTH - 2)]


def attributes_of(kind: type[Any]) -> dict[str, str]:
    """The meaning of each attribute of a class, from the ``Attributes`` sections of its and its bases' docstrings."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        section = inspect.cleandoc(each.__doc__ or "").partition("Attributes:\n")[2]
        for entry in filter(None, re.split(r"^ {4}(?=\w)", section, flags=re.MULTILINE)):
            names, _, meaning = entry.partition(":")
            found |= dict.fromkeys((name.strip() for name in names.split(",")), _as_comment(meaning))
    return found


def _as_comment(text: str) -> str:
    """Text from a docstring in the form used for comments."""
    return " ".join(text.replace("``", "`").split())
