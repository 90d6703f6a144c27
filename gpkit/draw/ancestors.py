"""The ancestry of a champion as pictures and tables show it."""

from typing import Any

from gpkit.core.diagnostics import shortened
from gpkit.draw.lineage import Record, lineage
from gpkit.draw.programs import picture_of_change
from gpkit.draw.report import DescentRow
from gpkit.evolution import history
from gpkit.evolution.config import evolved
from gpkit.evolution.history import REFINED, Ancestry, Descent
from gpkit.evolution.individual import STRIDE
from gpkit.langkit.language import Language


def name_of(individual: history.Ancestor) -> str:
    """Name of an individual: ``champion`` if it is the refined one, which has no number of its own."""
    return "champion" if individual.operator == REFINED else short_name(individual.number)


def short_name(number: int) -> str:
    """The number of an individual as generation and index.

    >>> short_name(20_000_098)
    '20.98'
    """
    return "{}.{}".format(*divmod(number, STRIDE))


def program_of(individual: history.Ancestor, language: Language) -> Any:
    """The program of an individual.

    Raises:
        SourceError: the genealogy is damaged.
    """
    return language.parse(individual.program, f"individual {individual.number}").program


def drawn_ancestors(ancestry: Ancestry) -> tuple[Record, ...]:
    """The champion, its first parents and their mates, for ``lineage_dot`` and ``lineage_text``."""
    records = [
        Record(
            name_of(individual),
            tuple(map(short_name, individual.parents)),
            individual.operator,
            individual.generation,
            individual.fitness,
        )
        for individual in (*ancestry.line, *ancestry.mates)
    ]
    return lineage(records, records[0].name)


def descent_row(descent: Descent, language: Language) -> DescentRow:
    """A change as a row of a table."""
    child = descent.child
    program, form = program_of(child, language), evolved(language.name)
    lived = dict.fromkeys((child.generation, descent.until))
    return DescentRow(
        generations="\N{EN DASH}".join(map(str, lived)),
        name=name_of(child),
        operator=child.operator,
        places="; ".join(form.place_text(*place) for place in child.places),
        formulas="; ".join(shortened(form.part_text(program, *place)) for place in child.places),
        parents=", ".join(map(short_name, child.parents)),
        size=len(program),
        fitness=child.fitness,
    )


def change_title(descent: Descent) -> str:
    """A change in a few words, or nothing for a random program, which was made from nothing."""
    child, parent = descent.child, descent.parent
    if parent is None:
        return ""
    return (
        f"generation {child.generation}, {child.operator}: fitness {parent.fitness:.4f} → {child.fitness:.4f}"
    )


def change_dot(descent: Descent, language: Language) -> str:
    """The picture of a change as DOT text."""
    assert descent.parent is not None
    parent, child = program_of(descent.parent, language), program_of(descent.child, language)
    return picture_of_change(parent, child).dot
