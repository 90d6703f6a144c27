"""Leagues: players who meet each other, what is asked for and what comes of it, for this process or another one."""

from dataclasses import dataclass
from typing import Any

from gpkit.analysis.ratings import Order, Ratings, find_order, rate
from gpkit.app.players import read_named, seat
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of, name_game
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.tournament import Tournament, play_tournament

MOST_PLAYERS = 8


@dataclass(frozen=True, slots=True)
class Meeting:
    """Players who are to meet.

    Attributes:
        game: its name.
        players: as they are read: names, or paths of files.
        rules: by option, as texts.
        games: of each ordered pair, at least.
        seed: of the deals.
        external: who brought the game from outside; empty for what comes with the package.
    """

    game: str
    players: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    games: int
    seed: int
    external: str = ""


@dataclass(frozen=True, slots=True)
class League:
    """Players who have met: the cross table, and what follows from it."""

    table: Tournament
    ratings: Ratings
    order: Order


def is_long(meeting: Meeting) -> bool:
    """Whether a player takes so long that nobody should wait for the answer.

    Raises:
        UsageError: as of ``meet``.
    """
    return any(player.is_slow for player in _seated(meeting)[2])


def meet(meeting: Meeting) -> League:
    """The league of a meeting.

    Raises:
        UsageError: the players are too few or too many, or play alone by these rules, or are none.
        SourceError: a program has an error for this game.
    """
    if meeting.external:
        name_game(meeting.external)  # a worker has to be told of its file
    game, rules, players = _seated(meeting)
    table = play_tournament(game, players, rules=rules, seed=meeting.seed, games=meeting.games)
    return League(table, rate(table, seed=meeting.seed), find_order(table))


def _seated(meeting: Meeting) -> tuple[Game, Any, list[Player]]:
    game: Game = game_of(meeting.game)
    rules = game.make_rules(dict(meeting.rules))
    if not 2 <= len(meeting.players) <= MOST_PLAYERS:
        raise UsageError(f"a league takes 2 to {MOST_PLAYERS} players, separated by commas")
    if game.seatings(rules) == 1:
        raise UsageError(f"under these rules of {game.name} everybody plays alone")
    return game, rules, [seat(each, game) for each in read_named(meeting.players, None, game=game.name)]
