"""Registries with an entry for every language and game, whose modules are imported only when needed.

Games and languages can also be external (``gpkit.core.plugins``).

A form is a part of a slice (a language or a game) that frameworks use, such as the code that draws its pictures. The
forms are fields of the slice's value: each is a function that imports the form when called (``Lazy``). The slice's
package ``forms`` imports its modules when they are first used (``modules_of``).
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Protocol, TypeVar

from gpkit.core import plugins
from gpkit.core.diagnostics import nearest, suggestion
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import (
    Entry,
    bring,
    declared_languages,
    file_language,
    installed,
    is_elsewhere,
    made_game,
    named_game,
    named_games,
    named_languages,
    of_package,
)
from gpkit.core.primitives import Offers, PrimitiveSet

_LOG = logging.getLogger(__name__)


def _language(name: str, title: str, suffix: str, genome: str) -> Entry:
    return Entry(name, f"gpkit.languages.{name}.language", "LANGUAGE", title, suffix, genome=genome)


def _game(name: str, title: str, *, files: tuple[str, ...] = (), work: str = "") -> Entry:
    return Entry(name, f"gpkit.games.{name}.game", "GAME", title, files=files, work=work)


LANGUAGES = (
    _language("arithmetic", "formulas that score candidates", ".tree", "tree"),
    _language("sinking", "blocks of instructions that find and sink ships", ".sink", "linear"),
    _language("rulegraph", "rules that match boxes and chains and say what to draw", ".rules", "graph"),
    _language("decision", "decision trees that choose actions or classify rows", ".decide", "decision"),
    _language("execution", "plans whose instructions take time, with tests and loops", ".plan", "plan"),
)

GAMES = (
    _game("sevens", "Sevens (Sjuan), the card game, 2 to 7 players"),
    _game("battleship", "Battleship, alone in as few shots as possible or as a duel", files=(".wave",)),
    _game(
        "dots_and_boxes",
        "Dots and Boxes on boards of up to 5x5 boxes, with exact results on small ones",
        files=(".board",),
        work="gpkit.learner/5",
    ),
    _game("mastermind", "Mastermind, with codes of any size"),
    _game("build_order", "Build orders of a real-time strategy game, to the tick"),
)

DEFAULT_GAME, DEFAULT_LANGUAGE, ROWS_LANGUAGE = "sevens", "arithmetic", "decision"
"""The names of the default game, the default language, and the language of programs that classify rows."""


ADAPTERS = MappingProxyType({"openspiel": "gpkit.adapters.openspiel"})
"""Modules that load the games of other packages, by the word before the colon.

