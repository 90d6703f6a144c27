"""Set-up of a run: its subject and its search, made from the tables of its configuration."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any, Generic, Self, TypeVar

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.primitives import Offers
from gpkit.core.registry import language_of, shipped_programs
from gpkit.core.rng import stream
from gpkit.core.version import versions
from gpkit.core.wording import counted
from gpkit.core.work_folder import OWN
from gpkit.data.table import Table
from gpkit.evolution.config import Config
from gpkit.evolution.dominance import SOURCES
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.fronts import FrontPlan, plan_of
from gpkit.evolution.individual import Genome
from gpkit.evolution.maps import check_names, grid_of
from gpkit.evolution.own_parts import (
    check_takes,
    extended,
    own_objective,
    own_scheme,
    own_selector,
    rule_made,
)
from gpkit.evolution.parts import NO_PARTS, Parts, register
from gpkit.evolution.problem import Problem, Representation
from gpkit.evolution.schemes import (
    Article,
    DoubleTournament,
    Generational,
    Lexicase,
    MapElites,
    ParetoTournament,
    Plus,
    Roulette,
    Scheme,
    Selector,
    Tournament,
    Truncation,
)
from gpkit.evolution.search import Parameters, Search, Start, State
from gpkit.evolution.tables import FrontSettings, StopSettings
from gpkit.gamekit.game import Metric
from gpkit.langkit.language import Language, check_source


@dataclass(frozen=True, slots=True)
class Subject(ABC):
    """Subject of a run: a game, a problem or a table, found by the names in its configuration.

    Attributes:
        config: everything that decides the course of the run.
        language: of its programs.
        metric: the unit of strength.
        offers: primitives that the game offers; None on rows, whose columns programs name as they are.
    """

    config: Config
    language: Language
    metric: Metric
    offers: Offers | None

    @property
    @abstractmethod
    def about(self) -> Mapping[str, str]:
        """The name of the game, the problem or the table, by its key in JSON output."""

    @property
    def header(self) -> dict[str, str]:
        """Lines about the run for the header of champion files, except the line with the seed."""
        return dict(self.about)

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions that only this kind of run has: none."""
        return {}

    @property
    @abstractmethod
    def representation(self) -> Representation[Any]:
        """Representation of genomes, by the language.

        Raises:
            UsageError: it refuses its table or the limit of size, or a name that programs cannot say.
        """

    @abstractmethod
    def search(self, run: "Run[Any]") -> Search[Any]:
        """The search of a run with this subject, as ``Run.search`` gives it."""

    def read(self, table: Table | None = None, *, is_lenient: bool = False) -> Self:
        """The subject with its rows, if it is a table; the arguments are those of ``Run.read``."""
        del table, is_lenient
        return self


About = TypeVar("About", bound=Subject)


