"""Subject of an export, and the documents that an export consists of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.forms import Form, form_of_game
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import offering


@dataclass(frozen=True, slots=True)
class Subject:
    """A program to export and what is known about it.

    Attributes:
        program: of any language.
        name: a word for file names and headers.
        header: the header of its file: seed, fitness, ...
        primitives: what its game lets it see; None for formulas without a game.
        rules: the options of the game, as text, that differ from the defaults.
        seed: of the inputs that the export is tested with.
        carries_tests: whether a file that could test itself carries the inputs and games for that.
    """

    program: Any
    name: str = "program"
    header: Mapping[str, str] = field(default_factory=dict)
    primitives: PrimitiveSet | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    carries_tests: bool = True

    @property
    def game(self) -> str | None:
        """The name of the game, or None."""
        return self.primitives.game if self.primitives is not None else None


def game_form(kind: type[Form], subject: Subject, name: str) -> Form:
    """The form of that name of the game that a subject is for; without a game, of the first that has its language.

    It is for languages whose programs are whole players of a game, which therefore belong to one.

    Raises:
        UsageError: there is no such game, or it has no such form.
    """
    language = subject.program.language
    game = subject.game or next(iter(offering(language)), None)
    found = None if game is None else form_of_game(kind, name, game)
    if found is None:
        raise UsageError(f"games of {game or language} cannot be recorded, so their players are not exported")
    return found


CONFORMANCE = ".conformance.jsonl"
"""The part after the program's name in the name of its file of conformance."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of an export: what follows the program's name in its file name, and the text."""

    suffix: str
    text: str
