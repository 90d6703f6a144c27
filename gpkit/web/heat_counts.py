"""Heat maps of what was named: the games that are counted, as worker processes play them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry
from gpkit.core.wording import YOU
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.view import View, view_of
from gpkit.playing.game_setup import seat_all
from gpkit.playing.heat import Tally
from gpkit.playing.match import deal_of
from gpkit.playing.players import Seating, check_seat
from gpkit.playing.trace import followed


@dataclass(frozen=True)
class Wanted:
    """Games that are to be counted.

    Attributes:
        game: its name.
        program: whose choices are counted, as it is read: a name, or the path of a file; empty where only what the
            opponents lay out is.
        opponents: likewise.
        rules: by option, as texts.
        seat: of the program.
        seed: of the deals.
        changed: when the files that are named were changed, so that a changed one is another wish.
    """

    game: str
    program: str
    opponents: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    seat: int
    seed: int
    changed: tuple[int, ...] = ()


@lru_cache(maxsize=4)
def seated(wanted: Wanted) -> tuple[Seating, View]:
    """The players, and the view of their game.

    Raises:
        UsageError: something that was named does not exist or does not fit, or the board has no squares.
        SourceError: a program does not parse, or has an error for this game.
    """
    game = game_entry(wanted.game).name
    found = seat_all(wanted.program or None, wanted.opponents, game=game, options=dict(wanted.rules))
    view = view_of(game)
    if not has_squares(found.game, found.rules):
        raise UsageError(f"boards of {game} have no fixed squares")
    if not wanted.program and view.laid_squares is None:
        raise UsageError(f"{game} has no hidden layout: name a program whose choices to count")
    check_seat(wanted.seat, len(found.players) + (not wanted.program))
    return found, view


def has_squares(game: Game, rules: Any) -> bool:
    """Whether boards have squares that stay where they are; views of games of one's own can say so of any state."""
    view = view_of(game.name)
    if view.squares is None:
        return False
    players = [Player(YOU)] * game.players(rules)
    return bool(view.squares(game.begin(players, deal_of(game, rules, 0, 0), rules)))


def count_games(wanted: Wanted, numbers: range) -> Tally:
    """The tally of the games on the deals of these numbers.

    Raises:
        UsageError: as of ``seated``; or the program cannot be followed.
        SourceError: likewise.
    """
    seating, view = seated(wanted)
    tally = Tally()
    for number in numbers:
        if wanted.program:
            tally.follow(followed(seating, seat=wanted.seat, seed=wanted.seed, deal=number), view)
        else:
            deals = deal_of(seating.game, seating.rules, wanted.seed, number)
            others = list(seating.players)
            others.insert(wanted.seat, Player(YOU))
            tally.begin(seating.game.begin(others, deals, seating.rules), view)
    return tally
