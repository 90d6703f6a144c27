"""Registry entries, which gpkit imports only when needed, and plugins: external games and languages.

gpkit imports external code from only two sources. The first is installed distributions with entry points in the groups
``gpkit.games`` and ``gpkit.languages``. The second is Python files that the user names with ``--game`` or in the
variable ``GPKIT_GAMES``, together with the modules that these files import from their own folders. gpkit also loads
games of other packages if the user names them, such as ``openspiel:hex``. gpkit knows a game that was made in Python
code as soon as the game is passed to ``gpkit.api``. Program headers, run folders and configurations import nothing:
they can only name games and languages that gpkit already knows.

A Python file that the user named can import modules from its own folder, whichever code imports the file.
"""

import ast
import hashlib
import importlib.util
import io
import logging
import os
import re
import sys
import tokenize
import traceback
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from threading import RLock
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from gpkit.core.errors import GuestError, one_line
from gpkit.core.plain_files import no_file
from gpkit.core.timeouts import Stuck, watched

SUFFIX = ".py"
"""The suffix of Python files, including the dot."""

OF_FILE = "gpkit_file_"
"""The prefix of module names for files that the user named."""

PACKAGE = "__init__.py"
"""The name of the file that Python imports for a package."""


def module_in(folder: Path, name: str) -> Path | None:
    """The file of a module or package with this name, in a folder or sent by another process; None if it is missing."""
    places = (folder / f"{name}{SUFFIX}", folder / name / PACKAGE)
    return next((place for place in places if str(place) in here.carried or place.is_file()), None)


def text_of(path: Path) -> bytes:
    """The text of a file, or the text that another process sent for this file."""
    carried = here.carried.get(str(path))
    return path.read_bytes() if carried is None else carried


def imported_beside(path: Path, source: bytes) -> list[Path]:
    """The modules that a file imports from its folder, directly or not, by path; for a package, its ``__init__.py``.

    Args:
        path: the path of the file.
        source: the text of the file.
    """
    found: dict[Path, None] = {}
    waiting = [source]
    for text in waiting:
        with suppress(SyntaxError, ValueError):  # the import reports it
            for each in ast.walk(ast.parse(text)):
                names = [alias.name for alias in each.names] if isinstance(each, ast.Import) else []
                if isinstance(each, ast.ImportFrom) and not each.level:
                    names.append(each.module or "")
                for name in names:
                    other = module_in(path.parent, name.partition(".")[0])
                    if other is not None and other != path and other not in found:
                        found[other] = None
                        waiting.append(text_of(other))
    return sorted(found)


def code_of(text: bytes) -> bytes:
    """The lines of a Python file that have an effect on import; the whole text if it is not Python.

    Comments, blank lines and the block ``if __name__ == "__main__":`` are left out.
    """
    lines, gone = text.split(b"\n"), set[int]()
    with suppress(SyntaxError, ValueError, tokenize.TokenError):  # the import reports it
        for each in ast.parse(text).body:
            if (
                isinstance(each, ast.If)
                and not each.orelse
                and ast.unparse(each.test) == "__name__ == '__main__'"
            ):
                gone.update(range(each.lineno, (each.end_lineno or 0) + 1))
        for token in tokenize.tokenize(io.BytesIO(text).readline):
            row, place = token.start
            if token.type == tokenize.COMMENT:
                lines[row - 1] = lines[row - 1].decode()[:place].rstrip().encode()
            elif token.type == tokenize.NL and not lines[row - 1].strip():
                gone.add(row)
    return b"\n".join(line for row, line in enumerate(lines, 1) if row not in gone)


def importing_file() -> Path | None:
    """The file whose code is importing a module now, for use in module finders; None if it is unknown."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if "importlib" not in frame.f_code.co_filename and frame.f_code.co_filename != __file__:
            return Path(frame.f_code.co_filename)
    return None


if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

VARIABLE = "GPKIT_GAMES"
"""The environment variable that lists game files, separated as in ``PATH``."""

LANGUAGES_VARIABLE = "GPKIT_LANGUAGES"
"""The environment variable that lists language files, separated as in ``PATH``."""

MAX_BYTES = 1_000_000
"""The maximum size, in bytes, of a Python file that gpkit reads."""

MOST_FILES = 1000
"""The maximum number of a package's files that gpkit sends to worker processes."""

SESSION = "this session"
"""The origin of games that were made in this process."""

RECORDED = "a run's folder"
"""The origin of a language that gpkit knows only from the grammar in a run folder."""

