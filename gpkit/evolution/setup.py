"""The setup of a run: its subject and its search, made from the tables of its configuration."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Self

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.plugins import shown_path
from gpkit.core.primitives import Offers
from gpkit.core.registry import language_of, shipped_programs
from gpkit.core.wording import counted
from gpkit.core.work_folder import OWN, versions
from gpkit.evolution.config import Config, FrontSettings, StopSettings
from gpkit.evolution.fronts import SOURCES, FrontPlan, plan_of
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
from gpkit.evolution.problem import Genome, Problem, Representation
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
from gpkit.evolution.search import Parameters, Search, SearchState, Start
from gpkit.gamekit.game import Metric
from gpkit.langkit.foreign import Foreign
from gpkit.langkit.language import Language, check_source
from gpkit.langkit.operators import foreign_among

if TYPE_CHECKING:
    from gpkit.data.table import Table


@dataclass(frozen=True, slots=True)
class Subject(ABC):
    """The subject of a run: a game, a problem or a table, found by the names in its configuration.

    Attributes:
        config: everything that determines the run.
        language: the language of its programs.
        metric: the metric that measures strength.
        offers: the primitives that the game offers; None for a table, because programs use the names of its columns.
        own: parts passed as arguments.
    """

    config: Config
    language: Language
    metric: Metric
    offers: Offers | None
    own: Parts = field(default=NO_PARTS, kw_only=True)

    @property
    @abstractmethod
    def about(self) -> Mapping[str, str]:
        """The name of the game, the problem or the table, by its key in JSON output."""

    @property
    def _lines(self) -> Mapping[str, str]:
        """Lines about the subject for the header of champion files."""
        return self.about

    @property
    def header(self) -> dict[str, str]:
        """The header of champion files, with lines about their run."""
        files = dict.fromkeys(shown_path(each.file) for each in self._foreign if each.file)
        own = {"primitives": " ".join(files)} if files else {}
        return {**self._lines, **own, "seed": str(self.config.seed)}

    @property
    def _foreign(self) -> tuple[Foreign, ...]:
        """The Python functions that formulas can call."""
        table = self.config.problem or self.config.fit
        return () if table is None else foreign_among(table.operators)

    @property
    def _versions(self) -> Mapping[str, str]:
        """The versions that are specific to this kind of subject."""
        return {}

    @property
    def versions(self) -> dict[str, str]:
        """The versions of everything that the run depends on, with SHA-256 hashes for external parts and game files."""
        language, named = self.language.name, named_parts(self.config)
        found = {(kind, name): self.own.find(kind, name, language).version for kind, name in named}
        own = {f"{OWN}{kind} {name}": version for (kind, name), version in found.items() if version}
        own |= {f"{OWN}primitive {each}": each.sha256 for each in self._foreign}
        return {**versions(self.config.game), **own, **self._versions}

    @property
    @abstractmethod
    def representation(self) -> Representation[Any]:
        """The representation of genomes, chosen by the language.

        Raises:
            UsageError: the table [representation] or the size limit is not valid, or the language cannot write a name.
        """

    @abstractmethod
    def search(self) -> Search[Any]:
        """The search that the configuration describes; the subject makes its problem and then calls ``search_for``.

        Raises:
            UsageError: an operator or an opponent is unknown, the limits leave no room for a program, or a program to
                start from does not fit this run.
            SourceError: a program to start from has an error.
        """

    def search_for(self, problem: Problem[object], config: Config | None = None) -> Search[Any]:
        """The search for programs that solve a problem, set up by the run's configuration or another one.

        Raises:
            UsageError, SourceError: in the same cases as for ``search``.
        """
        config, space, language = config or self.config, self.representation, self.language
        start = start_of(config, space, language, self.offers, self._source)
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

    def read(self, table: "Table | None" = None, *, is_lenient: bool = False) -> Self:
        """The subject with its rows, if it has a table; its configuration then includes the task and the rows' SHA-256.

        Args:
            table: a table in memory, instead of the file.
            is_lenient: whether all targets, or all values of a column, may be equal.

        Raises:
            UsageError: the table cannot be read, lacks a column, has no rows to learn from or only one class, or is not
                the table that the run started with.
        """
        del table, is_lenient
        return self

    def program(self, text: str, name: str) -> Any:
        """Parse the text of a program that is stored with the run; messages refer to it by ``name``.

        Raises:
            SourceError: the text is not a program, or it is for another game.
            LimitError: the text is too large.
        """
        return self._source(text, name).program

    def _source(self, text: str, name: str) -> Any:
        source = self.language.parse(text, name)
        check_source(self.language, source, self.offers)
        return source


# Schemes and fronts.

MAP_ELITES = "map-elites"


def weighs(config: Config) -> bool:
    """Whether the scheme or the selection of a run uses several objectives."""
    scheme, is_pareto = config.scheme.name, config.selection.name == "pareto"
    return (scheme == "plus" and (config.scheme.order == "pareto" or is_pareto)) or (
        scheme == "generational" and is_pareto
    )


def front_plan(config: Config, parts: Parts = NO_PARTS) -> FrontPlan | None:
    """The plan of a run's front; None if neither its scheme nor its selection uses several objectives.

    Raises:
        UsageError: an objective or a rule does not exist, or the run does not use the objectives or the order that it
            sets.
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
    """The scheme that makes each generation from the previous one.

    Raises:
        UsageError: the representation does not have an operator, a scheme or selector does not exist, or a map is not
            valid or cannot be filled.
        GuestError: an external part is not valid.
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
    """Check that the scheme, selector, initialiser and rules in a configuration exist.

    Raises:
        UsageError: one of them does not exist.
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
"""The configuration key of the start programs, in the form that messages show."""


