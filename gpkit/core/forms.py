"""Forms: what a layer adds for a language, one module ``gpkit.LAYER.forms.LANGUAGE``, found by the language's name."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from gpkit.core.errors import UsageError
from gpkit.core.registry import LANGUAGES


def has_form(layer: str, language: str) -> bool:
    """Whether a layer, such as ``draw`` or ``export.lua``, has a form for a language."""
    return find_spec(f"gpkit.{layer}.forms.{language}") is not None


def form(layer: str, language: str, deed: str, mend: str = "") -> ModuleType:
    """The form of a layer for a language.

    Args:
        layer: such as ``draw`` or ``export.lua``.
        language: the name of the language.
        deed: what cannot be done without a form, where ``{}`` stands for the programs: ``draw {}``.
        mend: what to do instead; without it, the message names the languages that have a form.

    Raises:
        UsageError: the layer has none; the message says what to do instead.
    """
    if not has_form(layer, language):
        able = ", ".join(entry.name for entry in LANGUAGES if has_form(layer, entry.name))
        mend = mend or f"it can with those of {able}"
        raise UsageError(f"gpkit cannot {deed.format(f'programs of {language}')}; {mend}")
    return import_module(f"gpkit.{layer}.forms.{language}")
