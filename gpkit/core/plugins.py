"""Entries of registries, which are imported only on demand, and guests: games and languages from outside.

Code from outside is imported from two places only: distributions that somebody installed, which name what they bring
as entry points of the groups ``gpkit.games`` and ``gpkit.languages``; and Python files that a person names, with
``--game`` or in the variable ``GPKIT_GAMES``, with the modules that they import from their own folder. Games of other
packages, such as ``openspiel:hex``, are loaded where they are named so, too, and a game that Python code made is known
from when it is given (``gpkit.api``). The header of a program, a run folder and a configuration import nothing: they
can name only what is already here.
"""

import hashlib
import importlib.util
import logging
import os
import re
import sys
import traceback
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from threading import RLock
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from gpkit.core.errors import GuestError, one_line
from gpkit.core.neighbours import PACKAGE, SUFFIX, imported_beside, importing_file, module_in
from gpkit.core.plain_files import no_file
from gpkit.core.timeouts import Stuck, watched

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

VARIABLE = "GPKIT_GAMES"
"""Environment variable of game files, separated as in ``PATH``."""

MAX_BYTES = 1_000_000
"""The largest file that is read, in bytes."""

SESSION = "this session"
"""Origin of the games that this process made."""

ATTRIBUTE = "GAME"

PATIENCE = 60.0
"""Seconds that the import of a file may take, and a call of one of its functions."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LOG = logging.getLogger(__name__)

_PACKAGES: dict[str, str] = {}
"""Modules that bring the games of other packages, by the word before the colon; the registry names them."""

_OWN: dict[str, frozenset[str]] = {}
"""The names of gpkit's own games and languages, by group of entry points; guests cannot have these names."""

_LOCKS: dict[Hashable, RLock] = {}
"""A lock for each thing, held while code from outside runs; threads of that code may need other things."""

_LOOKING = RLock()
"""The lock for looking up something that is found only once and may be incomplete until then."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a registry.

    Attributes:
        name: how people call it.
        module: the module that holds the value.
        attribute: its name there.
        title: what it is, in a few words.
        suffix: of a language's files, including the dot.
        origin: who brought it from outside, a file or a distribution; empty for what comes with the package.
        programs: the folder of its program files, for a game from outside; None if there is none.
        value: the value, where it has been made already.
        files: suffixes of further files of a game, which are drawn, including the dot.
        genome: the kind of program of a language, the name of a module of ``gpkit.genomes``; empty for its own.
        work: the schema of folders with the game's own kind of long work; empty if it has none.
    """

    name: str
    module: str
    attribute: str
    title: str
    suffix: str = ""
    origin: str = ""
    programs: Path | None = None
    value: Any = None
    files: tuple[str, ...] = ()
    work: str = ""
    genome: str = ""

    @property
    def folder(self) -> str:
        """The package that the module is in; empty if it is in none."""
        return self.module.rpartition(".")[0]

    def load(self) -> Any:
        """Import the module and return the value.

        Raises:
            GuestError: it comes from outside and cannot be imported.
        """
        if self.value is not None:
            return self.value
        try:
            return getattr(import_module(self.module), self.attribute)
        except BaseException as error:
            if not self.origin or isinstance(error, KeyboardInterrupt):
                raise
            raise GuestError(
                f"`{self.name}` of {self.origin} cannot be imported: {one_line(error)}"
            ) from error

    def has_part(self, name: str) -> bool:
        """Whether there is a module of that name beside this one, such as ``view`` or ``forms.draw``."""
        return self.folder != "" and _spec(f"{self.folder}.{name}") is not None

    def file(self, name: str) -> Path | None:
        """The file with that name in the module's folder; None if there is no such file."""
        spec = _spec(self.folder) if self.folder else None
        paths = [Path(each) / name for each in (spec and spec.submodule_search_locations) or ()]
        return next((each for each in paths if each.is_file()), None)

    def part(self, name: str) -> Any:
        """The module of that name beside this one."""
        return import_module(f"{self.folder}.{name}")


def _spec(name: str) -> ModuleSpec | None:
    """The location of a module, found without importing the packages around it; None if there is no such module."""
    above = name.rpartition(".")[0]
    if not above:
        return find_spec(name)
    package = _spec(above)
    places = package.submodule_search_locations if package else None
    return PathFinder.find_spec(name, places) if places else None


