"""Evolution of derivations of a user's grammar: the first generation, operators, limits and program texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.codec import Range
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Alphabet, PrimitiveSet
from gpkit.core.registry import language_entry
from gpkit.core.rng import below
from gpkit.evolution.config import Config, evolved
from gpkit.evolution.parts import Part, table_of
from gpkit.evolution.problem import Child
from gpkit.evolution.section_operators import Operated, clone, shipped_operators
from gpkit.gamekit.game import Game
from gpkit.genomes.derivation import (
    Derivation,
    Productions,
    constant,
    crossover,
    hoist,
    numbers_in,
    point,
    redrawn,
)
from gpkit.genomes.program_operators import Bred, Breeding
from gpkit.langkit.grammars import Grammar
from gpkit.langkit.language import Language

MOST_DRAWN = 10
"""The maximum number of draws of a first derivation, if the text of each one drawn before is not a valid program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationSettings:
    """Settings for creating the first derivations, and for the operators that change derivations.

    Attributes:
        low, high: the smallest and the largest number of nodes in the first derivations.
        growth: the maximum number of nodes by which a new part may be larger than the part that it replaces.
        step: the standard deviation of the change to a number, as a share of the number's range.
    """

    low: Annotated[int, Range(1, 10_000)] = 5
    high: Annotated[int, Range(1, 10_000)] = 50
    growth: Annotated[int, Range(0, 10_000)] = 10
    step: Annotated[float, Range(0.0, 10.0)] = 0.1

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise UsageError("representation.low is above representation.high")


DEFAULTS = DerivationSettings()

Vary = Callable[["DerivationRepresentation", np.random.Generator, Sequence[Derivation]], Child[Derivation]]

_OPERATORS: Mapping[str, tuple[int, Vary]] = {
    "clone": (1, clone),
    "crossover": (2, lambda s, rng, given: crossover(rng, s.rules, *given)),
    "part": (1, lambda s, rng, given: redrawn(rng, s.rules, given[0], s.settings.growth)),
    "point": (1, lambda s, rng, given: point(rng, s.rules, given[0], s.settings.step)),
    "hoist": (1, lambda s, rng, given: hoist(rng, s.rules, given[0])),
    "constant": (1, lambda s, rng, given: constant(rng, s.rules, given[0], s.settings.step)),
}


def operators_of(language: str) -> Mapping[str, Part]:
    """The operators of a language by name, which are the same for every user's language."""
    known = table_of("operator", language)
    return shipped_operators(language, {name: each for name, each in _OPERATORS.items() if name not in known})


