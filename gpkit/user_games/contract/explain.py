"""Explanation of an error that games of one's own may have caused: where they break the contract."""

from dataclasses import replace
from typing import Any

from gpkit.core.errors import GuestError, one_line
from gpkit.core.plugins import is_named, named_files
from gpkit.core.timeouts import watched
from gpkit.user_games.contract.examine import examine
from gpkit.user_games.contract.game_under_test import subject_of

GAMES = 10
"""Games that are played to find the reason."""

ACTIONS = 500
"""Actions after which one of them is called off."""

BREAKING = (
    "first state",
    "who chooses",
    "legal actions",
    "chance",
    "returns",
    "sensors",
    "play",
    "kernel",
)
"""Checks without which nothing can be played, those that say most first."""

PATIENCE = 2.0
"""Seconds that a call of one of their functions may take."""


def explained(error: BaseException) -> GuestError | None:
    """The reason for an error, if a game from a file that was named breaks the contract."""
    for entry in named_files():
        if (found := explained_by(entry.load(), error)) is not None:
            return found
    return None


def explained_by(game: Any, error: BaseException) -> GuestError | None:
    """The reason for an error, if this game breaks the contract."""
    try:
        with watched(PATIENCE, is_named):
            subject = subject_of(game, game.make_rules({}))
            short = replace(subject, longest=min(subject.longest, ACTIONS))
            found = examine(short, 0, GAMES, lambda: False)
    except KeyboardInterrupt:
        raise
    except BaseException:  # of whatever kind: it is the first error that is to be told
        return None
    reasons = [each for each in found.findings if each.check in BREAKING]
    if not reasons:
        return None
    first = min(reasons, key=lambda each: BREAKING.index(each.check))
    place = f"{first.place}: " if first.place is not None else f"{game.name}, {first.member}: "
    return GuestError(
        f"{place}{first.message}; this may have led to {one_line(error)}; `gpkit doctor --game FILE` shows more"
    )