Each module has ``game_of_text`` for the text after the colon, an attribute with the name of each game, and ``VERSION``.
"""

DECLARING = "gpkit.user_languages.declare"
"""The module with the function ``language``, which declares languages."""

bring(ADAPTERS, {"gpkit.games": GAMES, "gpkit.languages": LANGUAGES})


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Member = TypeVar("Member", bound=_Named)


def find(entries: Iterable[Member], name: str, kind: str) -> Member:
    """Find the entry with this name.

    Raises:
        UsageError: the name is unknown; the message suggests the nearest name.
    """
    names = []
    for entry in entries:
        if entry.name == name:
            return entry
        names.append(entry.name)
    raise UsageError(f"there is no {kind} `{name}`; {suggestion(name, names)}")


def all_games() -> Iterator[Entry]:
    """All games: gpkit's own, games of installed distributions, and games that the user named.

    gpkit looks for external games only if none of its own games matches.

    Raises:
        GuestError: a file that ``GPKIT_GAMES`` names is not a game.
    """
    yield from (plugins.here.replaced.get(entry.name, entry) for entry in GAMES)
    yield from installed("gpkit.games")
    yield from named_games()


def all_languages() -> Iterator[Entry]:
    """All languages: gpkit's own, declared languages, and languages of installed distributions and named files.

    gpkit looks for external languages only if none of its own languages matches.

    Raises:
        GuestError: a file that ``GPKIT_LANGUAGES`` names cannot be imported.
    """
    yield from LANGUAGES
    declared = {entry.name: entry for entry in declared_languages()}
    yield from declared.values()
    yield from (entry for entry in installed("gpkit.languages") if entry.name not in declared)
    yield from (entry for entry in named_languages() if entry.name not in declared)


def papers() -> tuple[Entry, ...]:
    """The papers that gpkit reproduces; empty if gpkit is installed without the experiments of the checkout."""
    return _of_checkout("gpkit_experiments.papers.registry", "PAPERS")


def benchmarks() -> tuple[Entry, ...]:
    """The benchmarks; empty if gpkit is installed without the experiments of the checkout."""
    return _of_checkout("gpkit_experiments.bench.registry", "BENCHMARKS")


def _of_checkout(module: str, name: str) -> tuple[Entry, ...]:
    return () if find_spec(module.partition(".")[0]) is None else tuple(getattr(import_module(module), name))


def is_game(name: str) -> bool:
    """Whether there is a game with this name; gpkit looks for external games only if none of its own has the name."""
    return any(entry.name == name for entry in all_games())


def is_suffix(suffix: str) -> bool:
    """Whether a language has this suffix; gpkit looks for external languages only if none of its own has it."""
    return suffix != "" and any(entry.suffix == suffix for entry in all_languages())


def known_language(name: str) -> Entry | None:
    """The language with this name; None if there is no such language."""
    return next((entry for entry in all_languages() if entry.name == name), None)


def language_of_grammar(name: str, grammar: str) -> None:
    """Register a user's language from its grammar alone: gpkit can read, print and draw its programs, but not run them.

    Raises:
        SourceError: the grammar is not valid.
    """
    import_module(DECLARING).recorded(name, grammar)


def language_entry(name: str) -> Entry:
    """The language with this name.

    Raises:
        UsageError: the name is unknown; the message suggests the nearest name.
    """
    return find(all_languages(), name, "language")


def language_of_genome(kind: str) -> str:
    """The name of the language whose programs have this kind (the name of a module of ``gpkit.genomes``)."""
    names = [entry.name for entry in LANGUAGES if entry.genome == kind]
    assert names, f"no entry of LANGUAGES has genome={kind!r}"
    return names[0]


OWN_FILE = "for a game of your own, give its file, such as ./mygame.py"
"""Advice for users who ask for something that only an external game has."""


def game_entry(name: str) -> Entry:
    """The game with this name.

    Raises:
        UsageError: the name is unknown; the message suggests the nearest name.
    """
    for entry in all_games():
        if entry.name == name:
            return entry
    raise UsageError(f"there is no game `{name}`; {way_to_game(name)}")


def way_to_game(name: str) -> str:
    """Advice for users who name an unknown game: the nearest name, or how to name an external game."""
    if of_package(name):
        return f"it exists only where it is named: add --game '{name}'"
    known = [entry.name for entry in all_games()]
    elsewhere = "" if nearest(name, known) else f"; {OWN_FILE}"
    return f"{suggestion(name, known)}{elsewhere}"


def game_of(name: str) -> Any:
    """The game with this name, a ``gpkit.gamekit.game.Game``.

    Raises:
        UsageError: the name is unknown; the message suggests the nearest name.
        GuestError: the game is external and cannot be imported.
    """
    return game_entry(name).load()


def usable_games() -> Iterator[Entry]:
    """All games; an external game that cannot be imported is left out, with a warning."""
    for entry in tuple(all_games()):
        try:
            if entry.origin:
                entry.load()
        except GuestError as error:
            _LOG.warning(str(error))
        else:
            yield entry


def name_game(text: str) -> str:
    """The name of the game for a user's text: a name, or a file or game of another package, which is imported now.

    Raises:
        GuestError: the file is not a game.
        UsageError: the package is not installed, or has no such game.
    """
    return named_game(text).name if is_elsewhere(text) else text


def name_language(text: str) -> str:
    """The name of the language for a user's text: a name, or a file, whose last declared language is used.

    Raises:
        GuestError: the file cannot be imported, or declares no language.
    """
    return file_language(text).name if text.endswith(plugins.SUFFIX) else text


def keep_game(game: Any, cells: Collection[str]) -> str:
    """The name of a game that is passed as a value; registers the game under this name.

    Args:
        game: a ``gpkit.gamekit.game.Game``, already known or made in this process.
        cells: the files or notebook cells that contain the code of a game made in this process.

    Raises:
        GuestError: another game has this name, or the name is not valid.
    """
    if not any(entry.name == game.name and entry.load() is game for entry in all_games()):
        made_game(game, cells)
    return str(game.name)


def offers_of(game: str) -> Offers:
    """The primitive sets of a game; if the game has a module ``primitives``, the game itself is not loaded.

    Raises:
        UsageError: there is no such game.
    """
    entry = game_entry(game)
    offers: Offers = entry.part("primitives").OFFERS if entry.has_part("primitives") else entry.load().offers
    return offers


def offering(language: str) -> tuple[str, ...]:
    """The names of gpkit's own games that accept programs in a language."""
    return tuple(entry.name for entry in GAMES if language in offers_of(entry.name))