@dataclass(frozen=True, slots=True)
class DerivationRepresentation(Operated[Derivation]):
    """Derivations of a grammar.

    Attributes:
        grammar: the grammar; all its terminals have words or numbers.
        settings: the settings for creating and varying derivations.
        table: the operators.
        suffix: the suffix of program files.
        print: a function that returns the text of a program.
        read: a function that returns the program in a text.
        finding: a function that returns a description of the error in a program, or an empty string; None if nothing is
            checked.
        simplify: a function that returns a program with the same results, which may be smaller.
        max_size: the limit on nodes; None means no limit.
        primitives: the sensors and actions of the problem or game; None before there is one.
    """

    grammar: Grammar
    settings: DerivationSettings
    table: Mapping[str, Part]  # type: ignore[misc]
    suffix: str
    print: Callable[..., str]
    read: Callable[[str], Derivation]
    finding: Callable[[Derivation], str] | None
    simplify: Callable[[Derivation], Derivation]
    max_size: int | None = None
    primitives: PrimitiveSet | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the language and the arguments with which it made the representation."""
        language = language_entry(self.grammar.name).load()
        return _again, (language, self.primitives, self.settings, self.max_size)

    @property
    def rules(self) -> Productions:
        """The alternatives of the grammar."""
        return self.grammar.productions

    @property
    def least(self) -> int:
        """The number of nodes in the smallest derivation."""
        return int(self.rules.least[self.rules.start])

    def create(self, rng: np.random.Generator, index: int) -> Derivation:
        """A random derivation of a random size; every second derivation is as large as its limit allows."""
        high = self.settings.high if self.max_size is None else min(self.settings.high, self.max_size)
        low = max(min(self.settings.low, high), self.least)
        for _ in range(MOST_DRAWN):
            room = low + below(rng, max(high - low, 0) + 1)
            nodes = self.rules.drawn(rng, self.rules.start, room, is_full=index % 2 == 0)
            found = self._settled(self.rules.derivation(nodes))
            if found is not None and self.admits(found):
                break
        return found or self.rules.derivation(nodes)

    def vary(
        self, rng: np.random.Generator, operator: str, parents: Sequence[Derivation]
    ) -> Child[Derivation]:
        """The child that an operator creates.

        If the child's text is not a program, the result is the parent, and evolution draws again.
        """
        child: Child[Derivation] = Operated.vary(self, rng, operator, parents)
        genome = self._settled(child.genome)
        if genome is None:
            return Child(parents[0])
        return child if genome == child.genome else Child(genome)

    def breed(
        self, keys: NDArray[np.uint64], parents: Sequence[Derivation], mating: Breeding
    ) -> list[Bred[Derivation]] | None:
        """The children of a generation; None if programs are checked, parsed again, or have numbers.

        Args:
            keys: uint64 (children, 2): the keys of the children's random streams.
            parents: the population.
            mating: the number of children, and the way in which they are bred.
        """
        if self.finding or not self.grammar.certain or not {*mating.names} <= {*self.operators}:
            return None
        from gpkit.genomes.derivation_breeding import breed_derivations

        growth = self.settings.growth
        return breed_derivations(keys, parents, mating, self.rules, growth=growth, max_size=self.max_size)

    def _settled(self, genome: Derivation) -> Derivation | None:
        """The derivation that the parser makes from a derivation's text; None if the text is not a program."""
        return genome if self.grammar.certain else self.grammar.parsed(self.grammar.print(genome))

    def admits(self, genome: Derivation) -> bool:
        """True if a derivation is within the size limit and has no error."""
        if self.max_size is not None and len(genome) > self.max_size:
            return False
        return self.finding is None or not self.finding(genome)

    def parse(self, text: str) -> Derivation:
        """The derivation of the program in a text.

        Raises:
            SourceError: the text is not a program.
            UsageError: the program has a word that evolution could not draw.
        """
        genome = self.read(text)
        for node in genome.symbols:
            leaf = None if isinstance(node, int) else self.rules.leaves[node.type]
            if leaf is not None and leaf.words and node not in leaf.words:
                raise UsageError(f"a program has the word `{node}`; {suggestion(str(node), leaf.words)}")
        return genome

    def tweak(self, rng: np.random.Generator, genome: Derivation, step: float) -> Derivation:
        """The derivation with one or two numbers changed."""
        for _ in range(1 + below(rng, 2) if numbers_in(self.rules, genome) else 0):
            genome = constant(rng, self.rules, genome, step * self.settings.step).genome
        return genome


def _again(language: Language, *given: Any) -> Any:
    return evolved(language.name).representation_of_problem(*given)


@dataclass(frozen=True, slots=True)
class DerivationEvolution:
    """The form ``evolution`` of a user's language.

    Attributes:
        space: the representation without the words of a problem.
        grammar: a function that returns the grammar with sensors and actions as words.
    """

    space: DerivationRepresentation
    grammar: Callable[[PrimitiveSet], Grammar]
    UNIT: str = "nodes"
    DEFAULTS: Any = DEFAULTS

    @property
    def OPERATORS(self) -> Mapping[str, Part]:  # noqa: N802
        """The operators by name."""
        return self.space.table

    def representation(self, config: Config, game: Game, alphabet: Alphabet) -> DerivationRepresentation:
        """The representation of programs for a game.

        Raises:
            UsageError: a terminal has no words, or no program is small enough.
        """
        chosen = replace(game.offers[self.space.grammar.name], alphabets=(alphabet,))
        return self.representation_of_problem(chosen, config.representation, config.limits.size)

    def representation_of_problem(
        self, primitives: PrimitiveSet, settings: Any, size: int | None
    ) -> DerivationRepresentation:
        """The representation of programs with the sensors and actions of a problem.

        Raises:
            UsageError: a terminal has no words, or no program is small enough.
        """
        found = replace(
            self.space,
            grammar=self.grammar(primitives),
            settings=settings,
            max_size=size,
            primitives=primitives,
        )
        if size is not None and found.least > size:
            raise UsageError(
                f"limits.size = {size}: the smallest program of this grammar has {found.least} nodes"
            )
        return found

    def place_text(self, section: str, position: int) -> str:
        """A description of the place that an operator changed."""
        return f"node {position}"

    def part_text(self, program: Derivation, section: str, position: int) -> str:
        """The text of the part at a place.

        Raises:
            IndexError: there is no part at the place.
        """
        nodes = program.part(position)
        if not nodes:
            raise IndexError(position)
        return self.space.grammar.text_of(nodes)
