"""Runs made from the arguments of ``gpkit.evolve``: their configurations, and the parts that these name."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from gpkit.api.games import name_of
from gpkit.api.problems import Problem, ProgramScorer, built, problem_of_file
from gpkit.api.programs import Program
from gpkit.api.progress import argument, remark
from gpkit.core import plugins
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.core.plugins import SUFFIX
from gpkit.core.registry import language_entry
from gpkit.core.settings import NO_SETTINGS
from gpkit.evolution.config import Config, shipped_presets, there
from gpkit.evolution.config_files import (
    check_evolved,
    evolution_config,
    overridden,
    start_name,
    with_stored_start,
)
from gpkit.evolution.executors import check_sendable
from gpkit.evolution.own_parts import own_rule
from gpkit.evolution.parts import Part, Parts, name_of_part, table_of
from gpkit.evolution.problem_subject import Scorer
from gpkit.evolution.run_folder import reached_generation, read_run
from gpkit.evolution.search import SearchState
from gpkit.evolution.setup import start_text
from gpkit.evolution.subjects import config_from_data, resolve
from gpkit.gamekit.game import Game
from gpkit.playing.named import opponent

StartLike = str | os.PathLike[str] | Program
"""A program to start from: a program value, a file, the folder of a run, or the name of one of the game's programs."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def described(
    what: Any,
    settings: Mapping[str, Any],
    start: StartLike | Sequence[StartLike] = (),
    *,
    seed: int | None = None,
    generations: int | None = None,
    resumed: Path | None = None,
    game: Any = None,
    language: str | None = None,
    workers: object = 1,
    scorer: Scorer | None = None,
    **own: Any,
) -> Any:
    """The run that the arguments of ``gpkit.evolve`` describe.

    Args:
        what, settings, start, seed, generations, game, language, workers: the arguments of ``gpkit.evolve`` with these
            names.
        resumed: the folder of the run to resume; None for a new run.
        scorer: the scorer to use instead of the problem's function.
        own: the user's parts, by the names of the arguments of ``with_parts``.

    Raises:
        UsageError: a file, preset or game does not exist, worker processes cannot import the game or the function, or
            settings contradict each other.
        CheckpointError: the folder is not a run folder, or it is damaged.
        GuestError: the user's file does not exist, or it raises an error.
    """
    problem, file = what if isinstance(what, Problem) else None, ""
    if isinstance(what, str | os.PathLike) and os.fspath(what).endswith(SUFFIX):
        problem = problem_of_file(os.fspath(what))  # imports the file
        file = "" if problem is None else str(Path(what).absolute())
    config, parts = with_parts(_config(problem or what, settings, resumed, name_of(game), language), **own)
    config = overridden(started(config, start), seed, generations)
    if resumed is not None:
        config = with_stored_start(config, resumed)
        reached = None if generations is None else reached_generation(resumed)
        if generations is not None and reached is not None and reached > generations:
            remark(
                f"the run in {resumed} already has {reached} generations, more than {generations}: none is added"
            )
            config = overridden(config, None, reached)
    if scorer is None and problem is not None:
        name = there(config.problem).name
        if problem.table.name != name:
            raise UsageError(
                f"the run is on the problem `{name}`; {file or what} holds `{problem.table.name}`"
            )
        scorer = _scorer(replace(problem, config=config), file, workers)
    if config.game:
        check_evolved(config.game)
        if config.game in plugins.here.made and str(workers) != "1":
            raise UsageError(
                f"{config.game} exists only in this process: put it into a file to evolve with "
                f"{shortened(str(workers))} workers"
            )
    return resolve(config, opponent, parts, scorer).read()


def _scorer(problem: Problem, file: str, workers: object) -> ProgramScorer:
    """The scorer of a problem; ``file`` is the path of the problem's file, empty if there is none.

    Raises:
        UsageError: the problem has no function, or its function cannot be imported by worker processes.
    """
    if problem.score is None:
        raise UsageError(
            f"the problem `{problem.table.name}` has no function that scores programs: pass one to gpkit.problem, or "
            "report the scores to gpkit.search"
        )
    scorer = ProgramScorer(problem, file)
    check_sendable(workers, scorer.evaluate)
    return scorer