ATTRIBUTE = "GAME"

PATIENCE = 60.0
"""The time limit, in seconds, for importing a file and for each call of one of its functions."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LOG = logging.getLogger(__name__)

_PACKAGES: dict[str, str] = {}
"""Modules that load the games of other packages, by the word before the colon; the registry fills this mapping."""

_OWN: dict[str, "dict[str, Entry]"] = {}
"""gpkit's own games and languages by name, for each group of entry points; plugins cannot use these names."""

_LOCKS: dict[Hashable, RLock] = {}
"""A lock for each thing, held while external code runs, because this code's threads may need other things."""

_LOOKING = RLock()
"""The lock for a lookup that is made only once, and whose result is incomplete until it ends."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a registry.

    Attributes:
        name: the name that users type.
        module: the module that contains the value.
        attribute: the name of the value in the module.
        title: a short description.
        suffix: the suffix of a language's files, including the dot.
        origin: the file or distribution that an external entry comes from; empty for an entry of gpkit.
        programs: the folder of an external game's program files; None if there is none.
        value: the value, if it already exists.
        files: the suffixes of other files of a game that gpkit can draw, including the dot.
        genome: the module of ``gpkit.genomes`` that represents a language's programs; empty if the language represents
            them itself.
        work: the schema of the folders in which the game's learner works; empty if it has none.
    """

    name: str
    module: str
    attribute: str
    title: str
    suffix: str = ""
    origin: str = ""
    programs: Path | None = None
    value: Any = field(default=None, compare=False)
    files: tuple[str, ...] = ()
    work: str = ""
    genome: str = ""

    @property
    def folder(self) -> str:
        """The package that contains the module; empty for a module outside packages."""
        return self.module.rpartition(".")[0]

    def load(self) -> Any:
        """Import the module and return the value.

        Raises:
            GuestError: the module is external and cannot be imported.
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
        """Whether the entry's module has a neighbour with this name, such as ``view`` or ``forms.draw``."""
        return self.folder != "" and _spec(f"{self.folder}.{name}") is not None

    def file(self, name: str) -> Path | None:
        """The file with this name in the module's folder; None if there is no such file."""
        spec = _spec(self.folder) if self.folder else None
        paths = [Path(each) / name for each in (spec and spec.submodule_search_locations) or ()]
        return next((each for each in paths if each.is_file()), None)

    def part(self, name: str) -> Any:
        """The module with this name next to the entry's module."""
        return import_module(f"{self.folder}.{name}")


def _spec(name: str) -> ModuleSpec | None:
    """The location of a module, found without importing its parent packages; None if there is no such module."""
    above = name.rpartition(".")[0]
    if not above:
        return find_spec(name)
    package = _spec(above)
    places = package.submodule_search_locations if package else None
    return PathFinder.find_spec(name, places) if places else None


def points_of(group: str) -> Iterator["EntryPoint"]:
    """The entry points of a group; a distribution whose table of entry points is damaged is left out.

    If two distributions have the same name, the first one on the import path counts.
    """
    from importlib.metadata import distributions, entry_points  # slow to import

    with suppress(Exception):  # a damaged distribution
        yield from [
            point
            for point in entry_points(group=group)
            if point.dist is None or point.dist.metadata is not None
        ]
        return
    tables: dict[str, Any] = {}  # by name, because reading a name takes ten times as long
    for each in distributions():
        try:
            tables.setdefault(re.sub(r"[-_.]+", "-", each.name or str(id(each))).lower(), each.entry_points)
        except Exception as error:
            _LOG.info("the entry points of a distribution cannot be read: %s", one_line(error))
    yield from chain.from_iterable(points.select(group=group) for points in tables.values())


