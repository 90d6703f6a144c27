"""Defines decision trees as genomes: their creation, variation, limits and text."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import numpy as np

from gpkit.core.codec import Range
from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM, Alphabet, PrimitiveSet, Sensor
from gpkit.core.rng import below
from gpkit.data.features import PREFIX
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
from gpkit.evolution.sensor_samples import sensor_samples, sensor_values
from gpkit.gamekit.game import Game
from gpkit.genomes.comparisons import features_of
from gpkit.genomes.decision import (
    DecisionDomain,
    DecisionProgram,
    DecisionTree,
    hoist,
    mutate_branch,
    mutate_chance,
    mutate_comparison,
    mutate_feature,
    mutate_leaf,
    prune,
    random_decision,
    scale_threshold,
    step_threshold,
    swap,
)
from gpkit.genomes.program_operators import Scope
from gpkit.genomes.tree import Variant, crossover, has_two_meanings, within
from gpkit.languages.decision.simplify import simplify
from gpkit.languages.decision.text import MAX_DEPTH, parse, print_program, print_tree, word

UNIT = "nodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionSettings:
    """Settings for the creation and variation of decision trees.

    Attributes:
        low_depth, high_depth: the smallest and the largest depth of the trees in the first generation, in levels; every
            second tree is full.
        max_depth: the largest number of levels of each tree.
        max_leaves: the largest number of leaves of each tree; false means no limit.
        scope: whether an operator changes one tree of the program, or each of them.
        switches: the share of switches among the inner nodes of random trees.
        octaves: a mutation multiplies thresholds by a factor from 2^−octaves to 2^octaves.
        steps: the maximum number of quantiles by which a mutation moves a threshold.
        spread: the standard deviation of a change to a leaf's value, as a fraction of the range of values.
        branch_depth: the largest number of levels of a branch that replaces another.
    """

    low_depth: Annotated[int, Range(1, 8)] = 2
    high_depth: Annotated[int, Range(1, 8)] = 4
    max_depth: Annotated[int, Range(1, MAX_DEPTH)] = 12
    max_leaves: Annotated[int, Range(1, 5000)] | None = 15
    scope: Scope = "one"
    switches: Annotated[float, Range(0.0, 1.0)] = 0.0
    octaves: Annotated[float, Range(0.01, 10.0)] = 1.0
    steps: Annotated[int, Range(1, 100)] = 3
    spread: Annotated[float, Range(0.0, 10.0)] = 0.2
    branch_depth: Annotated[int, Range(1, 8)] = 2

    def __post_init__(self) -> None:
        if self.low_depth > self.high_depth:
            raise UsageError("representation.low_depth is above representation.high_depth")


DEFAULTS = DecisionSettings()


def _branches(tree: DecisionTree) -> bool:
    return len(tree) > 1


OPERATORS = shipped_operators(
    DecisionProgram.language,
    {
        "clone": (1, clone),
        "branch": (
            1,
            on_trees(lambda s, rng, tree: mutate_branch(rng, tree, s.domain, s.settings.branch_depth)),
        ),
        "crossover": (2, crossing(crossover)),
        "hoist": (1, on_trees(lambda s, rng, tree: hoist(rng, tree), _branches)),
        "prune": (1, on_trees(lambda s, rng, tree: prune(rng, tree), _branches)),
        "swap": (1, on_trees(lambda s, rng, tree: swap(rng, tree), _branches)),
        "scale": (
            1,
            on_trees(lambda s, rng, tree: scale_threshold(rng, tree, s.settings.octaves), _branches),
        ),
        "step": (
            1,
            on_trees(lambda s, rng, tree: step_threshold(rng, tree, s.domain, s.settings.steps), _branches),
        ),
        "comparison": (1, on_trees(lambda s, rng, tree: mutate_comparison(rng, tree), _branches)),
        "feature": (1, on_trees(lambda s, rng, tree: mutate_feature(rng, tree, s.domain), _branches)),
        "chance": (1, on_trees(lambda s, rng, tree: mutate_chance(rng, tree), lambda tree: tree.draws > 0)),
        "leaf": (1, on_trees(lambda s, rng, tree: mutate_leaf(rng, tree, s.domain, s.settings.spread))),
        "grow": (1, on_trees(lambda s, rng, tree: s.regrown(rng, tree))),
        "test": (1, on_trees(lambda s, rng, tree: s.retested(rng, tree), _branches)),
    },
)
"""The operators by name, with their number of parents and their function."""

BY_ROWS = ("grow", "test")
"""The operators that can work only with rows of data."""


@dataclass(frozen=True, slots=True)
class DecisionRepresentation(Operated[DecisionProgram]):
    """Programs with one decision tree over a domain for each section.

    Attributes:
        domain: the domain of random trees.
        sections: the names of the trees.
        settings: the settings for creating and varying trees.
        sensors: the sensors, whose bounds help to simplify trees.
        max_size: the largest number of nodes in all trees together; None means no limit.
        falls_back: whether even leaves that no input reaches matter, because other leaves fall back on their actions.
    """

    domain: DecisionDomain
    sections: tuple[str, ...]
    settings: DecisionSettings = DEFAULTS
    sensors: tuple[Sensor, ...] = ()
    max_size: int | None = None
    falls_back: bool = False
    suffix: str = field(default=".decide", init=False)
    table = OPERATORS
    without: ClassVar[Sequence[str]] = BY_ROWS

    def regrown(self, rng: np.random.Generator, tree: DecisionTree) -> Variant[DecisionTree]:
        """The same tree, because this representation has no rows."""
        return Variant(tree, 0)

    retested = regrown

    def create(self, rng: np.random.Generator, index: int) -> DecisionProgram:
        """A random program within the limits; after a few failed attempts, it tries flatter programs."""
        low, high = self.settings.low_depth, self.settings.high_depth

        def draw(flatter: int) -> DecisionProgram:
            least = min(low, high - flatter)
            depth = min(least + index // 2 % (high - least + 1), high - flatter)
            return DecisionProgram(
                self.sections,
                tuple([random_decision(rng, self.domain, depth, full=index % 2 == 0) for _ in self.sections]),
            )

        return drawn(draw, self.admits, high)

    def admits(self, genome: DecisionProgram) -> bool:
        """Whether a program is within the limits of size, depth and leaves."""
        most, depth = self.settings.max_leaves, self.settings.max_depth
        if has_two_meanings(genome.trees):
            return False
        if self.max_size is not None and len(genome) > self.max_size:
            return False
        few = most is None or all(tree.sizes.count(1) <= most for tree in genome.trees)
        return few and all(within(tree, depth=depth) for tree in genome.trees)

    print = staticmethod(print_program)

    def parse(self, text: str) -> DecisionProgram:
        """The program parsed from a text.

        Raises:
            SourceError: the text is not a program.
            UsageError: it is a program for another game or alphabet.
        """
        program = parse(text).program
        if program.names != self.sections:
            raise UsageError(f"a program has the sections {program.names}; expected {self.sections}")
        known = [feature.name for feature in self.domain.features]
        for name in (name for tree in program.trees for name in tree.reads):
            if name not in known:
                raise UsageError(f"a program tests `{name}`; {suggestion(name, known)}")
        return program

    def tweak(self, rng: np.random.Generator, genome: DecisionProgram, step: float) -> DecisionProgram:
        """The program after changes to a few parameters; its trees keep their structure."""
        space = replace(self, settings=replace(self.settings, spread=self.settings.spread * step))
        for _ in range(1 + below(rng, 3)):
            name = _TWEAKS[below(rng, len(_TWEAKS))]
            genome, _ = self.table[name].value.apply(space, rng, [genome])
        return genome

    def simplify(self, genome: DecisionProgram) -> DecisionProgram:
        """A program, perhaps smaller, that reaches the same leaf values; the same program if ``falls_back`` is set."""
        if self.falls_back:
            return genome
        return replace(genome, trees=tuple(simplify(tree, self.sensors) for tree in genome.trees))


_TWEAKS = ("leaf", "leaf", "step", "chance")


def representation(config: Config, game: Game, alphabet: Alphabet) -> DecisionRepresentation:
    """The representation of genomes for a run; thresholds come from quantiles of sensor values in random games.

    Raises:
        UsageError: the size limit leaves no room for a program, or the game rejects the rules.
    """
    primitives, most = game.offers[DecisionProgram.language], config.limits.size
    check_room(most, primitives.sections, game.name)
    seen = sensor_samples(game, game.make_rules({name: str(value) for name, value in config.rules.items()}))
    domain = DecisionDomain(
        features_of((name, seen[name]) for name in alphabet.sensors if name in seen),
        primitives.actions,
        low=alphabet.constant_low,
        high=alphabet.constant_high,
        switches=config.representation.switches,
        chances=0.1 if RANDOM in alphabet.sensors else 0.0,
    )
    return DecisionRepresentation(
        domain,
        primitives.sections,
        config.representation,
        primitives.sensors,
        most,
        falls_back=bool(primitives.actions),
    )


def representation_of_problem(
    primitives: PrimitiveSet, settings: DecisionSettings, size: int | None
) -> DecisionRepresentation:
    """The representation of trees with a primitive set's actions as leaves, or with numbers if it has no actions.

    Raises:
        UsageError: the text of a tree cannot contain a name, a sensor has no bounds, or the size limit leaves no room
            for a program.
    """
    (alphabet,) = primitives.alphabets
    check_room(size, primitives.sections, alphabet.name)
    check_words((*alphabet.sensors, *primitives.actions))
    features = features_of(sensor_values(primitives))
    low, high = alphabet.constant_low, alphabet.constant_high
    domain = DecisionDomain(features, primitives.actions, low=low, high=high, switches=settings.switches)
    return DecisionRepresentation(domain, primitives.sections, settings, primitives.sensors, size)


def check_columns(names: Sequence[str]) -> None:
    """Check that the text of a tree can use these column names unchanged.

    Raises:
        UsageError: the text of a tree cannot use a name unchanged.
    """
    for name in names:
        if name.startswith(PREFIX):
            raise UsageError(f"a tree cannot name {name!r}: rename the column, without `{PREFIX}` before it")
    check_words(names)


def check_words(names: Sequence[str]) -> None:
    """Check that the text of a tree can use these names of features and leaves.

    Raises:
        UsageError: the text of a tree cannot use a name.
    """
    for name in names:
        if not name or name.strip() != name or word(name).strip('"') != name:
            raise UsageError(
                f"a tree cannot name {shortened(repr(name))}: rename it; names are one line, not empty, and without "
                "quotation marks"
            )


def part_text(program: DecisionProgram, section: str, position: int) -> str:
    """The branch at a position, on one line."""
    return " ".join(print_tree(program.parts[section].subtree(position)).split())
