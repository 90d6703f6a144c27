"""Registries: one line for every language, game, paper and benchmark; modules are imported only when asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Offers


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a registry: the name, the module and attribute that hold the value, and what it is in a few words."""

    name: str
    module: str
    attribute: str
    title: str
    suffix: str = ""

    def load(self) -> Any:
        """Import the module and return the value."""
        return getattr(import_module(self.module), self.attribute)


LANGUAGES = (
    Entry(
        "arithmetic",
        "gpkit.languages.arithmetic.language",
        "LANGUAGE",
        "formulas that score candidates",
        ".tree",
    ),
    Entry(
        "sinking",
        "gpkit.languages.sinking.language",
        "LANGUAGE",
        "blocks of instructions that find and sink ships",
        ".sink",
    ),
    Entry(
        "rulegraph",
        "gpkit.languages.rulegraph.language",
        "LANGUAGE",
        "rules that match boxes and chains and say what to draw",
        ".rules",
    ),
)

GAMES = (
    Entry("sevens", "gpkit.games.sevens.game", "GAME", "Sevens (Sjuan), the card game, 2 to 7 players"),
    Entry(
        "battleship",
        "gpkit.games.battleship.game",
        "GAME",
        "Battleship, alone against the clock or as a duel",
    ),
    Entry(
        "dots_and_boxes",
        "gpkit.games.dots_and_boxes.game",
        "GAME",
        "Dots and Boxes on boards of up to 5x5 boxes, with exact results on small ones",
    ),
    Entry("mastermind", "gpkit.games.mastermind.game", "GAME", "Mastermind, to break codes of any size"),
)

PAPERS = (
    Entry(
        "sevens",
        "gpkit.papers.sevens.paper",
        "PAPER",
        "P. Hansson, Light Introduction to Genetic Programming, 2013",
    ),
    Entry(
        "battleship-sinking",
        "gpkit.papers.battleship_sinking.paper",
        "PAPER",
        "J. Bridon and others, An Artificially Intelligent Battleship Player: the sinking logic",
    ),
    Entry(
        "battleship-evolution",
        "gpkit.papers.battleship_evolution.paper",
        "PAPER",
        "our evolution of sinking programs: its parts, further instructions, where the language ends",
    ),
    Entry(
        "mastermind",
        "gpkit.papers.mastermind.paper",
        "PAPER",
        "L. Cabana and Y. Túpac, Cómo resolver el juego Mastermind a través de computación evolutiva",
    ),
    Entry(
        "dots-and-boxes",
        "gpkit.papers.dots_and_boxes.paper",
        "PAPER",
        "A. Knittel and others, Concept Accessibility as Basis for Evolutionary Reinforcement Learning, 2007",
    ),
)


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Member = TypeVar("Member", bound=_Named)


def find(entries: Sequence[Member], name: str, kind: str) -> Member:
    """The entry of that name.

    Raises:
        UsageError: there is none; the message names the nearest one.
    """
    for entry in entries:
        if entry.name == name:
            return entry
    names = [entry.name for entry in entries]
    raise UsageError(f"there is no {kind} `{name}`; {suggestion(name, names)}")


def folder_of(game: str) -> str:
    """The package that a game is in, such as ``gpkit.games.sevens``.

    Raises:
        UsageError: there is no such game.
    """
    return find(GAMES, game, "game").module.rpartition(".")[0]


def offers_of(game: str) -> Offers:
    """The primitive sets of a game, from the module ``primitives`` beside it: the game itself is not loaded.

    Raises:
        UsageError: there is no such game.
    """
    offers: Offers = import_module(f"{folder_of(game)}.primitives").OFFERS
    return offers


def has_kernels(game: str) -> bool:
    """Whether a game plays in compiled kernels, which are in the package ``kernel`` beside it.

    Raises:
        UsageError: there is no such game.
    """
    return find_spec(f"{folder_of(game)}.kernel") is not None


def language_of(path: str, name: str | None = None) -> Entry:
    """The language of a file by its suffix, or the one of that ``name``.

    Raises:
        UsageError: no language has this suffix or name.
    """
    if name is not None:
        return find(LANGUAGES, name, "language")
    suffix = Path(path).suffix
    for entry in LANGUAGES:
        if entry.suffix == suffix:
            return entry
    known = ", ".join(f"{e.suffix} ({e.name})" for e in LANGUAGES)
    wrong = (
        f"no language has the suffix `{suffix}` of {path}"
        if suffix
        else f"{path} has no suffix that says its language"
    )
    raise UsageError(f"{wrong}; known are {known}; or name one with --lang")


def data_folder(name: str) -> Path:
    """The folder ``grammars`` or ``programs``: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


@cache
def shipped_programs(game: str) -> Mapping[str, Path]:
    """The program files that come with a game, by name; its opponents are among them."""
    suffixes = {entry.suffix for entry in LANGUAGES}
    files = sorted((data_folder("programs") / game).rglob("*"))
    return MappingProxyType({path.stem: path for path in files if path.suffix in suffixes})