def points_of(group: str) -> Iterator["EntryPoint"]:
    """The entry points of a group, without those of distributions whose table of entry points is damaged.

    If two distributions have the same name, the first one on the path counts.
    """
    from importlib.metadata import distributions, entry_points  # which takes its time

    with suppress(Exception):  # where a distribution is damaged
        yield from [
            point
            for point in entry_points(group=group)
            if point.dist is None or point.dist.metadata is not None
        ]
        return
    tables: dict[str, Any] = {}  # by name, which takes ten times as long to read
    for each in distributions():
        try:
            tables.setdefault(re.sub(r"[-_.]+", "-", each.name or str(id(each))).lower(), each.entry_points)
        except Exception as error:
            _LOG.info("the entry points of a distribution cannot be read: %s", one_line(error))
    yield from chain.from_iterable(points.select(group=group) for points in tables.values())


@dataclass(slots=True)
class Discovery:
    """Games and languages from outside that a process has found so far.

    Attributes:
        files: games of files that a person named, by absolute path.
        made: games that this process made, and no file brought, by name.
        cells: files, or cells of a notebook, with the code of such games.
        of_packages: games of other packages, by name.
        replaced: games of the package that were given further sensors, by name.
        digests: the SHA-256 of each file that was imported, by its absolute path.
        written: the path of each of them as it was written, by its absolute path.
        installed: entries of installed distributions, by group.
    """

    files: dict[Path, Entry] = field(default_factory=dict)
    made: dict[str, Entry] = field(default_factory=dict)
    cells: set[str] = field(default_factory=set)
    of_packages: dict[str, Entry] = field(default_factory=dict)
    replaced: dict[str, Entry] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    installed: dict[str, tuple[Entry, ...]] = field(default_factory=dict)


here = Discovery()


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: path, line, and function."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        """The place in words."""
        return f"{self.file}, line {self.line}, in {self.function}"


class _Loader(SourceFileLoader):
    """Loader that reads the file itself, and leaves no ``__pycache__`` beside it."""

    def get_code(self, fullname: str) -> CodeType:
        """The file compiled; what it imports from its folder counts for its SHA-256."""
        source = self.get_data(self.path)
        texts = [source, *(each.read_bytes() for each in imported_beside(Path(self.path), source))]
        digests = [hashlib.sha256(text).hexdigest() for text in texts]
        joined = hashlib.sha256(" ".join(digests).encode()).hexdigest()
        here.digests[self.path] = joined if len(digests) > 1 else digests[0]
        return self.source_to_code(source, self.path)


class _Beside:
    """Finder of modules for files that a person named, in their folders, after all others: it hides no module."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The place of a module without a package that such a file, or one beside or below it, imports."""
        del target
        asking = importing_file() if path is None else None
        above = () if asking is None else asking.parents
        for folder in {Path(each).parent: None for each in [*here.written]}:
            if folder in above and (file := module_in(folder, name)) is not None:
                inside = [str(file.parent)] if file.name == PACKAGE else None
                return importlib.util.spec_from_file_location(
                    name, file, loader=_Loader(name, str(file)), submodule_search_locations=inside
                )
        return None


def is_elsewhere(text: str) -> bool:
    """Whether a text names the file of a game, or a game of another package."""
    return text.endswith(SUFFIX) or of_package(text)


def named_game(text: str) -> Entry:
    """The game that a person named: a file, or a game of another package such as ``openspiel:hex``.

    Raises:
        GuestError: the file is not a game.
        UsageError: the package is not installed, or has no such game.
    """
    return game_file(text) if text.endswith(SUFFIX) else _package_game(text)


def bring(packages: Mapping[str, str], own: Mapping[str, Iterable[Entry]]) -> None:
    """Add gpkit's own entries, which the registry lists.

    Args:
        packages: modules that load the games of other packages, by the word before the colon.
        own: gpkit's own games and languages, by group of entry points.
    """
    _PACKAGES.update(packages)
    _OWN.update({group: frozenset(entry.name for entry in entries) for group, entries in own.items()})


def of_package(text: str) -> bool:
    """Whether a text names a game of another package, such as ``openspiel:hex``."""
    package, colon, _ = text.partition(":")
    return bool(colon) and package in _PACKAGES


