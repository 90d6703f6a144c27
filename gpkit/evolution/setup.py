"""Parts of a search from the tables of a configuration, whatever its programs do."""

import platform
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.plugins import file_of
from gpkit.core.version import VERSION
from gpkit.core.work_folder import GAME_FILE
from gpkit.evolution.engine import Parameters, Search
from gpkit.evolution.fronts import FrontPlan, plan_of
from gpkit.evolution.individual import Genome
from gpkit.evolution.maps import check_names, grid_of
from gpkit.evolution.problem import Problem, Representation
from gpkit.evolution.schemes import Article, Generational, MapElites, Plus, Scheme, Shares
from gpkit.evolution.search import State
from gpkit.evolution.selection import (
    DoubleTournament,
    Lexicase,
    ParetoTournament,
    Roulette,
    Selector,
    Tournament,
    Truncation,
)
from gpkit.evolution.tables import FrontSettings, SchemeSettings, SelectionSettings, StopSettings, Tables

SELECTORS: Mapping[str, Callable[[SelectionSettings], Selector]] = {
    "tournament": lambda table: Tournament(table.size),
    "double-tournament": lambda table: DoubleTournament(table.size, table.parsimony),
    "truncation": lambda table: Truncation(table.share),
    "roulette": lambda table: Roulette(),
    "lexicase": lambda table: Lexicase(table.tolerance, table.sample),
    "pareto": lambda table: ParetoTournament(),
}
"""Every selector by its name in a configuration."""

SCHEMES: Mapping[str, Callable[[SchemeSettings, Shares, Selector], Scheme]] = {
    "article": lambda table, shares, _: Article(shares, table.mates),
    "generational": lambda table, shares, selector: Generational(shares, selector, table.elites),
    "plus": lambda table, shares, selector: Plus(shares, selector, table.order),
}
"""Every scheme by its name in a configuration, but for the one that fills a map."""

MAP_ELITES = "map-elites"


def search_of(
    config: Tables, problem: Problem[Genome], representation: Representation[Genome]
) -> Search[Genome]:
    """The search of a problem that a configuration describes, without a hall of fame.

    Raises:
        UsageError: an operator that the representation does not have.
    """
    scheme = scheme_of(config, representation)
    parameters = Parameters(config.population.size, scheme, config.bloat, config.scheme.attempts)
    return Search(
        problem,
        representation,
        parameters,
        config.seed,
        config.islands,
        refinement=config.refinement,
        front=front_plan(config),
    )


def front_plan(config: Tables) -> FrontPlan | None:
    """Plan of the front of a run; None where neither its scheme nor its selection weighs objectives.

    Raises:
        UsageError: an objective or a rule that there is not, or objectives that nothing weighs.
    """
    scheme = config.scheme.name
    weighs = scheme == "plus" and (config.scheme.order == "pareto" or config.selection.name == "pareto")
    weighs = weighs or (scheme == "generational" and config.selection.name == "pareto")
    if not weighs and config.front != FrontSettings():
        raise UsageError(
            '[front] is for a run that weighs objectives: add scheme.name = "plus", scheme.order = "pareto" and '
            'selection.name = "pareto"'
        )
    return plan_of(config.front) if weighs else None


def scheme_of(config: Tables, representation: Representation[Any]) -> Scheme:
    """Scheme by which a generation follows from the one before.

    Raises:
        UsageError: an operator that the representation does not have, or a map that is none, or that nothing fills.
    """
    known = representation.operators
    for name in config.operators:
        if name not in known:
            raise UsageError(f"[operators] has no operator `{name}`; {suggestion(name, known)}")
    shares = tuple(config.operators.items())
    if config.scheme.name == MAP_ELITES:
        grid = grid_of(config.map)
        check_names(grid, representation, config.seed)
        return MapElites(shares, grid)
    if config.map:
        raise UsageError(f'[map] is for the scheme "{MAP_ELITES}": add scheme.name = "{MAP_ELITES}"')
    selector = SELECTORS[config.selection.name](config.selection)
    return SCHEMES[config.scheme.name](config.scheme, shares, selector)


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


STOPS: Mapping[str, Callable[[Any], Stop]] = {
    "generations": after_generations,
    "evaluations": after_evaluations,
    "fitness": at_fitness,
    "stagnation": at_stagnation,
}
"""Every stopping rule by its name in a configuration; the first one that holds gives the reason."""


def stop_of(table: StopSettings) -> Stop:
    """The rules of a configuration."""
    values = {name: getattr(table, name) for name in STOPS}
    return first_of(*(STOPS[name](value) for name, value in values.items() if value is not None))


def versions(game: str = "") -> dict[str, str]:
    """The versions of what a run of a game depends on; of the file of a game from outside, its SHA-256."""
    external = file_of(game)
    return {
        **({GAME_FILE: external[1]} if external is not None else {}),
        "gpkit": VERSION,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba")},
    }
