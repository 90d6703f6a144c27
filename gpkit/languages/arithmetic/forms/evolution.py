"""Formulas as genomes: programs of trees with their creation, operators, limits and text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.core.codec import Range
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM, Alphabet, PrimitiveSet
from gpkit.evolution.config import Config
from gpkit.evolution.section_operators import (
    Operated,
    check_room,
    clone,
    crossing,
    drawn,
    on_trees,
    shipped_operators,
)
from gpkit.evolution.section_operators import place_text as place_text
from gpkit.gamekit.game import Game
from gpkit.genomes.program_operators import Bred, Breeding, Child, Scope
from gpkit.genomes.tree import (
    Tree,
    TreeProgram,
    Which,
    constant_positions,
    crossover,
    hoist,
    mutate_constants,
    mutate_point,
    mutate_subtree,
    ramped_tree,
    random_tree,
    round_constants,
    shrink,
    within,
    wrap,
)
from gpkit.genomes.tree_breeding import Varying, breed_formulas
from gpkit.langkit.operators import NOTATION
from gpkit.languages.arithmetic.parser import parse
from gpkit.languages.arithmetic.printer import print_formula, print_leaf, print_program
from gpkit.languages.arithmetic.simplify import simplify, simplify_decision

UNIT = "nodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Formulas: how the first ones are made, how operators change them, and what a simplification keeps.

    Attributes:
        shape: random trees are grown, full, or ramped half and half between the two depths.
        low_depth, high_depth: levels of random trees; grown and full ones have the higher.
        max_depth: the largest number of levels of each formula; false is no limit.
        scope: whether an operator acts on one formula of the program, or on each.
        constants: whether a mutation of constants changes all of a formula's, or one.
        octaves: constants change by a factor of up to 2 to this power, up or down.
        subtree_depth: the largest number of levels of the random tree in a subtree mutation.
        grid: constants are rounded to multiples of it; 0 leaves them as they are.
        keeps: of a simplified formula, every value, or only which of several candidates it values most.
    """

    shape: Literal["ramped", "grow", "full"] = "ramped"
    low_depth: Annotated[int, Range(1, 12)] = 2
    high_depth: Annotated[int, Range(1, 12)] = 4
    max_depth: Annotated[int, Range(1, 10_000)] | None = None
    scope: Scope = "one"
    constants: Which = "all"
    octaves: Annotated[float, Range(0.01, 10.0)] = 1.0
    subtree_depth: Annotated[int, Range(1, 12)] = 2
    grid: Annotated[float, Range(0.0, 1000.0)] = 0.0
    keeps: Literal["values", "decisions"] = "decisions"

    def __post_init__(self) -> None:
        if self.low_depth > self.high_depth:
            raise UsageError("representation.low_depth is above representation.high_depth")


FIRST_STEP = 0.5
"""The first standard deviation of a change in tuning, relative to the constant."""

LEAST_MAGNITUDE = 0.1
"""A smaller constant is changed as if it were so large."""


def changed_constants(
    rng: np.random.Generator, constants: np.ndarray[tuple[int], np.dtype[np.float64]], step: float
) -> Sequence[float]:
    """Constants with normal changes to some of them, at least one: float64 (constants,)."""
    count = len(constants)
    chosen = rng.random(count) < 0.5
    chosen[int(rng.random() * count)] = True
    with np.errstate(over="ignore"):
        scale = step * np.maximum(np.abs(constants), LEAST_MAGNITUDE)
        changed = np.where(chosen, constants + scale * rng.standard_normal(count), constants)
    return [float(c) + 0.0 for c in np.where(np.isfinite(changed), changed, constants)]


OPERATORS = shipped_operators(
    TreeProgram.language,
    {
        "clone": (1, clone),
        "constants": (
            1,
            on_trees(
                lambda s, rng, tree: mutate_constants(rng, tree, s.settings.constants, s.settings.octaves),
                constant_positions,
            ),
        ),
        "subtree": (
            1,
            on_trees(lambda s, rng, tree: mutate_subtree(rng, tree, s.alphabet, s.settings.subtree_depth)),
        ),
        "crossover": (2, crossing(crossover)),
        "point": (1, on_trees(lambda s, rng, tree: mutate_point(rng, tree, s.alphabet))),
        "hoist": (1, on_trees(lambda s, rng, tree: hoist(rng, tree))),
        "shrink": (1, on_trees(lambda s, rng, tree: shrink(rng, tree, s.alphabet))),
        "wrap": (1, on_trees(lambda s, rng, tree: wrap(rng, tree, s.alphabet))),
    },
)
"""Every operator by name: how many parents it takes, and what it does."""