@dataclass(frozen=True, slots=True)
class Run(Generic[About]):
    """A run of evolution.

    Attributes:
        subject: what the run is about; it holds the configuration.
        own: parts that were given by argument.
    """

    subject: About
    own: Parts = field(default=NO_PARTS, kw_only=True)

    @property
    def config(self) -> Config:
        """Everything that decides the course of the run."""
        return self.subject.config

    @property
    def language(self) -> Language:
        """The language of the programs."""
        return self.subject.language

    @property
    def metric(self) -> Metric:
        """The unit of strength."""
        return self.subject.metric

    @property
    def header(self) -> dict[str, str]:
        """Header of champion files, on their run."""
        return {**self.subject.header, "seed": str(self.config.seed)}

    @property
    def versions(self) -> dict[str, str]:
        """The versions of what the run depends on; of the file of a game, and of parts, from outside the SHA-256."""
        language, named = self.language.name, named_parts(self.config)
        found = {(kind, name): self.own.find(kind, name, language).version for kind, name in named}
        own = {f"{OWN}{kind} {name}": version for (kind, name), version in found.items() if version}
        return {**versions(self.config.game), **own, **self.subject.versions}

    def read(self, table: Table | None = None, *, is_lenient: bool = False) -> Self:
        """The run with its rows, if it has a table; its configuration then has the task and the SHA-256 of the rows.

        Args:
            table: in memory, instead of the file.
            is_lenient: whether numbers that are all equal may be predicted, from columns that are so, too.

        Raises:
            UsageError: the table cannot be read, lacks a column, has no rows to learn from or only one class, or is
                another one than the run was begun with.
        """
        return replace(self, subject=self.subject.read(table, is_lenient=is_lenient))

    def search(self) -> Search[Any]:
        """The search that the configuration describes: the subject makes its problem, and then calls ``search_for``.

        Raises:
            UsageError: an unknown operator or opponent, limits that leave no room for a program, or a program to start
                from that is none of this run.
            SourceError: such a program has an error.
        """
        return self.subject.search(self)

    def search_for(self, problem: Problem[Any], config: Config | None = None) -> Search[Any]:
        """The search for programs that solve a problem, set up by the run's configuration or by another one.

        Raises:
            UsageError, SourceError: as for ``search``.
        """
        config, space, language = config or self.config, self.subject.representation, self.language
        start = start_of(config, space, language, self.subject.offers, self._source)
        widened = extended(space, config, self.own, language)
        scheme = scheme_of(config, widened, self.own)
        return Search(
            problem,
            widened,
            Parameters(config.population.size, scheme, config.bloat, config.scheme.attempts),
            config.seed,
            config.islands,
            refinement=config.refinement,
            front=front_plan(config, self.own),
            start=start,
        )

    def rehearse(self, search: Search[Any]) -> None:
        """Evaluate a random program on a small version of the problem, if the problem has one.

        Raises:
            UsageError: opponents, dialect or rules do not go together.
        """
        problem = getattr(search.problem, "rehearsal", None)
        if problem is not None:
            genome = search.representation.create(stream(search.seed, "create", 0), 0)
            problem.evaluate([genome], 0, 0, SerialExecutor())

    def program(self, text: str, name: str) -> Any:
        """The program of a text that is stored with the run, called ``name`` in messages.

        Raises:
            SourceError: the text is not a program, or one of another game.
            LimitError: it is too large.
        """
        return self._source(text, name).program

    def _source(self, text: str, name: str) -> Any:
        source = self.language.parse(text, name)
        check_source(self.language, source, self.subject.offers)
        return source


# Schemes and fronts.

MAP_ELITES = "map-elites"


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
    return make(grid or config.scheme, shares, selector)


# Parts by name.


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


# Programs to start from.

KEY = "population.start"
"""The key of the programs, as messages say it."""


def with_texts(config: Config) -> Config:
    """The configuration with the texts of the programs that it starts from.

    Args:
        config: of a run; programs whose texts it has are not read again.

    Raises:
        UsageError: a file cannot be read, or there are more programs than individuals.
        LimitError: it is too large.
    """
    table = config.population
    if len(table.start) > table.size:
        raise UsageError(
            f"{KEY} names {len(table.start)} programs, more than population.size = {table.size:,}"
        )
    if len(table.start_texts) == len(table.start):
        return config
    if table.start_texts:
        raise UsageError(
            f"population.start_texts has {len(table.start_texts)} texts for {len(table.start)} programs"
        )
    texts = tuple(start_text(name, config.game or None) for name in table.start)
    return replace(config, population=replace(table, start_texts=texts))


def start_text(name: str, game: str | None) -> str:
    """The text of a program to start from: the game's of this name, or a file.

    Raises:
        UsageError: the file cannot be read, or it is a name, and the game has no such program.
        LimitError: it is too large.
    """
    path = _path(name, game)
    if game is None and not PurePath(path).suffix and not Path(path).exists():
        raise UsageError(
            f"there is no file {name}; expected a program file such as mine.tree, or in Python "
            f"gpkit.parse({name!r})"
        )
    if game is not None and not PurePath(path).suffix and not Path(path).exists():
        known = sorted(shipped_programs(game))
        raise UsageError(
            f"{KEY}: {game} has no program `{name}` (or give a program file); {suggestion(name, known)}"
        )
    return read_text(path)


def _path(name: str, game: str | None) -> str:
    """The path of a program of the game by its name, or of a file."""
    return str(shipped_programs(game).get(name, name) if game is not None else name)