def _package_game(text: str) -> Entry:
    """The game of another package."""
    package, _, words = text.partition(":")
    game = import_module(_PACKAGES[package]).game_of_text(words)
    attribute = game.name.removeprefix(f"{package}:")
    entry = Entry(game.name, _PACKAGES[package], attribute, game.title, origin=game.name)
    return here.of_packages.setdefault(game.name, entry)


def game_file(path: str) -> Entry:
    """The game of a file that a person named; the file is imported once.

    Raises:
        GuestError: there is no such file, or it is not a game; the message names the file and the line.
    """
    place = Path(path).absolute()
    if place in here.files:
        return here.files[place]
    module = imported_file(path)
    with _LOOKING:
        if place in here.files:
            return here.files[place]
        game = getattr(module, ATTRIBUTE, None)
        name = getattr(game, "name", None)
        if not isinstance(name, str):
            raise GuestError(f"{path} has no game: expected a last line such as {ATTRIBUTE} = game(...)")
        _check_name(name, f"{path}: ")
        here.made.pop(name, None)
        programs = place.with_suffix("")
        title = str(getattr(game, "title", "")) or f"the game of {path}"
        here.files[place] = Entry(
            name, module.__name__, ATTRIBUTE, title, "", path, programs if programs.is_dir() else None
        )
        return here.files[place]


def made_game(game: Any, cells: Collection[str]) -> Entry:
    """The entry of a game that this process made; it takes the place of one that was made before by the same name.

    Args:
        game: a ``gpkit.gamekit.game.Game``.
        cells: the files, or cells of a notebook, that hold its code.

    Raises:
        GuestError: its name is none, or taken.
    """
    with _LOOKING:
        _check_name(game.name)
        here.cells.update(cells)
        title = getattr(game, "title", "") or "a game of this session"
        here.made[game.name] = Entry(game.name, "", "", title, origin=SESSION, value=game)
        return here.made[game.name]


def is_made(game: str) -> bool:
    """Whether the game of that name was made by this process, so that no other one knows it."""
    return game in here.made


def _check_name(name: str, place: str = "") -> None:
    """Check that a game can have a name.

    Raises:
        GuestError: it cannot.
    """
    if not _NAME.fullmatch(name):
        raise GuestError(
            f"{place}`{name}` is not a valid game name; expected lower-case letters, digits and `_`, "
            "beginning with a letter"
        )
    others = [*installed("gpkit.games"), *here.files.values()]
    if name in _OWN["gpkit.games"] or name in (entry.name for entry in others):
        raise GuestError(f"{place}a game `{name}` exists already; choose another name")


def named_games() -> tuple[Entry, ...]:
    """The games of files and of other packages that were named, and those that were made, in this order.

    Raises:
        GuestError: one of ``GPKIT_GAMES`` is not a game.
    """
    between = "".join(rf"(?<!\b{re.escape(each)})" for each in _PACKAGES) + re.escape(os.pathsep)
    for text in filter(None, re.split(between, os.environ.get(VARIABLE, ""))):
        if not is_elsewhere(text):
            raise GuestError(
                f"{VARIABLE}: `{text}` is not a game file; expected a name that ends in {SUFFIX}"
            )
        named_game(text)
    return (*here.files.values(), *here.of_packages.values(), *here.made.values())


@contextmanager
def alone(thing: Hashable, seconds: float) -> Iterator[bool]:
    """Hold the lock for a thing; yields False if another thread still holds it after this many seconds."""
    lock = _LOCKS.setdefault(thing, RLock())
    with ExitStack() as stack:
        if is_held := lock.acquire(timeout=seconds):
            stack.callback(lock.release)
        yield is_held


def imported_file(path: str) -> ModuleType:
    """The module of a Python file that a person named.

    Raises:
        GuestError: there is no such file, it raises an error (the message names the line), or another thread is still
            importing it.
    """
    place = Path(path).absolute()
    with alone(place, PATIENCE / 2) as is_alone:
        if not is_alone:
            raise GuestError(
                f"{path} is still being imported by another thread, and that thread may be waiting for this one"
            )
        return _imported(path, place)