@dataclass(slots=True)
class Discovery:
    """External games and languages that this process has found so far.

    Attributes:
        files: games from files that the user named, by absolute path.
        made: games that were made in this process rather than loaded from a file, by name.
        cells: files or notebook cells that contain the code of these games.
        of_packages: games of other packages, by name.
        replaced: gpkit's own games with additional sensors, by name.
        digests: the SHA-256 of the code of each imported file, by absolute path.
        texts: the text of each imported file and of the modules that it imports from its folder, by absolute path.
        carried: the texts of files that another process sent, by absolute path in that process.
        modules: the paths of the sent files that are imported as modules, by module name.
        written: the path of each named file as the user typed it, by absolute path.
        installed: entries of installed distributions, by group.
        languages: languages that were declared, by name.
        functions: Python functions that formulas can call, by name.
    """

    files: dict[Path, Entry] = field(default_factory=dict)
    made: dict[str, Entry] = field(default_factory=dict)
    cells: set[str] = field(default_factory=set)
    of_packages: dict[str, Entry] = field(default_factory=dict)
    replaced: dict[str, Entry] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    texts: dict[str, bytes] = field(default_factory=dict)
    carried: dict[str, bytes] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    installed: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    languages: dict[str, Entry] = field(default_factory=dict)
    functions: dict[str, Any] = field(default_factory=dict)


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
    """A loader that reads the source file itself and leaves no ``__pycache__`` next to it."""

    def get_data(self, path: str) -> bytes:
        """The text of the file."""
        return text_of(Path(path))

    def get_code(self, fullname: str) -> CodeType:
        """The compiled code of the file; the recorded SHA-256 also covers the modules from its folder."""
        source = self.get_data(self.path)
        beside = imported_beside(Path(self.path), source)
        texts = [source, *map(text_of, beside)]
        here.texts.update(zip([self.path, *map(str, beside)], texts, strict=True))
        digests = [hashlib.sha256(code_of(text)).hexdigest() for text in texts]
        joined = hashlib.sha256(" ".join(digests).encode()).hexdigest()
        here.digests[self.path] = joined if len(digests) > 1 else digests[0]
        return self.source_to_code(source, self.path)


class _Beside:
    """A module finder for the folders of files that the user named; it comes last, so it never hides another module."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """The location of a top-level module that is imported by a named file or by a file in or below its folder.

        This also finds modules in a package that another process sent.
        """
        del target
        asking = importing_file() if path is None else None
        above = () if asking is None else asking.parents
        for folder in {Path(each).parent: None for each in [*here.written]}:
            if folder in above and (file := module_in(folder, name)) is not None:
                return _spec_of(name, file)
        files = (module_in(Path(each), name.rpartition(".")[2]) for each in path or ())
        return next((_spec_of(name, file) for file in files if str(file) in here.carried and file), None)


class _Carried:
    """A module finder for modules that another process sent; it comes first."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The location of a module that another process sent; None for any other module."""
        del path, target
        return _spec_of(name, Path(here.modules[name])) if name in here.modules else None


def _spec_of(name: str, file: Path) -> ModuleSpec | None:
    inside = [str(file.parent)] if file.name == PACKAGE else None
    return importlib.util.spec_from_file_location(
        name, file, loader=_Loader(name, str(file)), submodule_search_locations=inside
    )


def travelling(local: Mapping[str, Path]) -> list[tuple[str, str, bytes]]:
    """The path, module and text of each file that another process needs: the named files, and the modules next to them.

    Args:
        local: additional files, by the module name under which they are imported.
    """
    found = {path: ("", text) for path, text in here.texts.items()}
    for name, file in local.items():
        text = text_of(file)
        found[str(file)] = name, text
        for each in imported_beside(file, text):
            module = each.parent.name if each.name == PACKAGE else each.stem
            found.setdefault(str(each), (module, text_of(each)))
    for path in [each for each in found if Path(each).name == PACKAGE]:
        for each in islice(Path(path).parent.rglob(f"*{SUFFIX}"), MOST_FILES):
            found.setdefault(str(each), ("", each.read_bytes()))
    return [(path, module, text) for path, (module, text) in sorted(found.items())]


def carry(files: Sequence[tuple[str, str, str, bytes]]) -> None:
    """Use these texts for the files that another process sent, and forget modules whose texts differ.

    Args:
        files: for each file, its path, the path as the user typed it, the module name under which it is imported, and
            its text.
    """
    with _LOOKING:
        if all(here.texts.get(path) == text for path, _, _, text in files):
            return
        sys.meta_path[:] = [
            _Carried,
            *(each for each in sys.meta_path if each not in (_Carried, _Beside)),
            _Beside,
        ]
        old = {path for path, *_ in files}
        unknown = [Path(path) for path in sorted(old - here.texts.keys())]
        known = {**here.texts, **{str(path): text_of(path) if path.is_file() else b"" for path in unknown}}
        if any(known[path] != text for path, _, _, text in files):
            for name, loaded in [*sys.modules.items()]:
                if getattr(loaded, "__file__", None) in old or name in here.modules:
                    del sys.modules[name]
            for path in old:
                here.digests.pop(path, None)
                here.files.pop(Path(path), None)
        for path, written, module, text in files:
            here.texts[path] = here.carried[path] = text
            here.written[path] = written
            if module:
                here.modules[module] = path


