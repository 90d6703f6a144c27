"""Faults of games of one's own, told with the file and line of the function that is to be mended."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gpkit.core.errors import GpkitError, GuestError, one_line
from gpkit.core.guests import blamed


@contextmanager
def told_faults(game: Any) -> Iterator[None]:
    """Turn what the game's own functions raise, or what comes of what they return, into a message.

    Raises:
        GuestError: naming the file and line where it arose, or the game where that is not known.
    """
    try:
        yield
    except GpkitError:
        raise
    except Exception as error:
        found = blamed(error)
        if found is None:
            found = GuestError(
                f"{game.name} cannot be played: {one_line(error)}; `gpkit doctor --game FILE` looks for the reason"
            )
        raise found from error