def game_of_file(path: str) -> Entry | None:
    """The game that draws files with this suffix that are not programs; None if there is no such game."""
    suffix = Path(path).suffix
    return next((entry for entry in GAMES if suffix in entry.files), None)


LEARNED = {entry.name: entry for entry in GAMES if entry.work}
"""The games whose programs are learned rather than evolved, by name.

The form ``work`` of such a game handles folders with the schema ``entry.work``.
"""


def has_kernels(game: str) -> bool:
    """Whether a game runs in compiled kernels, which means that it has a package or an attribute called ``kernel``.

    Raises:
        UsageError: there is no such game.
    """
    entry = game_entry(game)
    return entry.has_part("kernel") or (
        entry.origin != "" and getattr(entry.load(), "kernel", None) is not None
    )


def language_of(path: str, name: str | None = None) -> Entry:
    """The language of a file, determined by its suffix, or the language called ``name``.

    Raises:
        UsageError: no language has this suffix or name.
    """
    if name is not None:
        return language_entry(name)
    if suffix := Path(path).suffix:
        for entry in all_languages():
            if entry.suffix == suffix:
                return entry
    known = ", ".join(f"{e.suffix} ({e.name})" for e in all_languages())
    wrong = (
        f"no language has the suffix `{suffix}` of {path}"
        if suffix
        else f"{path} has no suffix that says its language"
    )
    raise UsageError(f"{wrong}; known: {known}; or name one with --lang")


@cache
def data_folder(name: str) -> Path:
    """The folder ``grammars`` or ``programs``: inside the installed package, or next to the package in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def shipped_programs(game: str) -> Mapping[str, Path]:
    """The program files that come with a game, including its opponents, by name.

    The programs of an external game are in a folder that is named after its file, without the suffix.
    """
    entry = game_entry(game)
    folder = entry.programs if entry.origin else data_folder("programs") / game
    return MappingProxyType({}) if folder is None else _programs_in(folder)


LEVELS, TABLE = "levels", "roster.json"
"""The folder of a game's levels, inside the folder of its programs, and the file in it with the levels' games."""


SECOND = "-b"
"""The end of the name of a level's second program."""


def shipped_levels(game: str) -> tuple[str, ...]:
    """The names of a game's levels, lowest first, each with its second program behind it; empty if there are none."""
    found = [name for name, path in shipped_programs(game).items() if path.parent.name == LEVELS]
    return tuple(sorted(found, key=lambda name: (len(name.removesuffix(SECOND)), name)))


@cache
def _programs_in(folder: Path) -> Mapping[str, Path]:
    suffixes = {entry.suffix for entry in all_languages()}
    files = sorted(folder.rglob("*"))
    return MappingProxyType({path.stem: path for path in files if path.suffix in suffixes})


Part = TypeVar("Part")

Lazy = Callable[[], Part | None]
"""A function that imports a part when called and returns it; None if there is no such part."""


def absent() -> None:
    """Return None for a missing part; this is a function because gpkit calls parts to import them."""


def modules_of(package: str) -> Callable[[str], ModuleType]:
    """A ``__getattr__`` for a package that provides its modules as attributes and imports each one on first use."""

    def module(name: str) -> ModuleType:
        place = f"{package}.{name}"
        try:
            return import_module(place)
        except ModuleNotFoundError as error:
            if error.name != place:
                raise
            raise AttributeError(f"{package} has no module `{name}`") from None

    return module


class PrimitiveSets(Mapping[str, PrimitiveSet]):
    """The primitive sets of one game (``gpkit.core.primitives.Offers``), by language.

    A game does not know external languages; an external language gets the set of the language that it is ``like``.
    """

    def __init__(self, sets: Mapping[str, PrimitiveSet]) -> None:
        self._sets = dict(sets)

    def __getitem__(self, language: str) -> PrimitiveSet:
        """The primitive set for a language.

        Raises:
            KeyError: the game accepts no programs in this language.
        """
        return self._sets[language if language in self._sets else _language_it_is_like(language)]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the languages that the game itself names."""
        return iter(self._sets)

    def __len__(self) -> int:
        """The number of languages that the game itself names."""
        return len(self._sets)


def _language_it_is_like(language: str) -> str:
    """The language that an external language is ``like``; empty if there is none, or if the import fails."""
    entry = known_language(language)
    try:
        return str(entry.load().like) if entry is not None and entry.origin else ""
    except GuestError:  # it is reported when the language is used
        return ""