def is_elsewhere(text: str) -> bool:
    """Whether a string names a game file or a game of another package."""
    return text.endswith(SUFFIX) or of_package(text)


def named_game(text: str) -> Entry:
    """The game that the user named: a file, or a game of another package such as ``openspiel:hex``.

    Raises:
        GuestError: the file is not a game.
        UsageError: the package is not installed, or has no such game.
    """
    return game_file(text) if text.endswith(SUFFIX) else _package_game(text)


def bring(packages: Mapping[str, str], own: Mapping[str, Iterable[Entry]]) -> None:
    """Add gpkit's own entries from the registry.

    Args:
        packages: modules that load the games of other packages, by the word before the colon.
        own: gpkit's own games and languages, by group of entry points.
    """
    _PACKAGES.update(packages)
    _OWN.update({group: {entry.name: entry for entry in entries} for group, entries in own.items()})


def of_package(text: str) -> bool:
    """Whether a string names a game of another package, such as ``openspiel:hex``."""
    package, colon, _ = text.partition(":")
    return bool(colon) and package in _PACKAGES


def _package_game(text: str) -> Entry:
    """The game of another package."""
    package, _, words = text.partition(":")
    game = import_module(_PACKAGES[package]).game_of_text(words)
    return here.of_packages.setdefault(
        game.name,
        Entry(
            game.name, _PACKAGES[package], game.name.removeprefix(f"{package}:"), game.title, origin=game.name
        ),
    )


def game_file(path: str) -> Entry:
    """The game in a file that the user named; gpkit imports the file only once.

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
            raise GuestError(
                f"{path} has no game and no problem: expected a last line such as {ATTRIBUTE} = gpkit.game(...) or "
                "PROBLEM = gpkit.problem(...)"
            )
        _check_name(name, f"{path}: ")
        here.made.pop(name, None)
        programs = place.with_suffix("")
        title = str(getattr(game, "title", "")) or f"the game of {path}"
        here.files[place] = Entry(
            name, module.__name__, ATTRIBUTE, title, "", path, programs if programs.is_dir() else None
        )
        return here.files[place]


def made_game(game: Any, cells: Collection[str]) -> Entry:
    """The entry of a game that was made in this process; it replaces an earlier game with the same name.

    Args:
        game: a ``gpkit.gamekit.game.Game``.
        cells: the files or notebook cells that contain the code of the game.

    Raises:
        GuestError: the name of the game is not valid, or is already in use.
    """
    with _LOOKING:
        _check_name(game.name)
        here.cells.update(cells)
        title = getattr(game, "title", "") or "a game of this session"
        here.made[game.name] = Entry(game.name, "", "", title, origin=SESSION, value=game)
        return here.made[game.name]


def keep_language(language: Any, title: str, origin: str, module: str, declarer: str) -> None:
    """Register a declared language by its name; it replaces an earlier language with the same name and origin.

    Args:
        language: a ``gpkit.langkit.language.Language``.
        title: a short description.
        origin: the file that declares the language, ``SESSION`` or ``RECORDED``.
        module: the module that makes such languages; it is in the folder of their presets.
        declarer: the module that declares the language; its package may also provide the language through an entry
            point.

    Raises:
        GuestError: the name of the language is not valid, or the name or the suffix is already in use.
    """
    with _LOOKING:
        others = [entry for entry in here.languages.values() if entry.origin not in (origin, RECORDED)]
        _check_name(language.name, "", "language", others, declarer)
        taken = [*_OWN["gpkit.languages"].values(), *others]
        if same := next((each for each in taken if each.suffix == language.suffix), None):
            raise GuestError(f"the suffix {language.suffix} belongs to {same.name}; choose another name")
        here.languages[language.name] = Entry(
            language.name, module, "", title, language.suffix, origin, value=language
        )


def file_language(path: str) -> Entry:
    """The last language that a file declares; gpkit imports the file only once.

    Raises:
        GuestError: the file cannot be imported, or declares no language.
    """
    imported_file(path)
    place = str(Path(path).absolute())
    found = [entry for entry in here.languages.values() if entry.origin == place]
    if not found:
        raise GuestError(f"{path} has no language: expected a line such as LANGUAGE = gpkit.language(...)")
    return found[-1]


def declared_languages() -> tuple[Entry, ...]:
    """The languages declared so far."""
    return (*here.languages.values(),)


def named_languages() -> tuple[Entry, ...]:
    """The declared languages, including those in the files that ``GPKIT_LANGUAGES`` names.

    Raises:
        GuestError: a file cannot be imported.
    """
    for path in filter(None, os.environ.get(LANGUAGES_VARIABLE, "").split(os.pathsep)):
        imported_file(path)
    return declared_languages()


def _check_name(
    name: str, place: str = "", kind: str = "game", others: Iterable[Entry] = (), declarer: str = ""
) -> None:
    """Check that this name is allowed for a game or a language.

    Raises:
        GuestError: it cannot.
    """
    if not _NAME.fullmatch(name):
        raise GuestError(
            f"{place}`{name}` is not a valid {kind} name; expected lower-case letters, digits and `_`, "
            "beginning with a letter"
        )
    group = f"gpkit.{kind}s"
    elsewhere = (each for each in installed(group) if each.module.split(".")[0] != declarer.split(".")[0])
    known = [*elsewhere, *others, *(here.files.values() if kind == "game" else ())]
    if name in _OWN[group] or name in (entry.name for entry in known):
        raise GuestError(f"{place}a {kind} `{name}` exists already; choose another name")


def named_games() -> tuple[Entry, ...]:
    """The games from named files, the named games of other packages, and the games made in this process, in that order.

    Raises:
        GuestError: a name in ``GPKIT_GAMES`` is not a game.
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
    """Hold the lock for a thing; yield False if another thread still holds it after this many seconds."""
    lock = _LOCKS.setdefault(thing, RLock())
    with ExitStack() as stack:
        if is_held := lock.acquire(timeout=seconds):
            stack.callback(lock.release)
        yield is_held


