"""Forms: what a layer adds for a language, one module ``gpkit.LAYER.forms.LANGUAGE``, found by the language's name."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.registry import LANGUAGES


def has_form(layer: str, language: str, part: str) -> bool:
    """Whether a layer, such as ``draw`` or ``export.lua``, has a form for a language, and that this part."""
    name = f"gpkit.{layer}.forms.{language}"
    return find_spec(name) is not None and hasattr(import_module(name), part)


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
        return getattr(import_module(f"gpkit.{layer}.forms.{language}"), part)
    able = ", ".join(entry.name for entry in LANGUAGES if has_form(layer, entry.name, part))
    mend = mend or f"it can with those of {able}"
    raise UsageError(f"gpkit cannot {deed.format(f'programs of {language}')}; {mend}")
