"""Sizes that the house keeps: lines of files and of functions, and arguments of functions that are no commands."""

import ast
from collections.abc import Iterator
from pathlib import Path

import gpkit

PACKAGE = Path(gpkit.__file__).parent

FILE_LINES, FUNCTION_LINES, ARGUMENTS = 400, 60, 8


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    """The functions of a file that are no commands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and "click.command" not in " ".join(
            map(ast.unparse, node.decorator_list)
        ):
            yield node


def arguments(function: ast.FunctionDef) -> int:
    """The number of arguments, the object itself not counted."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_no_function_is_long_or_takes_many_arguments() -> None:
    large: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for function in functions(path):
            lines = (function.end_lineno or 0) - function.lineno + 1
            if lines > FUNCTION_LINES or arguments(function) > ARGUMENTS:
                large.setdefault(path.relative_to(PACKAGE).as_posix(), set()).add(function.name)
    assert large == {}


def test_no_file_is_long() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE.rglob("*.py")}
    assert {path.name: count for path, count in lines.items() if count > FILE_LINES} == {}
