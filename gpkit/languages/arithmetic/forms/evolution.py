"""Defines formulas as genomes: their creation, variation, limits and text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.core.codec import Range
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM, Alphabet, Operator, PrimitiveSet
from gpkit.core.rng import below
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
    Function,
    Tree,
    TreeProgram,
    Which,
    constant_positions,
    crossover,
    functions_called,
    has_two_meanings,
    hoist,
    leaf,
    mutate_constants,
    mutate_point,
    mutate_subtree,
    nodes_computed,
    ramped_tree,
    random_tree,
    round_constants,
    shrink,
    spares,
    within,
    wrap,
)
from gpkit.genomes.tree_breeding import breed_formulas
from gpkit.langkit.formulas import print_formula, print_leaf
from gpkit.langkit.operators import MAX_NODES, NOTATION
from gpkit.languages.arithmetic.simplify import simplify, simplify_decision
from gpkit.languages.arithmetic.text import parse, print_program

UNIT = "nodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaSettings:
    """Settings for the creation, variation and simplification of formulas.

    Attributes:
        shape: how random trees are made: grown, full, or ramped half-and-half between the two depths.
        low_depth, high_depth: the number of levels of random trees; grown and full trees use ``high_depth``.
        max_depth: the largest number of levels of each formula; false means no limit.
        scope: whether an operator changes one formula of the program, or each of them.
        constants: whether a mutation of constants changes all the constants of a formula, or only one.
        octaves: a mutation multiplies constants by a factor from 2^−octaves to 2^octaves.
        subtree_depth: the largest number of levels of the random tree in a subtree mutation.
        grid: constants are rounded to multiples of this number; 0 means no rounding.
        keeps: whether simplification preserves every value, or only the choice of the candidate with the highest value.
        functions: the number of functions that evolve with each program, as sections f1, f2, ... that formulas, and
            later functions, can call.
        operands: the number of operands of each function that evolves.
        spares: whether divisors and the operands of sqrt, log and exp must not be expressions that read only 0/1
            columns.
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
    spares: bool = True
    functions: Annotated[int, Range(0, 9)] = 0
    operands: Annotated[int, Range(1, 8)] = 2

    def __post_init__(self) -> None:
        if self.low_depth > self.high_depth:
            raise UsageError("representation.low_depth is above representation.high_depth")


DEFAULTS = FormulaSettings()


FIRST_STEP = 0.5
"""The standard deviation of the changes with which tuning begins, relative to the constant."""

LEAST_MAGNITUDE = 0.1
"""The smallest magnitude of a constant for tuning; a smaller constant is tuned as if it had this magnitude."""


def changed_constants(
    rng: np.random.Generator, constants: np.ndarray[tuple[int], np.dtype[np.float64]], step: float
) -> Sequence[float]:
    """The constants, float64 (constants,), after normally distributed changes to at least one of them."""
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
"""The operators by name, with their number of parents and their function."""


