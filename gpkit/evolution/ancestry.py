"""Ancestry of a run's champion: its first parents back to a random program, their mates, every change."""

from collections.abc import Sequence
from dataclasses import dataclass
from sqlite3 import Connection

from gpkit.core.errors import CheckpointError, GpkitError
from gpkit.evolution.config import evolved
from gpkit.evolution.genealogy import Ancestor, ancestor, count_ancestors, lineage
from gpkit.evolution.history import History

REFINED = "refine"
"""The operator of the champion as it is at the end, where refinement has changed it."""

CLONE = "clone"


@dataclass(frozen=True, slots=True)
class Descent:
    """One change on the way to the champion.

    Attributes:
        child: what came of it.
        until: the last generation in which the child lived on, unchanged.
        parent: what was changed; None for a random program of the first generation.
    """

    child: Ancestor
    until: int
    parent: Ancestor | None


@dataclass(frozen=True, slots=True)
class Ancestry:
    """The ancestors of a champion.

    Attributes:
        line: the champion and its first parents, the youngest first, unchanged copies included.
        mates: the other parents of these, and what they are copies of.
        count: how many ancestors there are in all.
    """

    line: tuple[Ancestor, ...]
    mates: tuple[Ancestor, ...]
    count: int

    def descents(self) -> tuple[Descent, ...]:
        """The changes along the line, the latest first; unchanged copies are one individual that lived longer."""
        found = []
        until = self.line[0].generation
        for child, parent in zip(self.line, (*self.line[1:], None), strict=True):
            if child.operator == CLONE and parent is not None:
                continue
            found.append(Descent(child, max(until, child.generation), parent))
            if parent is not None:  # which was there, in the generation before the child's
                until = max(parent.generation, child.generation - 1)
        return tuple(found)


def read_ancestry(history: History) -> Ancestry:
    """The ancestry of the best program so far.

    Raises:
        CheckpointError: the genealogy is missing or damaged.
    """
    champion = history.champion
    with history.genealogy() as connection:
        line = lineage(connection, champion.number)
        _check(line, history)
        known = {each.number for each in line}
        mates: dict[int, Ancestor] = {}
        for child in line:
            for number in child.parents[1:]:
                mates |= {a.number: a for a in _copies(connection, number) if a.number not in known}
        count = count_ancestors(connection, champion.number)
    if champion.program != line[0].program:
        refined = Ancestor(
            number=champion.number,
            generation=champion.generation,
            operator=REFINED,
            parents=(champion.number,),
            places=(),
            fitness=champion.fitness,
            program=champion.program,
        )
        line.insert(0, refined)
        count += 1
    return Ancestry(tuple(line), tuple(mates.values()), count)


def _check(line: Sequence[Ancestor], history: History) -> None:
    """Check that the individuals of a line are programs of their game, changed at places that there are.

    Raises:
        CheckpointError: they are not.
    """
    part_text = evolved(history.run.language.name).part_text
    for individual in line:
        try:
            program = history.run.program(individual.program, f"individual {individual.number}")
        except GpkitError as error:
            raise CheckpointError(f"the genealogy is damaged: {error}") from error
        for section, position in individual.places:
            try:
                if section not in program.names or position < 0:
                    raise IndexError
                part_text(program, section, position)
            except IndexError:
                raise CheckpointError(
                    f"the genealogy is damaged: individual {individual.number} has no place {position} in {section!r}"
                ) from None


def _copies(connection: Connection, number: int) -> list[Ancestor]:
    """An individual, and what it is an unchanged copy of."""
    found = [ancestor(connection, number)]
    while found[-1].operator == CLONE and found[-1].parents:
        found.append(ancestor(connection, found[-1].parents[0]))
    return found
