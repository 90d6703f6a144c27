"""Faults of games of one's own, told with the file and line of the function that is to be mended."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gpkit.core import guests
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GpkitError, GuestError, one_line
from gpkit.core.guests import blamed, is_named
from gpkit.core.watch import Stuck, watched

_PLACES = re.compile(r"(?:at (?P<a>\S+\.py) \((?P<m>\d+)\)|Raised from (?P<b>\S+\.py) \((?P<n>\d+)\))")
_FUNCTION = re.compile(r"Function\(<function (\w+) at ")
_CALL = re.compile(r">>> (.+)")
_REASON = re.compile(
    r"^\s*(?:NameError: )?(name '.+|Unknown attribute .+|The use of .+|Use of unsupported opcode \(\w+\))",
    re.MULTILINE,
)
_UNMARKED = re.compile(r"Untyped global name '(\w+)'|Cannot determine Numba type of <class 'function'>")

_ALLOCATES = ("Only accept returning of array", "NRT required")
"""Words of the compiler about a function that makes an array or a list."""


@contextmanager
def told_faults(game: Any) -> Iterator[None]:
    """Turn what the game's own functions raise, or what comes of what they return, into a message.

    Raises:
        GuestError: naming the file and line where it arose, or the game where that is not known.
    """
    try:
        with watched(guests.PATIENCE, is_named):
            yield
    except GpkitError:
        raise
    except (Exception, Stuck) as error:
        if type(error).__module__.startswith("numba"):
            raise GuestError(compiler_fault(game, str(error))) from error
        found = blamed(error) or _explained(game, error)
        if found is None:
            found = GuestError(
                f"{game.name} cannot be played: {one_line(error)}; `gpkit doctor --game FILE` looks for the reason"
            )
        raise found from error


def _explained(game: Any, error: BaseException) -> GuestError | None:
    from gpkit.authoring.contract.explain import explained_by  # which plays games

    return explained_by(game, error)


def compiler_fault(game: Any, message: str) -> str:
    """The compiler's message about a kernel in a sentence: file, line, function, and what it cannot compile."""
    parts = game.kernel.parts._asdict()
    own = {each.__name__: each for each in parts.values()}
    files = [str(path) for path in game.kernel.sources]
    places = [(m["a"] or m["b"], m["m"] or m["n"]) for m in _PLACES.finditer(message)]
    lines = [(path, line) for path, line in places if path in files]
    unmarked = _UNMARKED.search(message)
    names = [name for name in _FUNCTION.findall(message) if name in own]
    if unmarked is not None and unmarked[1] in parts:
        names = [parts[unmarked[1]].__name__]
    if lines:
        path, line = lines[0]
    elif names:
        code = own[names[-1]].__code__
        path, line = code.co_filename, str(code.co_firstlineno)
    else:
        path, line = files[0], "?"
    function = f", in {names[-1]}" if names else ""
    reason = "a function of it is not marked as @kernel" if unmarked is not None else _reason(message)
    return f"{path}, line {line}{function}: the kernel cannot be compiled: {reason}"


def _reason(message: str) -> str:
    if any(words in message for words in _ALLOCATES):
        return "it makes an array or a list; fill those that it is given"
    if "Cannot bind" in message:
        return "it takes other arguments than a kernel block gives it (gpkit.Kernel)"
    if found := _REASON.search(message):
        return found[1].strip()
    calls = _CALL.findall(message)
    return f"no such operation: {shortened(calls[-1].strip())}" if calls else " ".join(message.split())[:200]