@dataclass(frozen=True, slots=True)
class TreeRepresentation(Operated[TreeProgram]):
    """Programs of formulas over an alphabet, one formula for each section, of at most so many nodes together."""

    alphabet: Alphabet
    sections: tuple[str, ...]
    settings: Settings = Settings()
    max_size: int | None = None
    suffix: str = field(default=".tree", init=False)
    table = OPERATORS

    def create(self, rng: np.random.Generator, index: int) -> TreeProgram:
        """A random program; one that breaks the limits is drawn anew, ever flatter after a few times."""
        return drawn(partial(self._random, rng, index), self.admits, self.settings.high_depth)

    def _random(self, rng: np.random.Generator, index: int, flatter: int) -> TreeProgram:
        settings, high = self.settings, self.settings.high_depth - flatter
        trees = [
            ramped_tree(rng, self.alphabet, index, min(settings.low_depth, high), high)
            if settings.shape == "ramped"
            else random_tree(rng, self.alphabet, high, settings.shape)
            for _ in self.sections
        ]
        return self._on_grid(TreeProgram(self.sections, tuple(trees)))

    def vary(
        self, rng: np.random.Generator, operator: str, parents: Sequence[TreeProgram]
    ) -> Child[TreeProgram]:
        """The child that an operator makes of its parents."""
        program, places = self.table[operator].value.apply(self, rng, parents)
        return Child(self._on_grid(program), places)

    def breed(
        self,
        keys: NDArray[np.uint64],
        parents: Sequence[TreeProgram],
        mating: Breeding,
    ) -> list[Bred[TreeProgram]] | None:
        """The children of a generation of programs of one formula; None with several, or with a grid.

        Args:
            keys: uint64 (children, 2), of the random streams of the children.
            parents: the population.
            mating: how many children there are, and how they come about.
        """
        settings = self.settings
        if settings.grid or len(self.sections) > 1:
            return None
        varying = Varying(
            settings.scope == "one",
            settings.constants == "one",
            settings.octaves,
            settings.subtree_depth,
            self.max_size,
            settings.max_depth,
        )
        return breed_formulas(keys, parents, mating, self.alphabet, varying)

    def _on_grid(self, program: TreeProgram) -> TreeProgram:
        grid = self.settings.grid
        if not grid:
            return program
        return TreeProgram(program.names, tuple(round_constants(tree, grid) for tree in program.trees))

    def admits(self, genome: TreeProgram) -> bool:
        """Whether a program keeps the limits of size and depth."""
        size, depth = self.max_size, self.settings.max_depth
        if size is not None and len(genome) > size:
            return False
        return depth is None or all(within(tree, depth=depth) for tree in genome.trees)

    print = staticmethod(print_program)

    def parse(self, text: str) -> TreeProgram:
        """The program of a text.

        Raises:
            SourceError: the text is not a program.
            UsageError: it is a program of another game, or alphabet.
        """
        program = parse(text).program
        if program.names != self.sections:
            raise UsageError(f"a program has {_words(program.names)}; expected {_words(self.sections)}")
        known = {*self.alphabet.sensors, *NOTATION, RANDOM}
        for symbol in (symbol for tree in program.trees for symbol in tree.symbols):
            if isinstance(symbol, str) and symbol not in known:
                raise UsageError(f"a program reads `{symbol}`; {suggestion(symbol, self.alphabet.sensors)}")
        return program

    def constants(self, genome: TreeProgram) -> tuple[float, ...]:
        """The constants from left to right, formula after formula."""
        return tuple(s for tree in genome.trees for s in tree.symbols if isinstance(s, float))

    def tweak(self, rng: np.random.Generator, genome: TreeProgram, step: float) -> TreeProgram:
        """The program with other constants: normal changes to some of them, in proportion to their size."""
        constants = self.constants(genome)
        if not constants:
            return genome
        changed = changed_constants(rng, np.array(constants), FIRST_STEP * step)
        return self.with_constants(genome, changed)

    def with_constants(self, genome: TreeProgram, constants: Sequence[float]) -> TreeProgram:
        """The program with other constants, in the same order (and on the grid, if there is one)."""
        rest = list(constants)
        trees = []
        for tree in genome.trees:
            symbols = list(tree.symbols)
            for position in constant_positions(tree):
                symbols[position] = rest.pop(0)
            trees.append(Tree(tuple(symbols), tree.sizes))
        return self._on_grid(TreeProgram(genome.names, tuple(trees)))

    def simplify(self, genome: TreeProgram) -> TreeProgram:
        """A program with the same values, or the same decisions, perhaps smaller."""
        rewrite = simplify if self.settings.keeps == "values" else simplify_decision
        return TreeProgram(genome.names, tuple(rewrite(tree) for tree in genome.trees))


def _words(sections: Sequence[str]) -> str:
    return f"the section{'s' * (len(sections) != 1)} {', '.join(map(repr, sections))}"


def representation(config: Config, game: Game, alphabet: Alphabet) -> TreeRepresentation:
    """Representation of genomes in a run.

    Raises:
        UsageError: the limit of size leaves no room for a program.
    """
    sections, most = game.offers[TreeProgram.language].sections, config.limits.size
    check_room(most, sections, game.name)
    return TreeRepresentation(alphabet, sections, config.representation, most)


def representation_of_problem(
    primitives: PrimitiveSet, settings: Settings, size: int | None
) -> TreeRepresentation:
    """Representation of formulas of what the first alphabet of a primitive set names.

    Raises:
        UsageError: a formula cannot say the name of a sensor, there is nothing that it could consist of, or the limit
            of size leaves no room for one.
    """
    (alphabet,) = primitives.alphabets
    check_room(size, primitives.sections, alphabet.name)
    if not alphabet.sensors and not alphabet.constants:
        raise UsageError(f"{alphabet.name} has neither sensors nor constants, and formulas consist of these")
    for name in alphabet.sensors:
        if name in NOTATION or print_leaf(name) != name:
            raise UsageError(
                f"a formula cannot name a sensor `{name}`; expected a word such as `x` or `env.speed`"
            )
    return TreeRepresentation(alphabet, primitives.sections, settings, size)


def part_text(program: TreeProgram, section: str, position: int) -> str:
    """The formula at a place."""
    return print_formula(program.tree(section).subtree(position))
