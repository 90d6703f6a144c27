"""Parts of a search from the tables of a configuration, whatever its programs do."""

from collections.abc import Callable
from functools import partial
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.core.work_folder import OWN
from gpkit.evolution.config import Config
from gpkit.evolution.dominance import SOURCES
from gpkit.evolution.fronts import FrontPlan, plan_of
from gpkit.evolution.individual import Genome
from gpkit.evolution.maps import check_names, grid_of
from gpkit.evolution.own_parts import check_takes, own_objective, own_scheme, own_selector, rule_made
from gpkit.evolution.parts import NO_PARTS, Parts, register
from gpkit.evolution.problem import Problem, Representation
from gpkit.evolution.schemes import Article, Generational, MapElites, Plus, Scheme
from gpkit.evolution.search import Parameters, Search, State
from gpkit.evolution.selection import (
    DoubleTournament,
    Lexicase,
    ParetoTournament,
    Roulette,
    Selector,
    Tournament,
    Truncation,
)
from gpkit.evolution.tables import FrontSettings, StopSettings

register("selector", "tournament", lambda table: Tournament(table.size))
register("selector", "double-tournament", lambda table: DoubleTournament(table.size, table.parsimony))
register("selector", "truncation", lambda table: Truncation(table.share))
register("selector", "roulette", lambda table: Roulette())
register("selector", "lexicase", lambda table: Lexicase(table.tolerance, table.sample))
register("selector", "pareto", lambda table: ParetoTournament())

MAP_ELITES = "map-elites"

register("scheme", "article", lambda table, shares, _: Article(shares, table.mates))
register(
    "scheme", "generational", lambda table, shares, selector: Generational(shares, selector, table.elites)
)
register("scheme", "plus", lambda table, shares, selector: Plus(shares, selector, table.order, table.alike))
register("scheme", MAP_ELITES, lambda grid, shares, _: MapElites(shares, grid))  # given its map for the table


def search_of(
    config: Config, problem: Problem[Genome], representation: Representation[Genome], parts: Parts = NO_PARTS
) -> Search[Genome]:
    """The search of a problem that a configuration describes, without a hall of fame.

    Raises:
        UsageError: an operator that the representation does not have.
    """
    scheme = scheme_of(config, representation, parts)
    parameters = Parameters(config.population.size, scheme, config.bloat, config.scheme.attempts)
    return Search(
        problem,
        representation,
        parameters,
        config.seed,
        config.islands,
        refinement=config.refinement,
        front=front_plan(config, parts),
    )


def weighs(config: Config) -> bool:
    """Whether the scheme or the selection of a run weighs objectives."""
    scheme, is_pareto = config.scheme.name, config.selection.name == "pareto"
    return (scheme == "plus" and (config.scheme.order == "pareto" or is_pareto)) or (
        scheme == "generational" and is_pareto
    )


def front_plan(config: Config, parts: Parts = NO_PARTS) -> FrontPlan | None:
    """Plan of the front of a run; None where neither its scheme nor its selection weighs objectives.

    Raises:
        UsageError: an objective or a rule that there is not, or objectives or an order that nothing weighs.
    """
    scheme = config.scheme.name
    if config.scheme.order == "pareto" and scheme != "plus" and not parts.find("scheme", scheme).version:
        raise UsageError(
            f'scheme.order = "pareto" is for the scheme "plus", and this run has "{scheme}": add scheme.name = "plus", '
            'or scheme.order = "fitness"'
        )
    is_weighed = weighs(config)
    if not is_weighed and config.front != FrontSettings():
        raise UsageError(
            '[front] is for a run that weighs objectives: add scheme.name = "plus", scheme.order = "pareto" and '
            'selection.name = "pareto"'
        )
    own = {name: parts.find("objective", name) for name in config.front.objectives if name not in SOURCES}
    for part in own.values():
        check_takes(part.value, part.what, "individual")
    measures = {name: partial(own_objective, part) for name, part in own.items()}
    return plan_of(config.front, measures) if is_weighed else None


def scheme_of(config: Config, representation: Representation[Genome], parts: Parts = NO_PARTS) -> Scheme:
    """Scheme by which a generation follows from the one before.

    Raises:
        UsageError: an operator that the representation does not have, a scheme or selector that there is not, or a map
            that is none, or that nothing fills.
        GuestError: a part from outside that is none.
    """
    known = representation.operators
    for operator in config.operators:
        if operator not in known:
            raise UsageError(f"[operators] has no operator `{operator}`; {suggestion(operator, known)}")
    shares, table = tuple(config.operators.items()), config.selection
    scheme, part = parts.find("scheme", config.scheme.name), parts.find("selector", table.name)
    selector: Selector = own_selector(part, table) if part.version else part.value(table)
    grid = None
    if scheme.name == MAP_ELITES:
        grid = grid_of(config.map)
        check_names(grid, representation, config.seed)
    elif config.map:
        raise UsageError(f'[map] is for the scheme "{MAP_ELITES}": add scheme.name = "{MAP_ELITES}"')
    make = partial(own_scheme, scheme) if scheme.version else scheme.value
    made: Scheme = make(grid or config.scheme, shares, selector)
    return made


def check_parts(config: Config) -> None:
    """Check that a scheme, a selector, an initialiser and rules of the names in a configuration exist.

    Raises:
        UsageError: one does not.
    """
    for kind, name in named_parts(config):
        if kind != "operator":  # which depends on the language
            NO_PARTS.find(kind, name)


def named_parts(config: Config) -> list[tuple[str, str]]:
    """The parts that a configuration names, by kind and name."""
    return [
        *(("operator", name) for name in config.operators),
        ("selector", config.selection.name),
        ("scheme", config.scheme.name),
        ("initialiser", config.population.initialiser),
        *(("stop", name) for name in config.stop.rules),
        *(("callback", name) for name in config.stop.callbacks),
        *(("objective", name) for name in config.front.objectives if name not in SOURCES),
    ]


def own_versions(config: Config, language: str, parts: Parts) -> dict[str, str]:
    """The versions of the parts from outside that a configuration names, by kind and name.

    Raises:
        UsageError: there is no such part.
        GuestError: it is of a distribution that cannot be imported.
    """
    found = {(kind, name): parts.find(kind, name, language).version for kind, name in named_parts(config)}
    return {f"{OWN}{kind} {name}": version for (kind, name), version in found.items() if version}


Stop = Callable[[State[Any]], str | None]
"""The reason to stop after this state, in words, or None."""


def after_generations(count: int) -> Stop:
    """Stop at a generation; a run that has more already says how many."""
    return lambda state: counted(state.generation, "generation") if state.generation >= count else None


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


register("stop", "generations", after_generations)
register("stop", "evaluations", after_evaluations)
register("stop", "fitness", at_fitness)
register("stop", "stagnation", at_stagnation)

RULES = ("generations", "evaluations", "fitness", "stagnation")
"""The keys of [stop] that are rules; others are named in its table ``rules``."""


def stop_of(table: StopSettings, parts: Parts = NO_PARTS) -> Stop:
    """The rules of a configuration; the first one that holds gives the reason.

    Raises:
        UsageError: there is no such rule.
    """
    values = {**{name: getattr(table, name) for name in RULES}, **table.rules}
    named = [(parts.find("stop", name), value) for name, value in values.items() if value is not None]
    return first_of(*(rule_made(part, value) if part.version else part.value(value) for part, value in named))
