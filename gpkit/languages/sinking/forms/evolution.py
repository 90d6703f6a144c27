"""Defines linear programs as genomes: their creation, variation, limits and text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from gpkit.core.codec import Range
from gpkit.core.diagnostics import check_known, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Alphabet, PrimitiveSet
from gpkit.evolution.config import Config
from gpkit.evolution.section_operators import Operated, clone, shipped_operators
from gpkit.gamekit.game import Game
from gpkit.genomes.linear import (
    LinearDomain,
    LinearProgram,
    change,
    exchange_block,
    mutate_blocks,
    random_program,
    splice,
    swap_chunk,
)
from gpkit.genomes.program_operators import Child
from gpkit.languages.sinking.compiler import simplify
from gpkit.languages.sinking.forms.playing import primitives_of
from gpkit.languages.sinking.text import WORDS, dialect_of, parse, print_program, switches, vocabulary

UNIT = "lines"


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkingSettings:
    """Settings for the creation and variation of sinking programs, and for their dialect.

    Attributes:
        low_lines, high_lines: the smallest and the largest number of lines in each block of random programs.
        more: the probability of each further edit in ``change``.
        rate: the probability of a mutation of each block in ``chunk``.
        dialect: the values of switches that differ from the defaults.
    """

    low_lines: Annotated[int, Range(0, 100)] = 1
    high_lines: Annotated[int, Range(1, 100)] = 8
    more: Annotated[float, Range(0.0, 0.95)] = 0.4
    rate: Annotated[float, Range(0.0, 1.0)] = 0.1
    dialect: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.low_lines > self.high_lines:
            raise UsageError("representation.low_lines is above representation.high_lines")


DEFAULTS = SinkingSettings()


def _chunk(
    space: "LinearRepresentation", rng: np.random.Generator, parents: Sequence[LinearProgram]
) -> Child[LinearProgram]:
    """The operator from the article, which swaps in a chunk of the donor and then mutates blocks."""
    child, places = swap_chunk(rng, parents[0], parents[1], space.domain)
    program, more = mutate_blocks(rng, child, space.domain, space.settings.rate)
    return Child(program, (*places, *more))


OPERATORS = shipped_operators(
    LinearProgram.language,
    {
        "clone": (1, clone),
        "change": (1, lambda space, rng, parents: change(rng, parents[0], space.domain, space.settings.more)),
        "splice": (2, lambda space, rng, parents: splice(rng, parents[0], parents[1], space.domain)),
        "block": (2, lambda space, rng, parents: exchange_block(rng, parents[0], parents[1])),
        "chunk": (2, _chunk),
    },
)
"""The operators by name, with their number of parents and their function."""


@dataclass(frozen=True, slots=True)
class LinearRepresentation(Operated[LinearProgram]):
    """Programs with blocks over an alphabet of instructions.

    Attributes:
        domain: the blocks, capacities and words.
        primitives: the game's instructions.
        settings: the settings for creating and varying programs, and the dialect.
        max_size: the largest number of lines in all blocks together; None means no limit.
    """

    domain: LinearDomain
    primitives: PrimitiveSet
    settings: SinkingSettings
    max_size: int | None = None
    suffix: str = field(default=".sink", init=False)
    table = OPERATORS

    def create(self, rng: np.random.Generator, index: int) -> LinearProgram:
        """A random program."""
        return random_program(rng, self.domain, self.settings.low_lines, self.settings.high_lines)

    def admits(self, genome: LinearProgram) -> bool:
        """Whether a program is within the limit of lines; it is always within the capacities."""
        return self.max_size is None or len(genome) <= self.max_size

    print = staticmethod(print_program)

    def parse(self, text: str) -> LinearProgram:
        """The program parsed from a text.

        Raises:
            SourceError: the text is not a program.
            UsageError: it is a program for another game, or it is too large for this game.
        """
        program = parse(text).program
        known = vocabulary(self.primitives)
        if program.names != self.domain.names:
            raise UsageError(f"a program has the blocks {program.names}; expected {self.domain.names}")
        for block, capacity in zip(program.blocks, self.domain.capacities, strict=True):
            if len(block) > capacity:
                raise UsageError(f"a block has {len(block)} lines, more than {capacity}")
            for word in block:
                check_known("instruction", word, known)
        return program

    def tweak(self, rng: np.random.Generator, genome: LinearProgram, step: float) -> LinearProgram:
        """The program after one or more edits, without lines that have no effect; ``step`` does not affect the edits.

        Therefore, if edits to a simplified program only add lines without effect, the result is the same program.
        """
        return self.simplify(change(rng, genome, self.domain, self.settings.more).genome)

    def simplify(self, genome: LinearProgram) -> LinearProgram:
        """The program without the lines that have no effect."""
        return simplify(genome, dialect_of(self.settings.dialect, self.primitives), self.primitives)


def representation(config: Config, game: Game, alphabet: Alphabet) -> LinearRepresentation:
    """The representation of genomes for a run.

    Raises:
        UsageError: a switch or a placement is unknown.
    """
    primitives, settings = game.offers[LinearProgram.language], config.representation
    _check_dialect(settings.dialect, primitives, game)
    return LinearRepresentation(
        LinearDomain(primitives.sections, primitives.capacities, alphabet.instructions),
        primitives,
        settings,
        config.limits.size,
    )


def _check_dialect(dialect: Mapping[str, str], primitives: PrimitiveSet, game: Game) -> None:
    dialect_of(dialect, primitives)
    known = {*(switch.name for switch in switches(primitives)), "dialect", "placement"}
    for name in dialect:
        if name not in known:
            raise UsageError(
                f"[representation.dialect] has no switch `{name}`; {suggestion(name, sorted(known))}"
            )
    placement = dialect.get("placement", "")
    if placement and placement not in game.placements:
        raise UsageError(
            f"[representation.dialect] there is no placement `{placement}`; "
            f"{suggestion(placement, game.placements)}"
        )


def representation_of_problem(
    primitives: PrimitiveSet, settings: SinkingSettings, size: int | None
) -> LinearRepresentation:
    """The representation of programs with a primitive set's actions; actions that begin with ``If`` are conditions.

    Raises:
        UsageError: there is no action, an action is not a word or is a word of the language, or a switch is unknown.
    """
    (alphabet,) = primitives.alphabets
    acting = primitives_of(primitives.actions, primitives.capacities[0])
    if not primitives.actions:
        raise UsageError(
            f'{alphabet.name} has no actions, but programs need them: actions="IfFood forward left"'
        )
    for name in primitives.actions:
        if not name.isidentifier() or not name.isascii() or name in {word.name for word in WORDS}:
            raise UsageError(
                f"a line cannot be `{name}`; expected a word such as `forward` that the language does not use"
            )
    dialect_of(settings.dialect, acting)
    return LinearRepresentation(
        LinearDomain(acting.sections, acting.capacities, primitives.actions), acting, settings, size
    )


def place_text(section: str, position: int) -> str:
    """A phrase that describes the place where an operator changed a program."""
    return f"{section}, line {position + 1}"


def part_text(program: LinearProgram, section: str, position: int) -> str:
    """The line at a position; empty after the last line."""
    lines = program.block(section)
    return lines[position] if position < len(lines) else ""
