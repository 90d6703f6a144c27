"""The site: what its pages share while the server runs."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from gpkit.analysis.results import League
from gpkit.playing.heat import Tally
from gpkit.web.heat_counts import Wanted
from gpkit.web.jobs import Job, Worker
from gpkit.web.meetings import Meeting
from gpkit.web.play_table import PlayTable
from gpkit.web.runner import Runner
from gpkit.web.trace_tape import TraceTape
from gpkit.web.workspace import Workspace, look_around

Name = TypeVar("Name", bound=Hashable)
T = TypeVar("T")

MOST_TABLES = 16

MOST_TAPES = 6
"""Traced games that are kept."""

MOST_TALLIES = 12

MOST_LEAGUES = 8
"""Leagues that are kept; older ones are played again where their page is opened."""


class Shelf(Generic[Name, T]):
    """A few values by name; the oldest one makes room for a new one."""

    def __init__(self, room: int) -> None:
        self._kept: OrderedDict[Name, T] = OrderedDict()
        self._room, self._lock = room, Lock()

    def get(self, name: Name) -> T | None:
        """The value of a name; None if there is none, or none any more."""
        with self._lock:
            return self._kept.get(name)

    def latest(self) -> list[tuple[Name, T]]:
        """All names with their values, the newest first."""
        with self._lock:
            return [*reversed(self._kept.items())]

    def made(self, name: Name, make: Callable[[], T]) -> T:
        """The value of a name, which is made now unless it is kept."""
        found = self.get(name)
        if found is None:
            found = make()
        self.put(name, found)
        return found

    def take(self, name: Name) -> T | None:
        """The value of a name, which the shelf then drops."""
        with self._lock:
            return self._kept.pop(name, None)

    def put(self, name: Name, value: T) -> None:
        """Keep a value."""
        with self._lock:
            self._kept[name] = value
            self._kept.move_to_end(name)
            while len(self._kept) > self._room:
                self._kept.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Site:
    """Values that the pages share.

    Attributes:
        folder: the folder with the programs and runs.
        tables: games in which a person has acted since the server started.
        reread: people's games that have only been looked at since then.
        tapes: games that somebody is watching.
        runner: evolves in a child process.
        tallies: the counts of games for heat maps, by request and number of games.
        counting: the worker that plays the games for heat maps.
        leagues: the worker that plays leagues, one at a time.
        played: the leagues that have been played or are being played.
        matches: the worker that plays the match of the workshop, as long as somebody watches; a new one ends it.
        awaited: the call that plays a match that nobody watches yet.
        saving: the lock that is held while a file is written, so that only one is written at a time.
    """

    folder: Path
    tables: Shelf[str, PlayTable]
    reread: Shelf[str, PlayTable]
    tapes: Shelf[str, TraceTape]
    runner: Runner
    tallies: Shelf[tuple[Wanted, int], Tally]
    counting: Worker
    leagues: Worker
    played: Shelf[Meeting, Job[League]]
    matches: Worker
    awaited: Shelf[str, Callable[[], None]]
    saving: Lock

    def below(self) -> Workspace:
        """Programs and runs that are there now."""
        return look_around(self.folder)

    def end(self) -> None:
        """End every process of the site."""
        self.runner.stop()
        for worker in (self.counting, self.leagues, self.matches):
            worker.end()


def open_site(folder: Path) -> Site:
    """The site of a folder, in which nobody plays yet."""
    root = folder.resolve()
    return Site(
        root,
        Shelf(MOST_TABLES),
        Shelf(MOST_TABLES),
        Shelf(MOST_TAPES),
        Runner(root),
        Shelf(MOST_TALLIES),
        Worker(),
        Worker(),
        Shelf(MOST_LEAGUES),
        Worker(),
        Shelf(1),
        Lock(),
    )
