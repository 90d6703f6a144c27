"""The notation of Python: names of functions, string literals, lines of docstrings."""

import json
from collections.abc import Sequence

from gpkit.core.errors import UsageError
from gpkit.export.statements import free_names

_ESCAPED = '"\\'


def function_names(names: Sequence[str], taken: frozenset[str], noun: str) -> dict[str, str]:
    """The function name for each part of a program, by the part's name; a name that is taken gets ``_`` at its end.

    Raises:
        UsageError: the name of a part cannot be the name of a function.
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
