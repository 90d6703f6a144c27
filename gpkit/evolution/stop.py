"""Stop rules: each looks at a state between rounds and gives a reason to stop, or None."""

from collections.abc import Callable
from typing import Any

from gpkit.evolution.config import StopSettings
from gpkit.evolution.search import State

Stop = Callable[[State[Any]], str | None]
"""The reason to stop after this state, in words, or None."""


def after_generations(count: int) -> Stop:
    """Stop at a generation."""
    return lambda state: f"{count} generations" if state.generation >= count else None


def after_evaluations(count: int) -> Stop:
    """Stop when so many individuals have been evaluated."""
    return lambda state: f"{count} evaluations" if state.evaluations >= count else None


def at_fitness(fitness: float) -> Stop:
    """Stop when the champion has a fitness on the conditions of validation."""
    return lambda state: f"fitness {fitness:g} reached" if state.champion.fitness >= fitness else None


def at_stagnation(generations: int) -> Stop:
    """Stop when there has been no new champion for so many generations."""
    reason = f"no new champion for {generations} generations"
    return lambda state: reason if state.generation - state.champion.generation >= generations else None


def first_of(*rules: Stop) -> Stop:
    """Stop when the first of the rules says so."""
    return lambda state: next((reason for rule in rules if (reason := rule(state)) is not None), None)


def stop_of(table: StopSettings) -> Stop:
    """The rules of a configuration."""
    rules: list[Stop] = []
    if table.generations is not None:
        rules.append(after_generations(table.generations))
    if table.evaluations is not None:
        rules.append(after_evaluations(table.evaluations))
    if table.fitness is not None:
        rules.append(at_fitness(table.fitness))
    if table.stagnation is not None:
        rules.append(at_stagnation(table.stagnation))
    return first_of(*rules)
