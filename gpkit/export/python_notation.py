"""The notation of Python: names of functions, literals of texts, lines of docstrings."""

import json
from collections.abc import Sequence

from gpkit.core.errors import UsageError
from gpkit.export.statements import free_names

_ESCAPED = '"\\'


def function_names(names: Sequence[str], taken: frozenset[str], noun: str) -> dict[str, str]:
    """The name of a function for the name of each part of a program; a taken name gets ``_`` at its end.

    Raises:
        UsageError: no function can have the name of a part.
    """
    for name in names:
        if not (name.isascii() and name.isidentifier()):
            raise UsageError(f"a Python file cannot have a {noun} named `{name}`")
    return free_names(names, taken | {each for each in names if each.startswith("__")})


def in_docstring(text: str) -> str:
    """A line of text for a docstring; nothing in the text can end the docstring."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain.replace("\\", "\\\\").replace('"""', r"\"\"\"")


def ascii_quoted(text: str) -> str:
    """A string literal in ASCII."""
    wide = (json.dumps(c)[1:-1] if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in text)
    return f'"{"".join(wide)}"'


def quoted(text: str) -> str:
    """A string literal; printable characters stay as they are."""
    return f'"{"".join(c if c.isprintable() and c not in _ESCAPED else ascii_quoted(c)[1:-1] for c in text)}"'
