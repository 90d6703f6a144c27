"""The course of a run as charts: strength in the metric of its game, sizes and diversity, by generation."""

from collections.abc import Sequence

from gpkit.app.findings import unit_of_size
from gpkit.draw.chart import (
    Champion,
    Curves,
    Generation,
    champion_curves,
    diversity_curves,
    size_curves,
    strength_curves,
    training_curves,
)
from gpkit.evolution.history import History

VALIDATED = "champion in validation"


def strength_panels(
    history: History, champions: Sequence[Champion], *, champion: str = VALIDATED
) -> tuple[Curves, ...]:
    """Training and champions on one axis; on axes of their own if other things count in training than in validation.

    ``champion`` says where the champions were measured.
    """
    generations, unit = generations_of(history), unit_of(history)
    if is_guided(history):
        training = training_curves(generations, unit=f"{unit}, weighted")
        return champion_curves(champions, unit=unit, champion=champion), training
    return (strength_curves(generations, champions, unit=unit, champion=champion),)


def size_panels(history: History) -> tuple[Curves, ...]:
    """Sizes in the unit of the language."""
    return (size_curves(generations_of(history), unit=unit_of_size(history)),)


def diversity_panels(history: History) -> tuple[Curves, ...]:
    """The number of different programs in each generation."""
    return (diversity_curves(generations_of(history)),)


def is_guided(history: History) -> bool:
    """Whether more counts in training than the score of the game."""
    guide = history.config.guide
    return guide.grade > 0 or bool(guide.exercises)


def unit_of(history: History) -> str:
    """The unit of strength, in words."""
    words = history.run.metric.name.replace("_", " ")
    if is_guided(history) or not history.config.bloat.penalty:
        return words
    return f"{words} {'less' if history.run.metric.direction > 0 else 'plus'} the price of size"


def generations_of(history: History) -> tuple[Generation, ...]:
    """The generations of a run as curves show them."""
    direction = history.run.metric.direction
    return tuple(
        Generation(
            g.generation,
            direction * g.best,
            direction * g.median,
            g.best_size,
            g.size,
            round(g.diversity * g.individuals),
        )
        for g in history.generations
    )


def validated_champions(history: History) -> tuple[Champion, ...]:
    """The champions of a run with their strength in validation, the last one up to the last generation."""
    direction, plain = history.run.metric.direction, is_guided(history)
    found = [
        Champion(m.generation, direction * (m.score if plain else m.fitness)) for m in history.milestones
    ]
    return to_the_end(found, history)


def to_the_end(champions: Sequence[Champion], history: History) -> tuple[Champion, ...]:
    """The champions, and the last one once more in the last generation."""
    last = history.generations[-1].generation
    if champions[-1].generation < last:
        final = champions[-1]
        champions = [*champions, Champion(last, final.mean, final.low, final.high)]
    return tuple(champions)
