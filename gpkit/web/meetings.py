"""Leagues: players who meet each other, what is asked for and what comes of it, for this process or another one."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from gpkit.analysis.ratings import find_order, rate
from gpkit.analysis.results import League
from gpkit.core.codec import print_document, read_document
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.json_values import print_json
from gpkit.core.plain_files import make_folder, read_plain, write_plain
from gpkit.core.registry import game_of
from gpkit.core.wording import spelled
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.named import read_named, seat
from gpkit.playing.tournament import play_tournament
from gpkit.web.jobs import tell

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
    """

    game: str
    players: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    games: int
    seed: int

    @property
    def all_games(self) -> int:
        """The least number of games that all pairs play together."""
        return len(self.players) * (len(self.players) - 1) * self.games


def check(meeting: Meeting) -> None:
    """Check that the players of a meeting can meet.

    Raises:
        UsageError: as of ``meet``.
        SourceError: as of ``meet``.
    """
    _seated(meeting)


def meet(meeting: Meeting, folder: Path, address: str) -> League:
    """The league of a meeting; a note of it with the address of its page is saved below a folder first.

    Meanwhile it reports how many games have been played, and how many there will be.

    Raises:
        UsageError: the players are too few or too many, or play alone by these rules, or are not players.
        SourceError: a program has an error for this game.
    """
    game, rules, players = _seated(meeting)

    def watch(played: int) -> None:
        tell((played, max(played, meeting.all_games)))

    table = play_tournament(game, players, rules=rules, seed=meeting.seed, games=meeting.games, watch=watch)
    league = League(table, rate(table, seed=meeting.seed), find_order(table), dict(meeting.rules))
    with suppress(GpkitError, OSError):  # the league is there all the same
        keep_league(folder, meeting, address, league)
    return league


@dataclass(frozen=True, slots=True)
class Note:
    """A league that was played: its title, and the address of its page."""

    title: str
    address: str


KEPT, SCHEMA = "leagues", "gpkit.league/1"
"""Folder below that of the site, in which finished leagues are noted."""

MOST_KEPT = 4_000
"""Bytes of a note that are read."""


def keep_league(folder: Path, meeting: Meeting, address: str, league: League) -> None:
    """Note below a folder that a league was played: its title, and the address of its page, which plays it again alike.

    Raises:
        CheckpointError: something else is in the way, or the file system refuses.
    """
    best = PurePath(league.ratings.ratings[0].program).stem
    games = sum(each.games for each in league.table.results)
    title = f"{spelled(meeting.game)}: {best} first of {len(league.table.programs)}, {games:,} games"
    make_folder(folder / KEPT)
    name = hashlib.sha256(address.encode()).hexdigest()[:16]
    write_plain(folder / KEPT / f"{name}.json", print_json(print_document(SCHEMA, Note(title, address))))


def kept_leagues(folder: Path) -> list[tuple[str, str, float]]:
    """The leagues that were noted below a folder, the latest first: title, address, and seconds since 1970."""
    found = []
    with suppress(OSError):
        for path in (folder / KEPT).glob("*.json"):
            with suppress(ValueError, GpkitError, OSError):
                note = read_document(read_plain(path, MOST_KEPT), SCHEMA, Note)
                found.append((note.title, note.address, path.stat().st_mtime))
    return sorted((each for each in found if each[1].startswith("/league?")), key=lambda each: -each[2])


def _seated(meeting: Meeting) -> tuple[Game, Any, list[Player]]:
    game: Game = game_of(meeting.game)
    rules = game.make_rules(dict(meeting.rules))
    if not 2 <= len(meeting.players) <= MOST_PLAYERS:
        raise UsageError(f"A league takes 2 to {MOST_PLAYERS} players.")
    if game.seatings(rules) == 1:
        raise UsageError(
            f"Under these rules everybody plays {spelled(game.name)} alone, so nobody beats anybody."
        )
    return game, rules, [seat(each, game) for each in read_named(meeting.players, None, game=game.name)]
