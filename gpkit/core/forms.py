"""Forms: parts that a framework uses of a slice, one module ``forms.NAME`` in the folder of a language or a game.

A framework states each as a Protocol, beside where it uses it, and asks for a form by that Protocol and its name; a
module has the form if it has all that the Protocol names. Those of slices from outside are found in the same way.
"""

import sys
from importlib import import_module
from typing import Any, TypeVar

from gpkit.core.entry import Entry
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_languages, game_entry, known_language

Form = TypeVar("Form")

_FOUND: dict[tuple[Any, str, str], object] = {}
"""Modules that have all that a Protocol names, which takes long to find out."""


def form_of_game(kind: type[Form], name: str, game: str) -> Form | None:
    """The form of that name of a game; None if it has none.

    Raises:
        UsageError: there is no such game.
    """
    return _found(kind, name, game_entry(game))


def has_form(kind: type[Form], name: str, language: str) -> bool:
    """True if a language has the form of that name, such as ``draw`` or ``lua``."""
    return _found(kind, name, known_language(language)) is not None


def form(kind: type[Form], name: str, language: str, action: str, fix: str = "") -> Form:
    """The form of that name of a language.

    Args:
        kind: the Protocol.
        name: such as ``draw`` or ``lua``.
        language: the name of the language.
        action: what cannot be done without it, where ``{}`` stands for the programs: ``draw {}``.
        fix: what to do instead; without it, the message names the languages that have the form.

    Raises:
        UsageError: there is none; the message says what cannot be done.
    """
    found = _found(kind, name, known_language(language))
    if found is not None:
        return found
    able = ", ".join(each.name for each in all_languages() if has_form(kind, name, each.name))
    rest = f"; {fix}" if fix else f", only those in {able}"
    raise UsageError(f"gpkit cannot {action.format(f'programs in {language}')}{rest}")


def _found(kind: type[Form], name: str, entry: Entry | None) -> Form | None:
    if entry is None:
        return None
    place = f"{entry.folder}.forms.{name}"
    if place not in sys.modules and not entry.has_part(f"forms.{name}"):  # looking for the file takes long
        return None
    module: object = import_module(place)  # loaded in full: another thread may be in the middle of loading it
    known = _FOUND.get((kind, name, entry.folder))
    if known is module or isinstance(module, kind):
        _FOUND[kind, name, entry.folder] = module
        return module  # type: ignore[return-value]
    return None
