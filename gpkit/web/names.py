"""Names in requests: only what was found below the folder, or belongs to gpkit, can be named."""

from gpkit.app.game_setup import opponents_of
from gpkit.app.workspace import programs_for
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Game
from gpkit.web.site import Site

MOST_NAMES = 16
"""Players that one request can name."""


def players_of(game: Game, site: Site) -> list[str]:
    """The names of all who can play a game: its own players, and programs below the folder that are for it."""
    return [*opponents_of(game), *programs_for(site.below(), game)]


def players_named(text: str, site: Site, game: Game) -> tuple[str, ...]:
    """The players that a text names, between commas, as they are read: names, or paths of files that were found.

    Raises:
        UsageError: it names something else; the message names the nearest right thing.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MOST_NAMES:
        raise UsageError(f"{len(names)} players are named; at most {MOST_NAMES} can be")
    return tuple(player_named(name, site, game) for name in names)


def player_named(name: str, site: Site, game: Game) -> str:
    """The player of a name, as it is read.

    Raises:
        UsageError: there is none.
    """
    known = opponents_of(game)
    if name.partition(":")[0] in known:
        return name
    below = site.below()
    path = below.program(name)
    if path is not None:
        return str(path)
    shown = name if len(name) <= 40 else f"{name[:39]}…"
    raise UsageError(
        f"there is neither a player of {game.name} nor a program below the folder that is called `{shown}`; "
        f"{suggestion(shown, [*known, *below.programs])}"
    )
