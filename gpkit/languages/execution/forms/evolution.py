"""Defines plans as genomes: their creation, variation, limits and text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated

import numpy as np

from gpkit.core.codec import Range
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.primitives import Alphabet, PrimitiveSet
from gpkit.core.rng import below, stream
from gpkit.evolution.config import Config, Share
from gpkit.evolution.section_operators import Operated, Operator, clone, drawn, shipped_operators
from gpkit.evolution.sensor_samples import sensor_samples, sensor_values
from gpkit.gamekit.game import Game
from gpkit.genomes.comparisons import features_of
from gpkit.genomes.plan import (
    MAIN,
    Do,
    PlanDomain,
    PlanProgram,
    Varied,
    compared,
    crossover,
    cycle,
    exchange,
    expanded,
    hoist,
    insert,
    kept,
    mutate_action,
    mutate_branch,
    mutate_chance,
    mutate_comparison,
    mutate_count,
    mutate_feature,
    nesting,
    prune,
    random_sequence,
    scale_threshold,
    splice,
    step_threshold,
    steps,
    subtrees,
    swap,
)
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.program_operators import Child
from gpkit.genomes.tree import has_two_meanings, sensors_of
from gpkit.languages.execution.compiler import MOST_EXPANDED
from gpkit.languages.execution.forms.playing import visits
from gpkit.languages.execution.simplify import Visit, bounds_of, simplify, without_dead_weight
from gpkit.languages.execution.text import parse, print_program, print_sequence

UNIT = "steps"

NAMES = ("first", "second", "third", "fourth")
"""The names of the plans in random programs; a plan uses only plans that come after it in this tuple."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSettings:
    """Settings for the creation and variation of plans.

    Attributes:
        low_depth, high_depth: the smallest and the largest depth of the plans in the first generation, in levels; each
            step is one level below the step before it.
        max_nesting: the maximum nesting of branches and loops.
        plans: the number of named plans, which other plans can use.
        decisions, loops, waits, chances: the fractions of random steps that are of these kinds; tests need sensors in
            the alphabet.
        octaves: a mutation multiplies thresholds by a factor from 2^−octaves to 2^octaves.
        steps: the maximum number of quantiles by which a mutation moves a threshold.
        branch_depth: the largest number of levels of a branch that replaces another.
        rehearsals: the number of games that simplification plays to find unvisited branches, which it then removes;
            with 0, it removes none.
    """

    low_depth: Annotated[int, Range(1, 30)] = 3
    high_depth: Annotated[int, Range(1, 30)] = 8
    max_nesting: Annotated[int, Range(0, 40)] = 4
    plans: Annotated[int, Range(0, 4)] = 0
    decisions: Share = 0.1
    loops: Share = 0.15
    waits: Share = 0.05
    chances: Share = 0.0
    octaves: Annotated[float, Range(0.01, 10.0)] = 1.0
    steps: Annotated[int, Range(1, 100)] = 3
    branch_depth: Annotated[int, Range(1, 8)] = 2
    rehearsals: Annotated[int, Range(0, 1000)] = 0

    def __post_init__(self) -> None:
        if self.low_depth > self.high_depth:
            raise UsageError("representation.low_depth is above representation.high_depth")
        if self.decisions + self.loops + self.waits + self.chances > 1.0:
            raise UsageError(
                "representation: the shares of decisions, loops, waits and chances sum to more than 1"
            )


DEFAULTS = PlanSettings()


def _one(
    mutate: Callable[["PlanRepresentation", np.random.Generator, Steps, PlanDomain], Varied],
) -> tuple[int, Operator[PlanProgram]]:
    """An operator with one parent, which changes one of the parent's plans."""

    def operator(
        space: "PlanRepresentation", rng: np.random.Generator, parents: Sequence[PlanProgram]
    ) -> Child[PlanProgram]:
        program = parents[0]
        plan = below(rng, len(program.plans))
        changed, place = mutate(space, rng, program.plans[plan], space.within(program.names, plan))
        return _with_plan(program, plan, changed, place)

    return 1, operator


