"""Forms: parts that a framework uses of a language, one module ``forms.NAME`` in the folder of the language.

``forms.draw``, ``forms.evolution``, ``forms.playing``, and one for each format of exports: ``forms.lua``. Those of a
language from outside are found in the same way.
"""

from functools import cache
from typing import Any

from gpkit.core.entry import Entry
from gpkit.core.errors import UsageError
from gpkit.core.registry import LANGUAGES, all_languages


def has_form(name: str, language: str, part: str) -> bool:
    """Whether a language has the form of that name, such as ``draw`` or ``lua``, and in it this part."""
    entry = _entry(language)
    return entry is not None and entry.has_part(f"forms.{name}") and hasattr(_module(entry, name), part)


@cache
def _module(entry: Entry, name: str) -> Any:
    return entry.part(f"forms.{name}")


def _entry(language: str) -> Entry | None:
    own = next((entry for entry in LANGUAGES if entry.name == language), None)
    return own or next((entry for entry in all_languages() if entry.name == language), None)


def form(name: str, language: str, part: str, deed: str, mend: str = "") -> Any:
    """A part of a form of a language: a function or a constant of the module.

    Args:
        name: of the form, such as ``draw`` or ``lua``.
        language: the name of the language.
        part: the name in the module.
        deed: what cannot be done without it, where ``{}`` stands for the programs: ``draw {}``.
        mend: what to do instead; without it, the message names the languages that have the part.

    Raises:
        UsageError: there is none; the message says what cannot be done.
    """
    entry = _entry(language)
    if entry is not None and has_form(name, language, part):
        return getattr(_module(entry, name), part)
    able = ", ".join(each.name for each in all_languages() if has_form(name, each.name, part))
    mend = mend or f"it can with those of {able}"
    raise UsageError(f"gpkit cannot {deed.format(f'programs of {language}')}; {mend}")
