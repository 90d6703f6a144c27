"""Modules beside a Python file that a person named: those that it imports, wherever it is imported from."""

import ast
import sys
from contextlib import suppress
from pathlib import Path

SUFFIX = ".py"
"""Suffix of Python files, including the dot."""

PACKAGE = "__init__.py"
"""First file of a package."""


def module_in(folder: Path, name: str) -> Path | None:
    """The file of a module or package of that name in a folder; None if there is none."""
    places = (folder / f"{name}{SUFFIX}", folder / name / PACKAGE)
    return next((place for place in places if place.is_file()), None)


def imported_beside(path: Path, source: bytes) -> list[Path]:
    """The modules beside a file that it imports, and those that these import, by path; of a package the first file.

    Args:
        path: of the file.
        source: its text.
    """
    found: dict[Path, None] = {}
    waiting = [source]
    for text in waiting:
        with suppress(SyntaxError, ValueError):  # which its import tells
            for each in ast.walk(ast.parse(text)):
                names = [alias.name for alias in each.names] if isinstance(each, ast.Import) else []
                if isinstance(each, ast.ImportFrom) and not each.level:
                    names.append(each.module or "")
                for name in names:
                    other = module_in(path.parent, name.partition(".")[0])
                    if other is not None and other != path and other not in found:
                        found[other] = None
                        waiting.append(other.read_bytes())
    return sorted(found)


def importing_file() -> Path | None:
    """The file of the code that imports a module just now, as a finder of modules asks; None if nobody knows it."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if "importlib" not in frame.f_code.co_filename and frame.f_code.co_filename != __file__:
            return Path(frame.f_code.co_filename)
    return None
