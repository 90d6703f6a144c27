"""``gpkit evolve``: programs by evolution, in a folder, resumable after a crash."""

import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from gpkit.analysis.evaluation import CLOSING, closing_table
from gpkit.api.problems import ProgramScorer, built, problem_in
from gpkit.app.configs import (
    check_evolved,
    evolution_config,
    overridden,
    started,
    with_stored_start,
)
from gpkit.cli import output
from gpkit.cli.matches import tell_strengths
from gpkit.cli.options import WholeNumber, game_option, json_option, workers_option
from gpkit.cli.output import announce_kernels, progress
from gpkit.cli.watched import watched_run
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.neighbours import SUFFIX
from gpkit.core.plugins import file_of, shown_path
from gpkit.core.registry import name_game
from gpkit.core.timeouts import TimeUp, limited
from gpkit.evolution.config import Config, there
from gpkit.evolution.parts import Parts
from gpkit.evolution.presets import shipped_presets
from gpkit.evolution.run_folder import (
    FINAL,
    RunResult,
    champion_file,
    champion_header,
    reached_generation,
    read_run,
)
from gpkit.evolution.search import Hooks, ignore
from gpkit.evolution.setup import Run
from gpkit.evolution.subjects import MOVED, resolve
from gpkit.playing.named import opponent


def _meant(what: str) -> str:
    """The file of a problem of one's own, or the name of a game that was named; the file is imported now.

    Raises:
        GuestError: the file is neither a problem nor a game.
    """
    return what if what.endswith(SUFFIX) and problem_in(what) is not None else name_game(what)


def _refuse_rows(_word: str) -> None:
    """Say where evolution on rows is.

    Raises:
        UsageError: always.
    """
    raise UsageError(MOVED)


@click.command(name="evolve")
@click.argument("what", required=False, metavar="[CONFIG.toml | PRESET | FILE.py]", type=_meant)
@game_option
@click.option("--data", "--target", "--words", hidden=True, expose_value=False, type=_refuse_rows)
@click.option(
    "--start",
    metavar="PROGRAM",
    multiple=True,
    help="A program to start from: a file, a run, or the name of a shipped one. May be repeated.",
)
@click.option("--out", metavar="DIR", help="The folder of the run. Default: runs/NAME-SEED.")
@click.option("--resume", is_flag=True, help="Resume the run in the folder.")
@click.option("--seed", type=WholeNumber(min=0), help="Overrides the configuration.")
@click.option("--generations", type=WholeNumber(min=0), help="Overrides the configuration.")
@click.option("--time-limit", type=click.FloatRange(min=0.0), metavar="SECONDS", help="End by then.")
@workers_option
@json_option
def command(
    what: str | None,
    game: str | None,
    start: tuple[str, ...],
    out: str | None,
    resume: bool,
    seed: int | None,
    generations: int | None,
    time_limit: float | None,
    workers: str,
    as_json: bool,
) -> int:
    """Evolve programs from a configuration file or a preset such as sevens or article, or for a game or a problem of
    your own in a file.

    The folder holds everything: configuration, checkpoint, genealogy, events, champions as program files.
    After an interruption, --resume continues from the checkpoint, with the same result as an uninterrupted
    run.
    """
    if what is None and not resume:
        what = game
    config = started(_asked_for(what, game, out if resume else None), start)
    if seed is not None or generations is not None:
        config = overridden(config, seed, generations)
    folder = Path(out) if out else Path("runs") / f"{Path(str(what).replace(':', '-')).stem}-{config.seed}"
    if resume:
        config = with_stored_start(config, folder)
    if resume and generations is not None:
        config = _at_least_reached(config, generations, folder)
    game = config.game
    if not game:
        run, about, again = _on_problem(config, what), "for the problem {problem}", f"{what} --resume"
    else:
        run, about, again = resolve(config, opponent), "for {game}", "--resume"
    result, left = watched_run(
        replace(run, own=Parts(wrap=built)),
        folder,
        Hooks(
            rehearsal=partial(announce_kernels, game) if game else ignore,
            start=partial(
                output.note, f"evolving {about.format(**run.subject.about)} in {folder}, seed {config.seed}"
            ),
        ),
        limit=time_limit,
        workers=workers,
        resume=resume,
        again=f"gpkit evolve {again} --out {folder}{_named_game(game)}",
        closing=min(CLOSING, (time_limit or 0.0) / 10.0) if game else 0.0,
    )
    if result is None:
        return EXIT_INTERRUPTED
    _tell(run, folder, result, left, as_json=as_json)
    return EXIT_OK


