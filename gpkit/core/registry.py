"""Registries: one line for every language and game; modules are imported only when asked for.

Beside those of the package there are games and languages from outside (``gpkit.core.plugins``).

Forms are the parts of a slice (a language or a game) that a framework uses: modules ``forms.NAME`` in its folder. A
framework states each as a Protocol, beside where it uses it, and asks for a form by that Protocol and its name; a
module has the form if it has all that the Protocol names. Those of slices from outside are found in the same way.
"""

import logging
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from gpkit.core import plugins
from gpkit.core.diagnostics import nearest, suggestion
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import (
    Entry,
    bring,
    installed,
    is_elsewhere,
    made_game,
    named_game,
    named_games,
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
"""The game and the language that are meant where none is named, and the language of programs that classify rows."""


ADAPTERS = MappingProxyType({"openspiel": "gpkit.adapters.openspiel.game"})
"""Modules that bring the games of other packages, by the word before the colon.

Each has ``game_of_text``, for what follows the colon; the game's attribute of the same name; and ``VERSION``.
"""

bring(ADAPTERS, {"gpkit.games": GAMES, "gpkit.languages": LANGUAGES})


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Member = TypeVar("Member", bound=_Named)


def find(entries: Iterable[Member], name: str, kind: str) -> Member:
    """The entry of that name.

    Raises:
        UsageError: there is none; the message names the nearest one.
    """
    names = []
    for entry in entries:
        if entry.name == name:
            return entry
        names.append(entry.name)
    raise UsageError(f"there is no {kind} `{name}`; {suggestion(name, names)}")


def all_games() -> tuple[Entry, ...]:
    """All games: those of the package, of installed distributions, and of files and packages that a person named.

    Raises:
        GuestError: a file that ``GPKIT_GAMES`` names is not a game.
    """
    return tuple(_games())


def _games() -> Iterator[Entry]:
    """The same; who is outside is asked only where the package has not what is looked for."""
    yield from (plugins.here.replaced.get(entry.name, entry) for entry in GAMES)
    yield from installed("gpkit.games")
    yield from named_games()


def all_languages() -> tuple[Entry, ...]:
    """All languages: those of the package, and of installed distributions."""
    return tuple(languages())


def languages() -> Iterator[Entry]:
    """The same; who is outside is asked only where the package has not what is looked for."""
    yield from LANGUAGES
    yield from installed("gpkit.languages")


def papers() -> tuple[Entry, ...]:
    """The papers that are reproduced; none where gpkit is installed without the experiments of the checkout."""
    return _of_checkout("gpkit_experiments.papers.registry", "PAPERS")


def benchmarks() -> tuple[Entry, ...]:
    """The benchmarks; none where gpkit is installed without those of the checkout."""
    return _of_checkout("gpkit_experiments.bench.registry", "BENCHMARKS")


def _of_checkout(module: str, name: str) -> tuple[Entry, ...]:
    if find_spec(module.partition(".")[0]) is None:
        return ()
    return tuple(getattr(import_module(module), name))


def is_game(name: str) -> bool:
    """Whether there is a game of that name; who is outside is asked only if it is none of the package's."""
    return any(entry.name == name for entry in _games())


def is_suffix(suffix: str) -> bool:
    """Whether a language has that suffix; who is outside is asked only if it is none of the package's."""
    return suffix != "" and any(entry.suffix == suffix for entry in languages())


def known_language(name: str) -> Entry | None:
    """The language with that name; None if there is no such language."""
    return next((entry for entry in languages() if entry.name == name), None)


def language_entry(name: str) -> Entry:
    """The language of that name.

    Raises:
        UsageError: there is none; the message names the nearest one.
    """
    return find(languages(), name, "language")


def language_of_genome(kind: str) -> str:
    """The name of the language whose programs are of a kind, the name of a module of ``gpkit.genomes``."""
    names = [entry.name for entry in LANGUAGES if entry.genome == kind]
    assert names, f"no entry of LANGUAGES has genome={kind!r}"
    return names[0]


OWN_FILE = "for a game of your own, name its file with --game"
"""Advice to who named what only a game from elsewhere has."""


def game_entry(name: str) -> Entry:
    """The game of that name.

    Raises:
        UsageError: there is none; the message names the nearest one.
    """
    for entry in _games():
        if entry.name == name:
            return entry
    raise UsageError(f"there is no game `{name}`; {way_to_game(name)}")


def way_to_game(name: str) -> str:
    """Advice to who meant a game that is not here: the nearest one, or how one from elsewhere is named."""
    if of_package(name):
        return f"it exists only where it is named: add --game '{name}'"
    known = [entry.name for entry in all_games()]
    elsewhere = "" if nearest(name, known) else f"; {OWN_FILE}"
    return f"{suggestion(name, known)}{elsewhere}"


def game_of(name: str) -> Any:
    """The game of that name, a ``gpkit.gamekit.game.Game``.

    Raises:
        UsageError: there is none; the message names the nearest one.
        GuestError: it comes from outside and cannot be imported.
    """
    return game_entry(name).load()


def usable_games() -> Iterator[Entry]:
    """All games; one from outside that cannot be imported is told, and left out."""
    for entry in all_games():
        try:
            if entry.origin:
                entry.load()
        except GuestError as error:
            _LOG.warning(str(error))
        else:
            yield entry


def name_game(text: str) -> str:
    """The name of the game that a person means: a name, or a file or the game of a package, imported now.

    Raises:
        GuestError: the file is not a game.
        UsageError: the package is not installed, or has no such game.
    """
    return named_game(text).name if is_elsewhere(text) else text


def keep_game(game: Any, cells: Collection[str]) -> str:
    """The name of a game that is given as it is, by which it is known from now on.

    Args:
        game: a ``gpkit.gamekit.game.Game``: one of those that are here, or one that this process made.
        cells: the files, or cells of a notebook, that hold the code of one that was made.

    Raises:
        GuestError: another game has its name, or it is not a name.
    """
    if not any(entry.name == game.name and entry.load() is game for entry in all_games()):
        made_game(game, cells)
    return str(game.name)


def offers_of(game: str) -> Offers:
    """The primitive sets of a game, from the module ``primitives`` beside it: the game itself is not loaded.

    Raises:
        UsageError: there is no such game.
    """
    entry = game_entry(game)
    offers: Offers = entry.part("primitives").OFFERS if entry.has_part("primitives") else entry.load().offers
    return offers


def offering(language: str) -> tuple[str, ...]:
    """The names of the package's games whose programs may be in a language."""
    return tuple(entry.name for entry in GAMES if language in offers_of(entry.name))


def game_of_file(path: str) -> Entry | None:
    """The game that draws a file that is not a program, by its suffix; None where there is none."""
    suffix = Path(path).suffix
    return next((entry for entry in GAMES if suffix in entry.files), None)


LEARNED = {entry.name: entry for entry in GAMES if entry.work}
"""The games whose programs are learned and not evolved, by name.

The module ``learning`` beside such a game has the ready configurations ``PRESETS``; ``BEST`` names the one that plays
best. ``USE`` is the command that takes the file of a configuration. ``notes`` gives the possible values of keys.
``NOT_EVOLVED`` is the message for people who try to evolve the game. The form ``work`` of the game handles folders of
the schema ``entry.work``: ``COMMAND`` resumes the work in a folder, ``find_out`` gives findings about it, ``report``
makes a page of the findings, and ``shown`` gives the values for ``learner_part.html``.
"""


def has_kernels(game: str) -> bool:
    """Whether a game plays in compiled kernels: those of the package ``kernel`` beside it, or its attribute.

    Raises:
        UsageError: there is no such game.
    """
    entry = game_entry(game)
    return entry.has_part("kernel") or (
        entry.origin != "" and getattr(entry.load(), "kernel", None) is not None
    )


def language_of(path: str, name: str | None = None) -> Entry:
    """The language of a file by its suffix, or the one of that ``name``.

    Raises:
        UsageError: no language has this suffix or name.
    """
    if name is not None:
        return language_entry(name)
    if suffix := Path(path).suffix:
        for entry in languages():
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
    """The folder ``grammars`` or ``programs``: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def shipped_programs(game: str) -> Mapping[str, Path]:
    """The program files that come with a game, by name; its opponents are among them.

    Those of a game from outside lie in a folder that is called as its file, without the suffix.
    """
    entry = game_entry(game)
    folder = entry.programs if entry.origin else data_folder("programs") / game
    return MappingProxyType({}) if folder is None else _programs_in(folder)


@cache
def _programs_in(folder: Path) -> Mapping[str, Path]:
    suffixes = {entry.suffix for entry in all_languages()}
    files = sorted(folder.rglob("*"))
    return MappingProxyType({path.stem: path for path in files if path.suffix in suffixes})


Form = TypeVar("Form")

_FOUND: dict[tuple[Any, str, str], object] = {}
"""Modules that have all that a Protocol names, which takes long to find out."""


def form_of_game(kind: type[Form], name: str, game: str) -> Form | None:
    """The form of that name of a game; None if it has none.

    Raises:
        UsageError: there is no such game.
    """
    return _found(kind, name, game_entry(game))


def has_form(kind: type[Form], name: str, language: str) -> bool:
    """True if a language has the form of that name, such as ``draw`` or ``lua``."""
    return _found(kind, name, known_language(language)) is not None


def form(kind: type[Form], name: str, language: str, action: str, fix: str = "") -> Form:
    """The form of that name of a language.

    Args:
        kind: the Protocol.
        name: such as ``draw`` or ``lua``.
        language: the name of the language.
        action: what cannot be done without it, where ``{}`` stands for the programs: ``draw {}``.
        fix: what to do instead; without it, the message names the languages that have the form.

    Raises:
        UsageError: there is none; the message says what cannot be done.
    """
    found = _found(kind, name, known_language(language))
    if found is not None:
        return found
    able = ", ".join(each.name for each in all_languages() if has_form(kind, name, each.name))
    rest = f"; {fix}" if fix else f", only those in {able}"
    raise UsageError(f"gpkit cannot {action.format(f'programs in {language}')}{rest}")


def _found(kind: type[Form], name: str, entry: Entry | None) -> Form | None:
    if entry is None:
        return None
    place = f"{entry.folder}.forms.{name}"
    if place not in sys.modules and not entry.has_part(f"forms.{name}"):  # looking for the file takes long
        return None
    module: object = import_module(place)  # loaded in full: another thread may be in the middle of loading it
    known = _FOUND.get((kind, name, entry.folder))
    if known is module or isinstance(module, kind):
        _FOUND[kind, name, entry.folder] = module
        return module  # type: ignore[return-value]
    return None


class PrimitiveSets(Mapping[str, PrimitiveSet]):
    """The primitive sets of one game (``gpkit.core.primitives.Offers``), by language.

    A language from outside, of which a game knows nothing, is given the set of the one that it is ``like``.
    """

    def __init__(self, sets: Mapping[str, PrimitiveSet]) -> None:
        self._sets = dict(sets)

    def __getitem__(self, language: str) -> PrimitiveSet:
        """The primitive set for a language.

        Raises:
            KeyError: the game takes no programs of it.
        """
        return self._sets[language if language in self._sets else _model_of(language)]

    def __iter__(self) -> Iterator[str]:
        """The languages that the game itself names."""
        return iter(self._sets)

    def __len__(self) -> int:
        """The number of these."""
        return len(self._sets)


def _model_of(language: str) -> str:
    """The language that one from outside is like; empty if it is like none, or cannot be imported."""
    entry = known_language(language)
    try:
        return str(entry.load().like) if entry is not None and entry.origin else ""
    except GuestError:  # which is told when the language itself is asked for
        return ""