def imported_file(path: str) -> ModuleType:
    """Import a Python file that the user named, and return its module.

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
    """Import a file that no other thread is importing, and return the module."""
    name = f"{OF_FILE}{hashlib.sha256(str(place).encode()).hexdigest()[:12]}"  # the same in every process
    if name in sys.modules and str(place) in here.digests:
        return sys.modules[name]
    if str(place) not in here.carried:
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


def digest_of(path: str) -> str:
    """The SHA-256 of the code of an imported file; ``code_of`` returns this code."""
    return here.digests[str(Path(path).absolute())]


def file_of(game: str) -> tuple[str, str] | None:
    """The path of a game's file and the SHA-256 of the game's code; None for gpkit's own games.

    For a game of another package, the result is the name of the game and the version of the package.
    """
    if game in here.of_packages:
        return game, import_module(here.of_packages[game].module).VERSION
    places = (str(place) for place, entry in here.files.items() if entry.name == game)
    return next(((place, here.digests[place]) for place in places), None)


def installed(group: str) -> tuple[Entry, ...]:
    """Entries of installed distributions, sorted by name; entries whose names are in use are left out, with a warning.

    Args:
        group: a group of entry points. The suffix of program files is the name of their language.
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
    """The registry entry for an entry point; this imports nothing."""
    dist = point.dist
    origin = f"{dist.name} {dist.version}" if dist is not None else point.value
    return Entry(
        point.name, point.module, point.attr or ATTRIBUTE, f"from {origin}", f".{point.name}", origin
    )


def is_named(file: str) -> bool:
    """Whether the user named this file, or the file contains the code of a game that was made in this process."""
    return file in here.digests or file in here.cells


def shown_path(file: str) -> str:
    """The path of a file as the user typed it."""
    return here.written.get(file, file)


def typed_name(game: str) -> str:
    """The word for the game in a command: its name, or the path of its file."""
    return shown_path(found[0]) if (found := file_of(game)) else game


def game_option(game: str) -> str:
    """The option that names a game from outside gpkit; empty for shipped games and for runs without a game."""
    return f" --game {typed_name(game)}" if file_of(game) else ""


def blamed(error: BaseException) -> GuestError | None:
    """The error as a ``GuestError`` if it was raised in a file that the user named; otherwise None."""
    place = place_of_error(error)
    if place is None and error.__cause__ is not None:  # such as a StopIteration from a generator
        return blamed(error.__cause__)
    return None if place is None else GuestError(f"{place}: {_message(error)}")


def place_of_error(error: BaseException) -> Place | None:
    """The innermost call in a file that the user named; None if there is no such call."""
    calls = (each for each in reversed(traceback.extract_tb(error.__traceback__)) if is_named(each.filename))
    return next((Place(shown_path(each.filename), each.lineno or 0, each.name) for each in calls), None)


def _message(error: BaseException) -> str:
    return str(error) if isinstance(error, Stuck) else one_line(error)