def _two(mate: Callable[[np.random.Generator, Steps, Steps], Varied]) -> tuple[int, Operator[PlanProgram]]:
    """An operator with two parents, which combines two plans of the same name, one from each parent."""

    def operator(
        space: "PlanRepresentation", rng: np.random.Generator, parents: Sequence[PlanProgram]
    ) -> Child[PlanProgram]:
        program, donor = parents
        shared = [plan for plan, name in enumerate(program.names) if name in donor.names]
        plan = shared[below(rng, len(shared))]
        changed, place = mate(rng, program.plans[plan], donor.plan(program.names[plan]))
        known = program.names[plan + 1 :]
        changed = kept(changed, lambda step: not step.uses or step.uses in known)
        return _with_plan(program, plan, changed, place)

    return 2, operator


def _with_plan(program: PlanProgram, plan: int, changed: Steps, place: int) -> Child[PlanProgram]:
    return Child(
        PlanProgram(program.names, (*program.plans[:plan], changed, *program.plans[plan + 1 :])),
        ((program.names[plan], place),),
    )


OPERATORS = shipped_operators(
    PlanProgram.language,
    {
        "clone": (1, clone),
        "branch": _one(
            lambda s, rng, plan, domain: mutate_branch(rng, plan, domain, s.settings.branch_depth)
        ),
        "crossover": _two(crossover),
        "splice": _two(splice),
        "insert": _one(lambda s, rng, plan, domain: insert(rng, plan, domain)),
        "hoist": _one(lambda s, rng, plan, domain: hoist(rng, plan)),
        "prune": _one(lambda s, rng, plan, domain: prune(rng, plan)),
        "exchange": _one(lambda s, rng, plan, domain: exchange(rng, plan)),
        "swap": _one(lambda s, rng, plan, domain: swap(rng, plan)),
        "action": _one(lambda s, rng, plan, domain: mutate_action(rng, plan, domain)),
        "count": _one(lambda s, rng, plan, domain: mutate_count(rng, plan)),
        "scale": _one(lambda s, rng, plan, domain: scale_threshold(rng, plan, s.settings.octaves)),
        "step": _one(lambda s, rng, plan, domain: step_threshold(rng, plan, domain, s.settings.steps)),
        "comparison": _one(lambda s, rng, plan, domain: mutate_comparison(rng, plan)),
        "feature": _one(lambda s, rng, plan, domain: mutate_feature(rng, plan, domain)),
        "chance": _one(lambda s, rng, plan, domain: mutate_chance(rng, plan)),
    },
)
"""The operators by name, with their number of parents and their function."""


@dataclass(frozen=True, slots=True)
class PlanRepresentation(Operated[PlanProgram]):
    """Programs of plans over a domain.

    Attributes:
        domain: the domain of random plans.
        primitives: the primitive set of the game.
        settings: the settings for creating and varying plans.
        max_size: the largest number of steps in all plans together; None means no limit.
        rehearse: returns the steps that a plan visits in some games; simplification removes the parts that are never
            visited. If it is None, these parts stay.
    """

    domain: PlanDomain
    primitives: PrimitiveSet
    settings: PlanSettings = DEFAULTS
    max_size: int | None = None
    rehearse: Callable[[PlanProgram], frozenset[Visit]] | None = None
    suffix: str = field(default=".plan", init=False)
    table = OPERATORS

    def create(self, rng: np.random.Generator, index: int) -> PlanProgram:
        """A random program within the limits; after a few failed attempts, it tries flatter programs."""
        names = (MAIN, *NAMES[: self.settings.plans])
        low, high = self.settings.low_depth, self.settings.high_depth

        def draw(flatter: int) -> PlanProgram:
            lowest, highest = min(low, high - flatter), high - flatter
            depth = lowest + index // 2 % (highest - lowest + 1)
            domains = (self.within(names, plan) for plan in range(len(names)))
            return PlanProgram(
                names, tuple([random_sequence(rng, domain, depth, full=index % 2 == 0) for domain in domains])
            )

        return drawn(draw, self.admits, high)

    def within(self, names: Sequence[str], plan: int) -> PlanDomain:
        """The domain for one of the named plans; a plan can use only the plans after it."""
        return replace(self.domain, plans=tuple(names[plan + 1 :]))

    def admits(self, genome: PlanProgram) -> bool:
        """Whether a program has steps, always ends, and is within the limits of size and nesting."""
        if not genome.plans[0] or (self.max_size is not None and len(genome) > self.max_size):
            return False
        if has_two_meanings(each.tree for each in genome.computed):
            return False
        flat = all(nesting(plan) <= self.settings.max_nesting for plan in genome.plans)
        return flat and not cycle(genome) and expanded(genome) <= MOST_EXPANDED

    print = staticmethod(print_program)

    def parse(self, text: str) -> PlanProgram:
        """The program parsed from a text.

        Raises:
            SourceError: the text is not a program.
            UsageError: it is a program for another game.
        """
        program = parse(text).program
        actions = [each.name for each in self.primitives.instructions]
        for step in (step for plan in program.plans for step in steps(plan)):
            for name in (name for each in compared(step) for name in sensors_of(each.feature)):
                if self.primitives.sensor(name) is None:
                    near = suggestion(name, self.primitives.sensor_names)
                    raise UsageError(f"a plan tests `{name}`; {near}")
            if step.asks and step.asks not in actions:
                raise UsageError(f"a plan asks for `{step.asks}`; {suggestion(step.asks, actions)}")
            if step.uses and step.uses not in program.names:
                raise UsageError(f"a plan uses `{step.uses}`; {suggestion(step.uses, program.names)}")
        return program

    def tweak(self, rng: np.random.Generator, genome: PlanProgram, step: float) -> PlanProgram:
        """The program after a few changes to parameters, or with a few steps inserted, removed or exchanged."""
        space = replace(
            self, settings=replace(self.settings, steps=max(1, round(self.settings.steps * step)))
        )
        for _ in range(1 + below(rng, 3)):
            name = _TWEAKS[below(rng, len(_TWEAKS))]
            child, _ = self.table[name].value.apply(space, rng, [genome])
            genome = child if self.admits(child) else genome
        return genome

    def simplify(self, genome: PlanProgram) -> PlanProgram:
        """An equivalent program, without the parts that rehearsals never reached."""
        simple = simplify(genome, bounds_of(self.primitives))
        if self.rehearse is None:
            return simple
        return simplify(without_dead_weight(simple, self.rehearse(simple)), bounds_of(self.primitives))