def _asked_for(what: str | None, game: str | None, resumed: str | None) -> Config:
    """The configuration of a file, a preset or a problem; of a run that is resumed, that in its folder.

    Raises:
        UsageError: neither was named, it is for a game that is not evolved, or for another one.
    """
    if what is None and resumed is None:
        names = ", ".join(shipped_presets())
        raise UsageError(f"name a configuration file or a preset ({names}), or --resume with --out DIR")
    problem = problem_in(what) if what is not None and what.endswith(SUFFIX) else None
    if what is None or (problem is not None and resumed is not None):
        config = read_run(Path(str(resumed)))[1]
    else:
        config = evolution_config(what) if problem is None else problem.config
    if config.fit is not None:
        raise UsageError(
            f"the run in {resumed} is a fit; continue it with gpkit fit --resume --out {resumed}"
        )
    if not config.game:
        return config
    check_evolved(config.game)
    if game not in (None, config.game):
        raise UsageError(f"--game {game}: the configuration is for {config.game}")
    return config


def _on_problem(config: Config, file: str | None) -> Run[Any]:
    """The run on the problem of a file.

    Raises:
        UsageError: nobody named the file, or the run is on another problem.
    """
    problem = None if file is None else problem_in(file)
    if file is None or problem is None:
        return resolve(config)
    name = there(config.problem).name
    if problem.table.name != name:
        raise UsageError(f"the run is on the problem `{name}`; {file} holds `{problem.table.name}`")
    scorer = ProgramScorer(replace(problem, config=config), str(Path(file).absolute()))
    return resolve(config, scorer=scorer)


def _named_game(game: str) -> str:
    """The option that names a game from elsewhere again; empty for one of the package, and without a game."""
    external = file_of(game)
    return f" --game {shown_path(external[0])}" if external else ""


def _at_least_reached(config: Config, generations: int, folder: Path) -> Config:
    """The configuration with as many generations as the run in the folder has, if fewer were asked for."""
    reached = reached_generation(folder)
    if reached is None or reached <= generations:
        return config
    output.note(
        f"the run in {folder} already has {reached} generations, more than {generations}: none is added"
    )
    return overridden(config, None, reached)


def _tell(
    run: Run[Any], folder: Path, result: RunResult[Any], seconds: float | None, *, as_json: bool
) -> None:
    """Report the end of a run, and its champion's strength where it was not evolved, or computed as in the run.

    It is not measured where that takes longer than so many seconds.
    """
    individual, path, table = result.champion.individual, champion_file(folder, FINAL), None
    results: Any = ()
    key = "held_out"
    with suppress(TimeUp), progress() as show, limited(seconds):
        if run.config.game:
            closing = (run, str(path), individual.genome, show, time.monotonic, seconds)
            key, results, table = closing_table(*closing)
    if as_json:
        output.json_object(
            "gpkit/evolve/1",
            seed=run.config.seed,
            folder=str(folder),
            reason=result.reason,
            generation=result.state.generation,
            evaluations=result.state.evaluations,
            sha256=result.digest,
            champion={
                "file": str(path),
                "nodes": individual.size,
                "generation": result.champion.generation,
                "score": result.champion.score,
            },
            **{key: [each.to_json() for each in results]},
            **({} if table is None else {"table": table.to_json()}),
        )
        return
    output.note(f"stopped after {result.reason}; SHA-256 of the populations: {result.digest}")
    header = champion_header(result.champion, run.header)
    output.say(run.subject.representation.print(individual.genome, header).rstrip("\n"))
    if not run.config.game:
        output.note(f"score of the champion: {result.champion.score:.6g}")
    elif table is None:
        output.note(f"timed out before its strength was measured: gpkit run {path} --ladder")
    else:
        tell_strengths(results, table)
        again = f"gpkit run {path}{_named_game(table.game)} --ladder"
        output.note(f"trained on: {table.trained}; the whole table: {again}")
    subject = run.subject
    if table is not None and run.metric.lower_is_better and subject.game.seatings(subject.rules) > 1:
        output.note(
            f"in the program, `fitness` and `score` are {run.metric.name} with a minus sign, so that higher is better"
        )
