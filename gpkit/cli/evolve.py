"""``gpkit evolve``: programs by evolution, in a folder that survives everything."""

import dataclasses
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import click

from gpkit.app.files import read_text
from gpkit.app.held_out import GAMES_OF_CHAMPION, held_out
from gpkit.app.named import COMPILE_SECONDS, opponent
from gpkit.cli import output
from gpkit.cli.exact_table import tell_exact
from gpkit.cli.options import WholeNumber, json_option, workers_option
from gpkit.cli.progress import Progress, announce_compilation
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.registry import GAMES, find
from gpkit.evolve.config import Config, parse_config
from gpkit.evolve.evolve import evolve, stored_config
from gpkit.evolve.executors import WorkersGoneError
from gpkit.evolve.pools import executor_for
from gpkit.evolve.presets import PRESETS
from gpkit.evolve.run import Result, reached_generation
from gpkit.evolve.run_folder import FINAL, champion_file, is_run
from gpkit.evolve.search import State
from gpkit.evolve.setup import rule_options
from gpkit.evolve.stop import Stop
from gpkit.evolve.summary import Summary
from gpkit.games.game import Game
from gpkit.play.exact import ExactResult

LEARNED = "dots_and_boxes"
"""The game whose programs ``gpkit learn`` finds."""


@click.command(name="evolve")
@click.argument("what", required=False, metavar="[CONFIG.toml | PRESET]")
@click.option("--out", metavar="DIR", help="The folder of the run. Default: runs/NAME-SEED.")
@click.option("--resume", is_flag=True, help="Go on with the run in the folder.")
@click.option("--seed", type=WholeNumber(min=0), help="In place of the configuration's.")
@click.option("--generations", type=WholeNumber(min=0), help="In place of the configuration's.")
@click.option("--time-limit", type=click.FloatRange(min=0.0), metavar="SECONDS", help="Stop after this time.")
@workers_option
@json_option
def command(
    what: str | None,
    out: str | None,
    resume: bool,
    seed: int | None,
    generations: int | None,
    time_limit: float | None,
    workers: str,
    as_json: bool,
) -> int:
    """Evolve programs by a configuration file, or by a preset such as sevens or article.

    The folder holds everything: configuration, checkpoint, genealogy, events, champions as program files. Whatever
    happens, --resume goes on where the checkpoint was, to the same end as without the interruption.
    """
    if what is None and not (resume and out):
        raise UsageError(
            f"name a configuration file or a preset ({', '.join(PRESETS)}), or --resume with --out DIR"
        )
    config = stored_config(Path(out)) if what is None and out else read_config(str(what))
    _check_evolved(config.game)
    config = _overridden(config, seed, generations)
    folder = Path(out) if out else Path("runs") / f"{Path(str(what)).stem}-{config.seed}"
    if resume and generations is not None:
        config = _at_least_reached(config, generations, folder)
    live = Live(config, time_limit)
    try:
        with live.progress, executor_for(workers) as executor:
            result = evolve(
                config,
                executor,
                folder=folder,
                resume=resume,
                stop=live.out_of_time(),
                on_rehearsal=partial(announce_compilation, f"the kernels of {config.game}", COMPILE_SECONDS),
                on_start=partial(output.note, f"evolving for {config.game} in {folder}, seed {config.seed}"),
                on_generation=live.generation,
                opponent=opponent,
                arguments=sys.argv[1:],
            )
    except (KeyboardInterrupt, WorkersGoneError) as stop:
        if not is_run(folder):
            raise
        why = str(stop) or "interrupted"
        output.note(f"{why}; go on with: gpkit evolve --resume --out {folder}")
        return EXIT_INTERRUPTED
    _tell(config, folder, result, as_json)
    return EXIT_OK


def read_config(what: str) -> Config:
    """The configuration that a file holds, or the preset of that name.

    Raises:
        UsageError: neither, or the file is not a valid configuration.
    """
    if what in PRESETS:
        return PRESETS[what]
    _check_evolved(what)
    if is_run(Path(what)):
        raise UsageError(
            f"{what} is the folder of a run; go on with it by gpkit evolve --resume --out {what}"
        )
    if not what.endswith(".toml"):
        raise UsageError(f"`{what}` is neither a .toml file nor a preset; {suggestion(what, PRESETS)}")
    return parse_config(config_text(what, next(iter(PRESETS))), PRESETS, what)


def config_text(path: str, preset: str) -> str:
    """The text of a configuration file, which says something.

    Raises:
        UsageError: it does not, or cannot be read.
    """
    text = read_text(path)
    if not any(line.strip() and not line.strip().startswith("#") for line in text.splitlines()):
        raise UsageError(f"{path} is empty; expected a configuration, such as the line preset = '{preset}'")
    return text