@dataclass(frozen=True, slots=True)
class TreeRepresentation(Operated[TreeProgram]):
    """Programs with one formula over an alphabet for each section, and a limit on their total number of nodes."""

    alphabet: Alphabet
    sections: tuple[str, ...]
    settings: FormulaSettings = DEFAULTS
    max_size: int | None = None
    suffix: str = field(default=".tree", init=False)
    table = OPERATORS

    def __post_init__(self) -> None:
        known = (*self.alphabet.sensors, *(str(each.name) for each in self.alphabet.operators))
        taken = next((name for name in self.evolved if name in known), None)
        if taken is not None:
            raise UsageError(
                f"the function `{taken}` has the same name as a sensor or an operator; rename the other one"
            )

    @property
    def evolved(self) -> tuple[str, ...]:
        """The names of the functions that evolve with a program."""
        return tuple(f"f{number + 1}" for number in range(self.settings.functions))

    def size(self, genome: TreeProgram) -> int:
        """The number of nodes of all formulas, including the functions that evolve."""
        bodies = genome.functions if self.settings.functions else ()
        return len(genome) + sum(len(each.body) for each in bodies if str(each) in self.evolved)

    def create(self, rng: np.random.Generator, index: int) -> TreeProgram:
        """A random program within the limits; after a few failed attempts, it tries flatter programs."""
        return drawn(partial(self._random, rng, index), self.admits, self.settings.high_depth)

    def _random(self, rng: np.random.Generator, index: int, flatter: int) -> TreeProgram:
        settings, high = self.settings, self.settings.high_depth - flatter
        trees = {
            name: ramped_tree(rng, alphabet, index, min(settings.low_depth, high), high)
            if settings.shape == "ramped"
            else random_tree(rng, alphabet, high, settings.shape)
            for name, alphabet in alphabets_of(self).items()
        }
        return self._closed(trees)

    def _opened(self, program: TreeProgram) -> dict[str, Tree]:
        """The formulas of sections and functions by name; calls of evolving functions become plain names."""
        bodies = {str(each): each.body for each in program.functions}
        own = {name: bodies.get(name, leaf(LETTERS[0])) for name in self.evolved}
        return {
            name: _named(tree, {name: name for name in own}) for name, tree in (program.parts | own).items()
        }

    def _closed(self, trees: Mapping[str, Tree]) -> TreeProgram:
        """The program with these formulas for its sections and functions; this is the inverse of ``_opened``."""
        known: dict[str, str] = {}
        grid, parameters = self.settings.grid, tuple(LETTERS[: self.settings.operands])
        rounded = {name: round_constants(tree, grid) if grid else tree for name, tree in trees.items()}
        for name in self.evolved:
            known[name] = Function(name, parameters, _named(rounded[name], known))
        return TreeProgram(
            self.sections,
            tuple(_named(rounded[name], known) for name in self.sections),
            tuple(each for each in known.values() if isinstance(each, Function)),
        )

    def vary(
        self, rng: np.random.Generator, operator: str, parents: Sequence[TreeProgram]
    ) -> Child[TreeProgram]:
        """The child that an operator makes from its parents."""
        apply, places = self.table[operator].value.apply, list[tuple[str, int]]()
        if not self.evolved:
            program, changed = apply(self, rng, parents)
            return Child(self._on_grid(program), changed)
        opened, alphabets = [self._opened(each) for each in parents], alphabets_of(self)
        names = [*alphabets]
        for name in names if self.settings.scope == "each" else [names[below(rng, len(names))]]:
            space = replace(
                self, alphabet=alphabets[name], sections=(name,), settings=replace(self.settings, functions=0)
            )
            program, changed = apply(space, rng, [TreeProgram((name,), (each[name],)) for each in opened])
            (opened[0][name],) = program.trees
            places += changed
        return Child(self._closed(opened[0]), tuple(places))

    def breed(
        self,
        keys: NDArray[np.uint64],
        parents: Sequence[TreeProgram],
        mating: Breeding,
    ) -> list[Bred[TreeProgram]] | None:
        """The children of a generation; None unless programs have a single formula and constants are not rounded.

        Args:
            keys: uint64 (children, 2): the keys of the children's random streams.
            parents: the population.
            mating: the number of children, and the way in which they are bred.
        """
        settings = self.settings
        if settings.grid or len(self.sections) > 1 or settings.functions:
            return None
        return breed_formulas(
            keys,
            parents,
            mating,
            self.alphabet,
            one_tree=settings.scope == "one",
            one_constant=settings.constants == "one",
            octaves=settings.octaves,
            subtree_depth=settings.subtree_depth,
            max_size=self.max_size,
            max_depth=settings.max_depth,
        )

    def _on_grid(self, program: TreeProgram) -> TreeProgram:
        grid = self.settings.grid
        if not grid:
            return program
        return replace(program, trees=tuple(round_constants(tree, grid) for tree in program.trees))

    def admits(self, genome: TreeProgram) -> bool:
        """Whether a program is within the limits and obeys the rules for indicators and functions.

        No guarded operator may read only indicators, and no two different functions may have the same name.
        """
        size, depth = self.max_size, self.settings.max_depth
        if size is not None and self.size(genome) > size:
            return False
        if not all(spares(tree, self.alphabet.indicators) for tree in genome.trees):
            return False
        if has_two_meanings(genome.trees):
            return False
        if self.evolved and sum(map(nodes_computed, genome.trees)) > MAX_NODES:
            return False
        own = [each.body for each in genome.functions if str(each) in self.evolved] if self.evolved else []
        return depth is None or all(within(tree, depth=depth) for tree in (*genome.trees, *own))

    print = staticmethod(print_program)

    def parse(self, text: str) -> TreeProgram:
        """The program parsed from a text.

        Raises:
            SourceError: the text is not a program.
            UsageError: it is a program for another game or alphabet.
        """
        program = parse(text).program
        if program.names != self.sections:
            raise UsageError(f"a program has {_words(program.names)}; expected {_words(self.sections)}")
        known = {*self.alphabet.sensors, *NOTATION, RANDOM}
        for symbol in (symbol for tree in program.trees for symbol in tree.symbols):
            if isinstance(symbol, str) and symbol not in known and not isinstance(symbol, Function):
                raise UsageError(f"a program reads `{symbol}`; {suggestion(symbol, self.alphabet.sensors)}")
        return program

    def constants(self, genome: TreeProgram) -> tuple[float, ...]:
        """The constants of all formulas, from left to right."""
        return tuple(s for tree in genome.trees for s in tree.symbols if isinstance(s, float))

    def tweak(self, rng: np.random.Generator, genome: TreeProgram, step: float) -> TreeProgram:
        """The program after normally distributed changes to some constants, in proportion to their magnitude."""
        constants = self.constants(genome)
        if not constants:
            return genome
        return self.with_constants(genome, changed_constants(rng, np.array(constants), FIRST_STEP * step))

    def with_constants(self, genome: TreeProgram, constants: Sequence[float]) -> TreeProgram:
        """The program with these constants, from left to right, rounded to the grid if there is one."""
        rest = list(constants)
        trees = []
        for tree in genome.trees:
            symbols = list(tree.symbols)
            for position in constant_positions(tree):
                symbols[position] = rest.pop(0)
            trees.append(Tree(tuple(symbols), tree.sizes))
        return self._on_grid(replace(genome, trees=tuple(trees)))

    def simplify(self, genome: TreeProgram) -> TreeProgram:
        """A program, perhaps smaller, with the same values or the same decisions, depending on the settings."""
        rewrite = simplify if self.settings.keeps == "values" else simplify_decision
        return replace(genome, trees=tuple(rewrite(tree) for tree in genome.trees))