def _config(
    what: Any, settings: Mapping[str, object], resumed: Path | None, game: str | None, language: str | None
) -> Config:
    """The configuration that the arguments name; if ``resumed`` is given, the configuration of the run in that folder.

    Raises:
        UsageError: no configuration, game or problem is named, the configuration does not exist or is for another game,
            or the run is a fit.
    """
    stored = None if resumed is None else read_run(resumed)[1]
    is_named = what is None or isinstance(what, str | os.PathLike | Game | Problem)
    if is_named and stored is not None and stored.fit is not None:
        raise UsageError(
            f"the run in {resumed} is a fit; continue it with gpkit fit --resume --out {resumed}"
        )
    if isinstance(what, Problem):
        config = stored if stored is not None and stored.problem is not None else what.config
    elif what is not None and not isinstance(what, str | os.PathLike | Game):
        config = what
    else:
        name = name_of(what) or (game if stored is None else None)
        if name is None and stored is None:
            raise UsageError(
                f"name a configuration file or a preset ({', '.join(shipped_presets())}), a game or a problem, or "
                f"{argument('resume')} with {argument('folder')}"
            )
        same = stored is not None and name in (None, stored.game)
        config = stored if stored is not None and same else evolution_config(str(name))
    if config.game and game not in (None, config.game):
        raise UsageError(f"{argument('game')}: the configuration is for {config.game}, not for {game}")
    if config.game and language is not None and language_entry(language).load().like:
        settings = {"alphabet": language, **settings}
    return config_from_data(settings, config) if settings else config


def started(config: Config, start: StartLike | Sequence[StartLike]) -> Config:
    """The configuration, changed to start from these programs; unchanged if there are none.

    Raises:
        UsageError: a file cannot be read.
        LimitError: a file is too large.
        CheckpointError: the folder of a run is damaged, or has no champion yet.
    """
    texts: dict[str, str] = {}
    game, given = config.game or None, [start] if isinstance(start, str | os.PathLike | Program) else start
    if not given:
        return config
    are_files = not any(isinstance(each, Program) for each in given)  # which are read when the run begins
    for each in given:
        if isinstance(each, Program):
            language, stem, number = each.named.language, PurePath(each.name).stem, 2
            name = f"{stem}{language.suffix}"
            while name in texts:
                name, number = f"{stem}-{number}{language.suffix}", number + 1
            texts[name] = language.print_program(each.named.source.program, each.header)
        else:
            name = start_name(os.fspath(each), game)
            texts[name] = "" if are_files else start_text(name, game)
    names, found = tuple(texts), () if are_files else tuple(texts.values())
    return replace(config, population=replace(config.population, start=names, start_texts=found))


def with_parts(
    config: Config,
    *,
    operators: Mapping[str, object] = NO_SETTINGS,
    selection: object = None,
    scheme: object = None,
    initialiser: object = None,
    stop: Callable[[SearchState[Any]], Any] | None = None,
    callbacks: Sequence[object] = (),
    objectives: Sequence[object] = (),
) -> tuple[Config, Parts]:
    """The configuration, extended by the names of the user's parts, and the parts themselves.

    The arguments are the same as for ``gpkit.evolve``.

    Raises:
        UsageError: a part has no name or has the name of one of gpkit's parts, or an operator has no share.
    """
    given: dict[tuple[str, str], Any] = {}

    def name(kind: str, value: Any, named: str = "") -> str:
        if isinstance(value, str):
            return value
        chosen = named or name_of_part(value)
        if not _NAME.fullmatch(chosen):
            raise UsageError(
                f"{kind} `{chosen}`: its name contains characters other than letters, digits, `_` and `-`; rename it"
            )
        if chosen in table_of(kind, ""):
            raise UsageError(f"the name of your {kind} `{chosen}` is taken; give yours another name")
        given[kind, chosen] = value
        return chosen

    if operators:
        config = replace(config, operators=_shares(config.operators, operators, name))
    places: dict[str, tuple[str, Any]] = {
        "selection": ("name", selection if selection is None else name("selector", selection)),
        "scheme": ("name", scheme if scheme is None else name("scheme", scheme)),
        "population": (
            "initialiser",
            initialiser if initialiser is None else name("initialiser", initialiser),
        ),
        "stop": ("callbacks", tuple(name("callback", each) for each in callbacks)),
        "front": ("objectives", tuple(name("objective", each) for each in objectives)),
    }
    for table, (key, found) in places.items():
        if found:
            config = replace(config, **{table: replace(getattr(config, table), **{key: found})})
    rules = () if stop is None else (own_rule(Part("stop", name_of_part(stop), stop)),)
    return config, Parts(given, rules, built)


def _shares(
    known: Mapping[str, float], operators: Mapping[str, object], name: Callable[[str, Any, str], str]
) -> dict[str, float]:
    """The shares of all operators, including the given ones.

    Raises:
        UsageError: an operator has no share.
    """
    shares = dict(known)
    for each, what in operators.items():
        value, share = what if isinstance(what, tuple) and len(what) == 2 else (each, what)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0.0 <= share < float("inf"):
            raise UsageError(
                f"operators[{each!r}] = {shortened(repr(what))}: expected a function and its share of the children, "
                "such as (mutate, 0.3)"
            )
        shares[name("operator", value, each)] = float(share)
    return shares