def _check_evolved(game: str) -> None:
    """Check that this is not the game whose programs are learned.

    Raises:
        UsageError: it is.
    """
    if game == LEARNED:
        raise UsageError(f"rules for {game} are not evolved but learned: gpkit learn {game} ours")


def _overridden(config: Config, seed: int | None, generations: int | None) -> Config:
    if seed is not None:
        config = dataclasses.replace(config, seed=seed)
    if generations is not None:
        config = dataclasses.replace(config, stop=dataclasses.replace(config.stop, generations=generations))
    return config


def _at_least_reached(config: Config, generations: int, folder: Path) -> Config:
    """The configuration with as many generations as the run in the folder has, if fewer were asked for."""
    reached = reached_generation(folder)
    if reached is None or reached <= generations:
        return config
    output.note(
        f"the run in {folder} already has {reached} generations, more than {generations}: none is added"
    )
    return _overridden(config, None, reached)


class Live:
    """The line that tells how evolution goes, and the clock."""

    def __init__(self, config: Config, time_limit: float | None) -> None:
        self.progress = Progress()
        game: Game = find(GAMES, config.game, "game").load()
        self._metric = game.metric(game.make_rules(rule_options(config)))
        self._generations = config.stop.generations
        self._time_limit = time_limit
        self._began = time.monotonic()
        self._first_generation: int | None = None
        self._trials = 0

    def out_of_time(self) -> Stop:
        """The stop rule of ``--time-limit``."""
        limit = self._time_limit

        def rule(_state: State[Any]) -> str | None:
            return f"{limit:g} seconds" if limit is not None and self._elapsed() >= limit else None

        return rule

    def generation(self, summary: Summary, state: State[Any]) -> None:
        """Show a new generation."""
        if self._first_generation is None:
            self._first_generation = summary.generation
        self._trials += summary.trials
        speed = f", {self._trials / max(self._elapsed(), 1e-9):,.0f} games/s" if self._trials else ""
        of = f" of {self._generations}" if self._generations is not None else ""
        lost = f", {summary.lost} lost" if summary.lost else ""
        self.progress.update(
            f"generation {summary.generation}{of}: best {summary.best:.4f}, median {summary.median:.4f}, "
            f"champion {self._score(state)} {self._metric.name} (size {state.champion.individual.size}), "
            f"mean size {summary.size:.1f}, {summary.diversity:.0%} distinct{lost}"
            f"{speed}{self._left(summary.generation)}"
        )

    def _score(self, state: State[Any]) -> str:
        """The champion's in the game's metric, which may be one where lower is better."""
        return f"{self._metric.direction * state.champion.score:.4f}"

    def _left(self, generation: int) -> str:
        """The time that is left, as far as the rules tell."""
        seconds = []
        done = generation - (self._first_generation or 0)
        if self._generations is not None and done > 0:
            seconds.append(self._elapsed() / done * (self._generations - generation))
        if self._time_limit is not None:
            seconds.append(self._time_limit - self._elapsed())
        return f", {max(0.0, min(seconds)):.0f} s left" if seconds else ""

    def _elapsed(self) -> float:
        return time.monotonic() - self._began


def _tell(config: Config, folder: Path, result: Result[Any], as_json: bool) -> None:
    """How the run ended, and what its champion does: on deals that the run has not seen, or computed as in the run."""
    individual = result.champion.individual
    table = held_out(config)
    results = table.strengths(individual.genome, GAMES_OF_CHAMPION)
    path = champion_file(folder, FINAL)
    if as_json:
        output.json_object(
            "gpkit/evolve/1",
            seed=config.seed,
            folder=str(folder),
            reason=result.reason,
            generation=result.state.generation,
            evaluations=result.state.evaluations,
            sha256=result.digest,
            champion={"file": str(path), "nodes": individual.size, "generation": result.champion.generation},
            **{table.key: [each.to_json() for each in results]},
        )
        return
    output.note(f"stopped after {result.reason}; the populations have the SHA-256 {result.digest}")
    output.say(read_text(str(path)).rstrip("\n"))
    exact = [r for r in results if isinstance(r, ExactResult)]
    if exact:
        tell_exact(exact)
        return
    columns = ("champion against", results[0].metric.name, "95 % interval", "held-out games")
    rows = [
        (
            r.opponent,
            f"{r.interval.mean:.4f}",
            f"{r.interval.low:.4f} to {r.interval.high:.4f}",
            f"{r.games:,}",
        )
        for r in results
    ]
    output.table(columns, rows, right=columns[1:], leave_out=columns[3:])