LETTERS = "abcdefgh"
"""The parameters of functions that evolve."""


@lru_cache(maxsize=64)
def alphabets_of(space: TreeRepresentation) -> Mapping[str, Alphabet]:
    """The alphabets of sections and of evolving functions, by name; a function can call the functions before it."""
    calls = [Operator(name, space.settings.operands) for name in space.evolved]
    known, whole = space.alphabet.operators, space.alphabet
    found = dict.fromkeys(space.sections, replace(whole, operators=(*known, *calls)))
    for number, name in enumerate(space.evolved):
        sensors, operators = tuple(LETTERS[: space.settings.operands]), (*known, *calls[:number])
        found[name] = Alphabet(
            name, sensors, operators, whole.constants, whole.constant_low, whole.constant_high
        )
    return found


def _named(tree: Tree, names: Mapping[str, str]) -> Tree:
    """A formula with the symbols of its calls replaced; ``names`` maps function names to the new symbols."""
    symbols = tuple(s if isinstance(s, float) else names.get(str(s), s) for s in tree.symbols)
    return Tree(symbols, tree.sizes) if symbols != tree.symbols else tree


def _words(sections: Sequence[str]) -> str:
    return f"the section{'s' * (len(sections) != 1)} {', '.join(map(repr, sections))}"


def representation(config: Config, game: Game, alphabet: Alphabet) -> TreeRepresentation:
    """The representation of genomes for a run.

    Raises:
        UsageError: the size limit leaves no room for a program.
    """
    sections, most = game.offers[TreeProgram.language].sections, config.limits.size
    check_room(most, sections, game.name)
    return TreeRepresentation(alphabet, sections, config.representation, most)


def representation_of_problem(
    primitives: PrimitiveSet, settings: FormulaSettings, size: int | None
) -> TreeRepresentation:
    """The representation of formulas over the first alphabet of a primitive set.

    Raises:
        UsageError: formulas cannot use the name of a sensor, there are neither sensors nor constants, or the size limit
            leaves no room for a formula.
    """
    (alphabet,) = primitives.alphabets
    check_room(size, primitives.sections, alphabet.name)
    if not alphabet.sensors and not alphabet.constants:
        raise UsageError(f"{alphabet.name} has neither sensors nor constants, so there are no formulas")
    check_names_apart(alphabet.sensors, alphabet.operators)
    for name in alphabet.sensors:
        if name in NOTATION or print_leaf(name) != name:
            raise UsageError(
                f"a formula cannot use the sensor name `{name}`; expected a word such as `x` or `env.speed`"
            )
    return TreeRepresentation(alphabet, primitives.sections, settings, size)


def check_names_apart(sensors: Sequence[str], chosen: Sequence[Operator]) -> None:
    """Check that no function has the same name as a sensor.

    Raises:
        UsageError: a function has the same name as a sensor.
    """
    for function in functions_called(*(each.name for each in chosen)):
        if str(function) in sensors:
            raise UsageError(f"the function `{function}` has the name of a sensor; choose another name")


def part_text(program: TreeProgram, section: str, position: int) -> str:
    """The formula at a position."""
    bodies = {str(each): each.body for each in program.functions}
    return print_formula((bodies | program.parts)[section].subtree(position))
