"""The cases of a language, ``tests/cases/LANGUAGE``: text files, each a source and what is expected of it.

A case is the source, then parts that start with a line of dashes, a title and perhaps words, such as
``---- value a=1 b=2``. The part ``error`` stands alone: the whole message of the error.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gpkit.core.errors import GpkitError
from gpkit.core.primitives import Offers
from gpkit.core.registry import LANGUAGES, find
from gpkit.langkit.language import Language

Shown = Callable[[Any, str], str]
"""Text that a part shows of a source, given the words behind its title."""


def language(name: str) -> Language:
    """A shipped language."""
    loaded: Language = find(LANGUAGES, name, "language").load()
    return loaded


def cases(name: str) -> pytest.MarkDecorator:
    """A test of each case of a language."""
    paths = sorted((Path(__file__).parent / "cases" / name).glob("*.txt"))
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


def findings(language: Language, source: Any, offers: Offers | None) -> str:
    """The findings as they are shown."""
    return "".join(d.render(source.text, source.filename) + "\n" for d in language.check(source, offers))


def held(path: Path, language: Language, parts: Mapping[str, Shown]) -> Any:
    """Hold a case against its parts and what is so of every program; the source, or nothing where it is refused."""
    text, *rest = re.split(r"^---- (\w+) ?(.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert rest, "a case expects something"
    filename = f"{path.stem}{language.suffix}"
    if rest[0] == "error":
        with pytest.raises(GpkitError) as caught:
            language.parse(text, filename)
        assert str(caught.value) + "\n" == rest[2]
        if rest[3:]:
            (title, words, expected) = rest[3:]
            assert parts[title](text, words) == expected, title
        return None
    source = language.parse(text, filename)
    common = {
        "program": lambda source, _: language.print_program(source.program),
        "format": lambda source, _: language.format_source(source),
    }
    for title, words, expected in zip(rest[0::3], rest[1::3], rest[2::3], strict=True):
        assert ({**common, **parts})[title](source, words) == expected, title
    formatted = language.parse(language.format_source(source), filename)
    assert language.format_source(formatted) == formatted.text
    assert formatted.program == source.program
    return source
