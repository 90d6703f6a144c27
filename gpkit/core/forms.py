"""Forms: what a layer adds for a language, one module ``gpkit.LAYER.forms.LANGUAGE``, found by the language's name.

A language from outside has them beside it, as ``forms.LAYER``: ``forms.draw``, ``forms.export.lua``.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from gpkit.core.entry import Entry
from gpkit.core.errors import UsageError
from gpkit.core.registry import LANGUAGES, all_languages


def has_form(layer: str, language: str, part: str) -> bool:
    """Whether a layer, such as ``draw`` or ``export.lua``, has a form for a language, and that this part."""
    return _has_module(layer, language) and hasattr(_module(layer, language), part)


def _has_module(layer: str, language: str) -> bool:
    guest = _guest(language)
    if guest is not None:
        return guest.has_part(f"forms.{layer}")
    return find_spec(f"gpkit.{layer}.forms.{language}") is not None


def _module(layer: str, language: str) -> Any:
    guest = _guest(language)
    return import_module(f"gpkit.{layer}.forms.{language}") if guest is None else guest.part(f"forms.{layer}")


def _guest(language: str) -> Entry | None:
    """The entry of a language from outside; None for one of the package."""
    if any(entry.name == language for entry in LANGUAGES):
        return None
    return next((entry for entry in all_languages() if entry.name == language), None)


def form(layer: str, language: str, part: str, deed: str, mend: str = "") -> Any:
    """A part of the form that a layer has for a language: a function or a constant of the module.

    Args:
        layer: such as ``draw`` or ``export.lua``.
        language: the name of the language.
        part: the name in the module.
        deed: what cannot be done without it, where ``{}`` stands for the programs: ``draw {}``.
        mend: what to do instead; without it, the message names the languages that have the part.

    Raises:
        UsageError: there is none; the message says what cannot be done.
    """
    if has_form(layer, language, part):
        return getattr(_module(layer, language), part)
    able = ", ".join(entry.name for entry in all_languages() if has_form(layer, entry.name, part))
    mend = mend or f"it can with those of {able}"
    raise UsageError(f"gpkit cannot {deed.format(f'programs of {language}')}; {mend}")
