"""Parts of evolution that come from outside: how they are named in messages, blamed, and known again."""

import hashlib
import inspect
import traceback
from typing import Any

from gpkit.core.errors import GpkitError, GuestError, one_line
from gpkit.core.plugins import shown_path


def name_of_part(value: Any) -> str:
    """The name of a function or class, or that of the class of a value."""
    return str(getattr(value, "__name__", type(value).__name__))


def source_digest(value: Any) -> str:
    """The SHA-256 of the source of a function or class, or of the class of a value: 64 hexadecimal digits.

    Where there is no source, as at a prompt, it is that of the compiled code.
    """
    function = getattr(value, "func", value)
    function = inspect.unwrap(getattr(function, "__func__", function))
    part = function if inspect.isfunction(function) or inspect.isclass(function) else type(function)
    try:
        text = inspect.getsource(part)
    except (OSError, TypeError):
        text = "\n".join(_compiled(part))
    return hashlib.sha256(text.encode()).hexdigest()


def _compiled(part: Any) -> list[str]:
    """Texts of the compiled code of a function, or of those of a class."""
    codes = [each.__code__ for each in (part, *vars(part).values()) if inspect.isfunction(each)]
    return [f"{code.co_name} {code.co_code.hex()} {code.co_names}" for code in codes] or [repr(part)]


def blame(error: BaseException, function: Any, what: str) -> GuestError:
    """The error of a function from outside as a message: what it was, and the line of the function's file.

    Args:
        error: that it raised.
        function: that was called.
        what: it is and was to do, such as "the operator `mine`".
    """
    if isinstance(error, GpkitError):
        return GuestError(f"{what}: {error}")
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    file = (
        code.co_filename if code is not None else getattr(inspect.getmodule(type(function)), "__file__", "")
    )
    frames = traceback.extract_tb(error.__traceback__)
    place = next((each for each in reversed(frames) if each.filename == file), None)
    where = (
        f"{shown_path(place.filename)}, line {place.lineno}, in {place.name}: " if place is not None else ""
    )
    return GuestError(f"{what}: {where}{one_line(error)}")