_TWEAKS = ("action", "count", "exchange", "insert", "hoist", "step", "comparison")


def representation(config: Config, game: Game, alphabet: Alphabet) -> PlanRepresentation:
    """The representation of genomes for a run; thresholds come from quantiles of sensor values in random games.

    Raises:
        UsageError: the game rejects the rules.
    """
    primitives, settings = game.offers[PlanProgram.language], config.representation
    rules = game.make_rules({name: str(value) for name, value in config.rules.items()})
    seen = sensor_samples(game, rules) if alphabet.sensors else {}
    domain = PlanDomain(
        alphabet.instructions,
        features_of((name, seen[name]) for name in alphabet.sensors if name in seen),
        decisions=settings.decisions,
        loops=settings.loops,
        waits=settings.waits,
        chances=settings.chances,
    )
    rehearse = None
    if settings.rehearsals:
        deals = game.deal(stream(config.seed, "rehearsals"), settings.rehearsals, rules)
        rehearse = partial(visits, game=game, deals=deals, rules=rules)
    return PlanRepresentation(domain, primitives, settings, config.limits.size, rehearse)


def representation_of_problem(
    primitives: PrimitiveSet, settings: PlanSettings, size: int | None
) -> PlanRepresentation:
    """The representation of plans with the actions and the sensors of a primitive set.

    Raises:
        UsageError: there is no action, the text of a plan cannot contain a name, or a sensor has no bounds.
    """
    (alphabet,) = primitives.alphabets
    if not alphabet.instructions:
        raise UsageError(f'{alphabet.name} has no actions, but plans need them: actions="left right"')
    domain = PlanDomain(
        alphabet.instructions,
        features_of(sensor_values(primitives)),
        decisions=settings.decisions,
        loops=settings.loops,
        waits=settings.waits,
        chances=settings.chances,
    )
    space = PlanRepresentation(domain, primitives, settings, size)
    for name in alphabet.instructions:
        plan = PlanProgram((MAIN,), ((Do(name),),))
        try:
            said = parse(print_program(plan, None)).program == plan
        except GpkitError:
            said = False
        if not said:
            raise UsageError(f"a plan cannot use the action name `{name}`; expected a word such as `forward`")
    return space


def place_text(section: str, position: int) -> str:
    """A phrase that describes the place where an operator changed a program."""
    return f"{section or 'main'}, place {position + 1}"


def part_text(program: PlanProgram, section: str, position: int) -> str:
    """The subtree at a position, on one line; empty at the end of a sequence."""
    return " ".join(print_sequence([*subtrees(program.plan(section))][position]).split())
