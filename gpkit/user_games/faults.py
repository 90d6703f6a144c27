"""Faults in users' games, reported with the file and line of the function to fix."""

import ast
import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gpkit.core import plugins
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GpkitError, GuestError, one_line
from gpkit.core.plugins import Place, blamed, is_named, shown_path
from gpkit.core.timeouts import TimeUp, watched
from gpkit.gamekit.game import Game

_PLACES = re.compile(r"(?:at|Raised from) (\S+\.py) \((\d+)\)")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""The pattern of terminal commands, which the compiler writes if the package colorama is installed."""

_FUNCTION = re.compile(r"Function\(<function (\w+) at ")
_CALL = re.compile(r">>> (.+)")
_REASON = re.compile(
    r"^\s*(?:NameError: )?(name '.+|Unknown attribute .+|The use of .+|Use of unsupported opcode \(\w+\))",
    re.MULTILINE,
)
_UNMARKED = re.compile(r"Untyped global name '(\w+)'|Cannot determine Numba type of <class 'function'>")

_UNKNOWN = re.compile(r"name '(\w+)' is not defined")

_ALLOCATES = ("Only accept returning of array", "NRT required")
"""Phrases in the compiler's message about a function that makes an array or a list."""

ALLOCATES = (
    "it makes an array, a list, a dictionary or a string, and kernels may not allocate memory: use the "
    "arrays that are passed in, numbers and tuples"
)


@contextmanager
def explain_errors(game: Game) -> Iterator[None]:
    """Turn errors that come from the game's functions or their results into a message.

    Raises:
        GuestError: the message names the file and line of the error, or the game if these are unknown.
    """
    try:
        with watched(plugins.PATIENCE, is_named):
            yield
    except (GpkitError, KeyboardInterrupt, TimeUp):
        raise
    except BaseException as error:
        if type(error).__module__.startswith("numba"):
            raise GuestError(compiler_fault(game, str(error))) from error
        found = blamed(error) or game.explained(error)
        if found is None:
            found = GuestError(
                f"{game.name} cannot be played: {one_line(error)}; `gpkit doctor --game FILE` finds the "
                "reason"
            )
        raise found from error


def compiler_fault(game: Game, message: str) -> str:
    """The compiler's message about a kernel, as a sentence with the file, the line, the function and the reason."""
    message = _COLOURS.sub("", message)
    parts = game.kernel.parts._asdict()
    own = {each.__name__: each for each in parts.values()}
    files = [str(path) for path in game.kernel.sources]
    unmarked, unknown = _UNMARKED.search(message), _UNKNOWN.search(message)
    names = [name for name in _FUNCTION.findall(message) if name in own]
    if unmarked is not None and unmarked[1] in parts:
        names = [parts[unmarked[1]].__name__]
    lines = [(path, int(line)) for path, line in _PLACES.findall(message) if path in files]
    code = own[names[-1]].__code__ if names else None
    if (unmarked is not None or unknown is not None) and code is not None:
        word = next(found[1] for found in (unmarked, unknown) if found is not None)
        lines = [(code.co_filename, _line_of(word, own[names[-1]]))]
    elif not lines:
        lines = [(files[0], 1) if code is None else (code.co_filename, code.co_firstlineno)]
    path, line = lines[0]
    reason = _reason(message)
    if unmarked is not None:
        reason = f"{unmarked[1] or 'a called function'} is not marked as @kernel"
    place = Place(shown_path(path), line, _function_at(path, line))
    return f"{place}: the kernel cannot be compiled: {reason}"


def _line_of(word: str | None, function: Any) -> int:
    """The line of a function that contains a word; the first line of the function if no line contains it."""
    lines, first = inspect.getsourcelines(function)
    return first + next(
        (place for place, line in enumerate(lines) if word and re.search(rf"\b{word}\b", line)), 0
    )


def _function_at(path: str, line: int) -> str:
    """The name of the function that contains a line of a file."""
    nodes = ast.walk(ast.parse(Path(path).read_bytes()))
    around = [
        each
        for each in nodes
        if isinstance(each, ast.FunctionDef) and each.lineno <= line <= (each.end_lineno or line)
    ]
    return max(around, key=lambda each: each.lineno).name if around else "the file"


def _reason(message: str) -> str:
    if any(words in message for words in _ALLOCATES):
        return ALLOCATES
    if "Cannot bind" in message:
        return "its arguments differ from those that a kernel block passes (gpkit.Kernel)"
    if found := _REASON.search(message):
        return found[1].strip()
    calls = _CALL.findall(message)
    return f"no such operation: {shortened(calls[-1].strip())}" if calls else " ".join(message.split())[:200]