def _imported(path: str, place: Path) -> ModuleType:
    """The module of a file that no other thread is importing."""
    name = f"gpkit_file_{hashlib.sha256(str(place).encode()).hexdigest()[:12]}"  # the same in every process
    if name in sys.modules and str(place) in here.digests:
        return sys.modules[name]
    if not place.is_file():
        raise GuestError(f"{path} is not a file" if place.exists() else no_file(path))
    if place.stat().st_size > MAX_BYTES:
        raise GuestError(f"{path} is larger than {MAX_BYTES:,} bytes")
    loader = _Loader(name, str(place))
    spec = ModuleSpec(name, loader, origin=str(place))
    spec.has_location = True
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    here.written[str(place)] = path
    if _Beside not in sys.meta_path:
        sys.meta_path.append(_Beside)
    try:
        with watched(PATIENCE, is_named):
            loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        raise GuestError(f"{path}, line {error.lineno}: {error.msg}") from error
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        found = place_of_error(error)
        where = f", line {found.line}" if found is not None else ""
        raise GuestError(f"{path}{where}: {_message(error)}") from error
    return module


def replace_game(entry: Entry) -> None:
    """Put a game in the place of the one of the package that has its name."""
    here.replaced[entry.name] = entry


def digest_of(path: str) -> str:
    """The SHA-256 of the text of a file that was imported."""
    return here.digests[str(Path(path).absolute())]


def file_of(game: str) -> tuple[str, str] | None:
    """The path of the file that brought a game, and the SHA-256 of its text; None if it comes with the package.

    Of a game of another package its name, and the version of the package.
    """
    if game in here.of_packages:
        return game, import_module(here.of_packages[game].module).VERSION
    places = (str(place) for place, entry in here.files.items() if entry.name == game)
    return next(((place, here.digests[place]) for place in places), None)


def installed(group: str) -> tuple[Entry, ...]:
    """Entries of installed distributions, in the order of their names; one whose name is taken is left out, and told.

    Args:
        group: of entry points. Files of a language that comes so have its name as their suffix.
    """
    with _LOOKING:
        if group in here.installed:
            return here.installed[group]
        found: dict[str, Entry] = {}
        for point in sorted(points_of(group), key=lambda each: each.name):
            try:
                entry = _entry(point)
            except AttributeError:
                _LOG.warning(
                    f"`{point.name}` of {group} is left out: `{point.value}` does not name a module and an "
                    "attribute"
                )
                continue
            is_taken = point.name in found or point.name in _OWN.get(group, ())
            if is_taken or not _NAME.fullmatch(point.name):
                fault = "is taken" if is_taken else "may hold a-z, 0-9 and _"
                _LOG.warning(f"`{point.name}` of {entry.origin} is left out of {group}: the name {fault}")
            else:
                found[point.name] = entry
        here.installed[group] = tuple(found.values())
        return here.installed[group]


def _entry(point: "EntryPoint") -> Entry:
    """The entry of an entry point; nothing is imported."""
    dist = point.dist
    origin = f"{dist.name} {dist.version}" if dist is not None else point.value
    return Entry(
        point.name, point.module, point.attr or ATTRIBUTE, f"from {origin}", f".{point.name}", origin
    )


def named_files() -> tuple[Entry, ...]:
    """The games of the files that were named so far."""
    return tuple(here.files.values())


def is_named(file: str) -> bool:
    """Whether a file is one of those that a person named, or that hold a game that this process made."""
    return file in here.digests or file in here.cells


def shown_path(file: str) -> str:
    """The path of a file as the person wrote it who named it."""
    return here.written.get(file, file)


def blamed(error: BaseException) -> GuestError | None:
    """The error as a fault of the file in which it arose, of those that a person named; None if it arose elsewhere."""
    place = place_of_error(error)
    if place is None and error.__cause__ is not None:  # such as a StopIteration that came through a generator
        return blamed(error.__cause__)
    return None if place is None else GuestError(f"{place}: {_message(error)}")


def place_of_error(error: BaseException) -> Place | None:
    """The last call in a file that a person named; None if there is none."""
    calls = (each for each in reversed(traceback.extract_tb(error.__traceback__)) if is_named(each.filename))
    return next((Place(shown_path(each.filename), each.lineno or 0, each.name) for each in calls), None)


def _message(error: BaseException) -> str:
    return str(error) if isinstance(error, Stuck) else one_line(error)
