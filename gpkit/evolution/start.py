"""Programs to start from: the texts that a configuration names, and the first generation that comes of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path, PurePath
from typing import Any, Generic

import numpy as np

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.primitives import Offers
from gpkit.core.registry import language_of, shipped_programs
from gpkit.core.rng import by_share
from gpkit.evolution.config import Config
from gpkit.evolution.individual import Genome, Origin
from gpkit.evolution.problem import Representation
from gpkit.langkit.language import Language

START = "start"
"""The operator of a program to start from, before its name."""

KEY = "population.start"
"""The key of the programs, as messages say it."""


@dataclass(frozen=True, slots=True)
class Start(Generic[Genome]):
    """First generation of a search; without programs it is random.

    Attributes:
        programs: those to start from, with their names.
        share: of the first generation that they are themselves, each of them at least once.
        mutants: share of the others that are mutants of them.
        operators: the operators that make mutants, with their shares; none are all that take one parent.
        attempts: how often a mutant is drawn anew that breaks the limits or equals its program.
    """

    programs: tuple[tuple[str, Genome], ...] = ()
    share: float = 0.0
    mutants: float = 1.0
    operators: tuple[tuple[str, float], ...] = ()
    attempts: int = 1

    def create(
        self, rng: np.random.Generator, space: Representation[Genome], place: int, first: int, size: int
    ) -> tuple[Genome, Origin]:
        """The individual at a place of the first population of an island: its genome, and how it was made.

        Args:
            rng: the source of chance, for this individual alone.
            space: what genomes are.
            place: 0 … ``size`` − 1.
            first: the number of the individual at place 0.
            size: of the population, at least as many as there are programs.
        """
        count = len(self.programs)
        copies = max(count, round(self.share * size)) if count else 0
        if not count or place >= copies + round(self.mutants * (size - copies)):
            return space.create(rng, first + place), Origin("create")
        name, genome = self.programs[place % count]
        if place >= copies:
            operators = self._mutations(space)
            sums = list(accumulate(share for _, share in operators))
            for _ in range(self.attempts if operators else 0):
                operator = operators[by_share(rng, sums) if len(sums) > 1 else 0][0]
                made = space.vary(rng, operator, [genome])
                if space.admits(made.genome) and made.genome != genome:
                    return made.genome, Origin(operator, (first + place % count,), made.places)
        return genome, Origin(f"{START} {name}")

    def _mutations(self, space: Representation[Genome]) -> Sequence[tuple[str, float]]:
        """The operators of one parent that change it, with their shares."""

        def changing(names: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
            return [each for each in names if each[1] and each[0] != "clone" and space.parents(each[0]) == 1]

        return changing(self.operators) or changing([(name, 1.0) for name in space.operators])


def with_texts(config: Config) -> Config:
    """The configuration with the texts of the programs that it starts from.

    Args:
        config: of a run; programs whose texts it has are not read again.

    Raises:
        UsageError: a file cannot be read, or there are more programs than individuals.
        LimitError: it is too large.
    """
    table = config.population
    if len(table.start) > table.size:
        raise UsageError(
            f"{KEY} names {len(table.start)} programs, more than population.size = {table.size:,}"
        )
    if len(table.start_texts) == len(table.start):
        return config
    if table.start_texts:
        raise UsageError(
            f"population.start_texts has {len(table.start_texts)} texts for {len(table.start)} programs"
        )
    texts = tuple(start_text(name, config.game or None) for name in table.start)
    return replace(config, population=replace(table, start_texts=texts))


def start_text(name: str, game: str | None) -> str:
    """The text of a program to start from: the game's of this name, or a file.

    Raises:
        UsageError: the file cannot be read, or it is a name, and the game has no such program.
        LimitError: it is too large.
    """
    path = _path(name, game)
    if game is None and not PurePath(path).suffix and not Path(path).exists():
        raise UsageError(
            f"there is no file {name}; expected a program file such as mine.tree, or in Python "
            f"gpkit.parse({name!r})"
        )
    if game is not None and not PurePath(path).suffix and not Path(path).exists():
        known = sorted(shipped_programs(game))
        raise UsageError(
            f"{KEY}: {game} has no program `{name}` (or give a program file); {suggestion(name, known)}"
        )
    return read_text(path)


def _path(name: str, game: str | None) -> str:
    """The path of a program of the game by its name, or of a file."""
    return str(shipped_programs(game).get(name, name) if game is not None else name)


def start_of(
    config: Config,
    space: Representation[Any],
    language: Language,
    offers: Offers | None,
    read: Callable[[str, str], Any],
) -> Start[Any]:
    """The first generation of a run.

    Args:
        config: of the run, with the texts of its programs.
        space: what genomes are.
        language: of its programs.
        offers: of its game; None for a table.
        read: gives the source of a text and a name, which has no error for the game.

    Raises:
        SourceError: a text is no program, or one with an error for the game.
        UsageError: a program is of another language or game, uses a word that the alphabet or the rows do not have, is
            meant in another dialect, or breaks the limits.
        LimitError: a text is too large.
    """
    table, programs = config.population, []
    for name, text in zip(table.start, table.start_texts, strict=True):
        path = PurePath(_path(name, config.game or None))
        if path.suffix and path.suffix != language.suffix:
            raise UsageError(
                f"{KEY}: {name} is in {language_of(path.name).name}; this run evolves programs in {language.name} "
                f"({language.suffix})"
            )
        _check_header(name, read(text, name).header, config, language, offers)
        try:
            genome = space.parse(text)
        except UsageError as error:
            raise UsageError(f"{KEY}: {name}: {error}{_more_words(config)}") from None
        if not space.admits(genome):
            raise UsageError(
                f"{KEY}: {name} has the size {space.size(genome)} and breaks the limits of this run: "
                "raise those of [limits] or [representation]"
            )
        programs.append((name, genome))
    operators = tuple(config.operators.items())
    return Start(tuple(programs), table.start_share, table.mutant_share, operators, config.scheme.attempts)


def _more_words(config: Config) -> str:
    """Addition to a message on a word: the way to more of a game's than those of the alphabet."""
    alphabet = config.alphabet
    return (
        alphabet
        and f" (the alphabet is {alphabet}; `{alphabet}+WORD` is the one with another word of the game)"
    )


def _check_header(
    name: str,
    header: Mapping[str, str],
    config: Config,
    language: Language,
    offers: Offers | None,
) -> None:
    """Check that the header of a program says nothing else than the run.

    Raises:
        UsageError: it is one for another game, or meant in another dialect.
    """
    game = config.game
    meant = header.get("game", game)
    if game and meant != game:
        raise UsageError(f"{KEY}: {name} is a program for {meant}; this run is for {game}")
    if not game or offers is None or not language.switches:
        return
    switches = (*language.switches, *offers[language.name].switches)
    for key, default in {"dialect": "", **{each.name: each.values[0] for each in switches}}.items():
        own = config.dialect.get(key, default)
        if header.get(key, own) != own:
            raise UsageError(
                f"{KEY}: {name} says `{key}: {header[key]}`, and this run {f'`{key}: {own}`' if own else 'does not'}; "
                "set it in [representation.dialect]"
            )
