"""Games of persons kept below the folder, so that they go on after the server has stopped.

Each is a transcript with three facts about it. What is read may be anybody's: only names of players and rules count,
as in an address, within limits, and what is no such game is passed by.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from gpkit.core.codec import Range, print_document, read_document
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.plain_files import held, make_folder, read_plain, remove_plain, write_plain
from gpkit.core.registry import game_of
from gpkit.playing.game_setup import GameSetup
from gpkit.playing.persons import SUFFIX, transcript_of
from gpkit.playing.transcript import SCHEMA, Transcript
from gpkit.web.pages import MOST_NAMES, player_named
from gpkit.web.play_table import PlayTable, opponents, seated
from gpkit.web.site import MOST_TABLES, Site

KEPT = ".gpkit-games"
"""Name of their folder."""

MOST_BYTES = 64_000
"""Bytes of a game; a longer one is not kept."""

_NAME = re.compile(r"[A-Za-z0-9_-]{12}")
"""Names of games, as their addresses have them."""


Flag = Annotated[int, Range(0, 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(Transcript):
    """A transcript, with the other players, and whether the game was given up or is over."""

    against: tuple[str, ...]
    gave_up: Flag
    over: Flag


def keep(site: Site, name: str, table: PlayTable) -> None:
    """Keep a game as far as it went, instead of the one that was kept for the longest time."""
    site.tables.put(name, table)
    kept = Kept(
        **asdict(transcript_of(table.setup, table.session)),
        against=tuple(opponents(table)),
        gave_up=int(table.gave_up),
        over=int(table.is_over),
    )
    content = json.dumps(print_document(SCHEMA, kept), ensure_ascii=False).encode()
    folder = site.folder / KEPT
    table.is_kept = False
    with suppress(GpkitError, OSError), site.saving:
        if len(content) <= MOST_BYTES:
            make_folder(folder)
            with held(folder) as at:
                write_plain(folder / f"{name}{SUFFIX}", content, at=at)
                for old in _latest(folder)[MOST_TABLES:]:
                    remove_plain(old, at=at)
            table.is_kept = True


def _latest(folder: Path) -> list[Path]:
    """The files of games, the latest first."""
    found = [path for path in folder.glob(f"*{SUFFIX}") if _NAME.fullmatch(path.stem)]
    return sorted(found, key=lambda path: -path.lstat().st_mtime_ns)


def _read(path: Path) -> Kept:
    """The game in a file.

    Raises:
        GpkitError, ValueError: the file does not hold a game.
    """
    return read_document(read_plain(path, MOST_BYTES), SCHEMA, Kept)


def going_on(site: Site) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Games that are not over, the latest first: the name of each, its game, and who else plays."""
    seen = set[str]()
    for name, table in site.tables.latest():
        seen.add(name)
        if not table.is_over:
            yield name, table.setup.game, tuple(opponents(table))
    with suppress(OSError):
        for path in _latest(site.folder / KEPT)[:MOST_TABLES]:
            with suppress(GpkitError, ValueError):
                found = _read(path)
                game_of(found.game)
                if path.stem not in seen and not found.over:
                    yield path.stem, found.game, tuple(name[:80] for name in found.against[:MOST_NAMES])


def table_named(site: Site, name: str) -> PlayTable | None:
    """The game of a name, if need be played once more as it was kept; None for one that is not, or not any more."""
    table = site.tables.get(name)
    if table is None and _NAME.fullmatch(name):
        with suppress(GpkitError, ValueError):
            file = site.folder / KEPT / f"{name}{SUFFIX}"
            table = site.reread.made(name, partial(_again, site, file))
    return table


def _again(site: Site, path: Path) -> PlayTable:
    """The game in a file, played once more.

    Raises:
        GpkitError: it cannot be; ValueError: so, too.
    """
    found = _read(path)
    setup = GameSetup(found.game, found.opponents, found.rules, found.seat, found.seed, found.deal)
    if len(setup.opponents) > MOST_NAMES or max(setup.seat, setup.deal, setup.seed) > 10**15:
        raise UsageError(f"{path.name} is not a game that a page began")
    game = game_of(setup.game)
    named = tuple(player_named(name, site, game) for name in setup.opponents)
    table = seated(setup, named)
    for word in (*found.opening, *found.actions):
        if table.session.answers:
            table.answer(table.turn, word)
        else:
            table.act_by_text(table.turn, word)
    table.gave_up, table.is_kept = bool(found.gave_up) and not table.is_over, True
    return table