def start_of(
    config: Config,
    space: Representation[Genome],
    language: Language,
    offers: Offers | None,
    read: Callable[[str, str], Any],
) -> Start[Genome]:
    """The first generation of a run.

    Args:
        config: of the run, with the texts of its programs.
        space: what genomes are.
        language: of its programs.
        offers: of its game; None for a table.
        read: gives the source of a text and a name, which has no error for the game.

    Raises:
        SourceError: a text is no program, or one with an error for the game.
        UsageError: a program is of another language or game, uses a word that the alphabet or the rows do not have, is
            meant in another dialect, or breaks the limits.
        LimitError: a text is too large.
    """
    table, programs = config.population, []
    for name, text in zip(table.start, table.start_texts, strict=True):
        path = PurePath(_path(name, config.game or None))
        if path.suffix and path.suffix != language.suffix:
            raise UsageError(
                f"{KEY}: {name} is in {language_of(path.name).name}; this run evolves programs in {language.name} "
                f"({language.suffix})"
            )
        _check_header(name, read(text, name).header, config, language, offers)
        try:
            genome = space.parse(text)
        except UsageError as error:
            alphabet = config.alphabet
            more = (
                f" (the alphabet is {alphabet}; `{alphabet}+WORD` is the one with another word of the game)"
            )
            raise UsageError(f"{KEY}: {name}: {error}{more if alphabet else ''}") from None
        if not space.admits(genome):
            raise UsageError(
                f"{KEY}: {name} has the size {space.size(genome)} and breaks the limits of this run: "
                "raise those of [limits] or [representation]"
            )
        programs.append((name, genome))
    operators = tuple(config.operators.items())
    return Start(tuple(programs), table.start_share, table.mutant_share, operators, config.scheme.attempts)


def _check_header(
    name: str,
    header: Mapping[str, str],
    config: Config,
    language: Language,
    offers: Offers | None,
) -> None:
    """Check that the header of a program says nothing else than the run.

    Raises:
        UsageError: it is one for another game, or meant in another dialect.
    """
    game = config.game
    meant = header.get("game", game)
    if game and meant != game:
        raise UsageError(f"{KEY}: {name} is a program for {meant}; this run is for {game}")
    if not game or offers is None or not language.switches:
        return
    switches = (*language.switches, *offers[language.name].switches)
    for key, default in {"dialect": "", **{each.name: each.values[0] for each in switches}}.items():
        own = config.dialect.get(key, default)
        if header.get(key, own) != own:
            raise UsageError(
                f"{KEY}: {name} says `{key}: {header[key]}`, and this run {f'`{key}: {own}`' if own else 'does not'}; "
                "set it in [representation.dialect]"
            )


# The end.

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


RULES = {
    "generations": after_generations,
    "evaluations": after_evaluations,
    "fitness": at_fitness,
    "stagnation": at_stagnation,
}
"""The keys of [stop] that are rules; others are named in its table ``rules``."""

SHIPPED: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "selector": {
        "tournament": lambda table: Tournament(table.size),
        "double-tournament": lambda table: DoubleTournament(table.size, table.parsimony),
        "truncation": lambda table: Truncation(table.share),
        "roulette": lambda table: Roulette(),
        "lexicase": lambda table: Lexicase(table.tolerance, table.sample),
        "pareto": lambda table: ParetoTournament(),
    },
    "scheme": {
        "article": lambda table, shares, _: Article(shares, table.mates),
        "generational": lambda table, shares, selector: Generational(shares, selector, table.elites),
        "plus": lambda table, shares, selector: Plus(shares, selector, table.order, table.alike),
        MAP_ELITES: lambda grid, shares, _: MapElites(shares, grid),  # given its map for the table
    },
    "stop": RULES,
}
"""Selectors, schemes and rules of gpkit, by kind and name."""

for _kind, _parts in SHIPPED.items():
    for _name, _value in _parts.items():
        register(_kind, _name, _value)


def stop_of(table: StopSettings, parts: Parts = NO_PARTS) -> Stop:
    """The rules of a configuration; the first one that holds gives the reason.

    Raises:
        UsageError: there is no such rule.
    """
    values = {**{name: getattr(table, name) for name in RULES}, **table.rules}
    named = [(parts.find("stop", name), value) for name, value in values.items() if value is not None]
    return first_of(*(rule_made(part, value) if part.version else part.value(value) for part, value in named))