def with_texts(config: Config) -> Config:
    """The configuration, with the source text of the programs that it starts from.

    Args:
        config: the configuration of a run; texts that it already has are not read again.

    Raises:
        UsageError: a file cannot be read, or there are more programs than individuals.
        LimitError: a file is too large.
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
    """The text of a program to start from: the game's program with this name, or a file.

    Raises:
        UsageError: the file cannot be read, or the game has no program with this name.
        LimitError: the file is too large.
    """
    path = _path(name, game)
    if PurePath(path).suffix or Path(path).exists():
        return read_text(path)
    if game is None:
        raise UsageError(
            f"there is no file {name}; expected a program file such as mine.tree, or in Python "
            f"gpkit.parse({name!r})"
        )
    fix = suggestion(name, sorted(shipped_programs(game)))
    raise UsageError(f"{KEY}: {game} has no program `{name}` (or give a program file); {fix}")


def _path(name: str, game: str | None) -> str:
    """The path of the game's program with this name, or of a file."""
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
        config: the configuration of the run, with the texts of its programs.
        space: the representation of genomes.
        language: the language of its programs.
        offers: the primitives of its game; None for a table.
        read: parses the text of a program, given a name for messages, and checks the program for the game.

    Raises:
        SourceError: a text is not a program, or has an error for the game.
        UsageError: a program has another language, game or dialect, uses a word that the alphabet or the rows do not
            have, or breaks the limits.
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
                "raise the limits in [limits] or [representation]"
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
    """Check that a program's header does not contradict the run.

    Raises:
        UsageError: the program is for another game, or in another dialect.
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

Stop = Callable[[SearchState[Any]], str | None]
"""A function that returns the reason to stop after a state, as a string, or None."""


def after_generations(count: int) -> Stop:
    """Stop at a generation; a run that is already past this generation reports its own generation number."""
    return lambda state: counted(state.generation, "generation") if state.generation >= count else None


def first_of(*rules: Stop) -> Stop:
    """Stop as soon as one of the rules returns a reason; the first reason counts."""
    return lambda state: next((reason for rule in rules if (reason := rule(state)) is not None), None)


RULES: Mapping[str, Callable[[Any], Stop]] = {
    "generations": after_generations,
    "evaluations": lambda count: lambda state: f"{count} evaluations" if state.evaluations >= count else None,
    "fitness": lambda least: (
        lambda state: f"fitness {least:g} reached" if state.champion.fitness >= least else None
    ),
    "stagnation": lambda count: (
        lambda state: (
            f"no new champion for {count} generations"
            if state.generation - state.champion.generation >= count
            else None
        )
    ),
}
"""The keys of [stop] that are rules; its table ``rules`` names further rules."""

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
"""The selectors, schemes and stopping rules of gpkit, by kind and name."""

for _kind, _parts in SHIPPED.items():
    for _name, _value in _parts.items():
        register(_kind, _name, _value)


def stop_of(table: StopSettings, parts: Parts = NO_PARTS) -> Stop:
    """The stopping rules of a configuration; the first rule that applies gives the reason.

    Raises:
        UsageError: there is no such rule.
    """
    values = {**{name: getattr(table, name) for name in RULES}, **table.rules}
    named = [(parts.find("stop", name), value) for name, value in values.items() if value is not None]
    return first_of(*(rule_made(part, value) if part.version else part.value(value) for part, value in named))
