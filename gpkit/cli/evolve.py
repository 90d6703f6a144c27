"""``gpkit evolve``: programs by evolution, in a folder, resumable after a crash."""

import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import click

from gpkit.app.configs import check_evolved, evolution_config, overridden
from gpkit.app.files import read_text
from gpkit.app.held_out import games_of_champion, held_out
from gpkit.app.live import Live
from gpkit.app.named import opponent
from gpkit.cli import output
from gpkit.cli.exact_table import tell_exact
from gpkit.cli.options import WholeNumber, game_option, json_option, meant_game, workers_option
from gpkit.cli.progress import Progress, announce_kernels
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.guests import file_of, told_path
from gpkit.core.work_folder import is_run
from gpkit.evolution.config import Config
from gpkit.evolution.evolve import evolve, stored_config
from gpkit.evolution.executors import WorkersGoneError
from gpkit.evolution.pools import executor_for
from gpkit.evolution.presets import PRESETS
from gpkit.evolution.run import Hooks, Result, reached_generation
from gpkit.evolution.run_folder import FINAL, champion_file
from gpkit.playing.exact import ExactResult


@click.command(name="evolve")
@click.argument("what", required=False, metavar="[CONFIG.toml | PRESET | FILE.py]", callback=meant_game)
@game_option
@click.option("--out", metavar="DIR", help="The folder of the run. Default: runs/NAME-SEED.")
@click.option("--resume", is_flag=True, help="Go on with the run in the folder.")
@click.option("--seed", type=WholeNumber(min=0), help="In place of the configuration's.")
@click.option("--generations", type=WholeNumber(min=0), help="In place of the configuration's.")
@click.option("--time-limit", type=click.FloatRange(min=0.0), metavar="SECONDS", help="Stop after this time.")
@workers_option
@json_option
def command(
    what: str | None,
    game: str | None,
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
    if what is None and not resume:
        what = game
    if what is None and not (resume and out):
        raise UsageError(
            f"name a configuration file or a preset ({', '.join(PRESETS)}), or --resume with --out DIR"
        )
    config = stored_config(Path(out)) if what is None and out else evolution_config(str(what))
    check_evolved(config.game)
    if game not in (None, config.game):
        raise UsageError(f"--game {game}: the configuration is for {config.game}")
    config = overridden(config, seed, generations)
    folder = Path(out) if out else Path("runs") / f"{Path(str(what).replace(':', '-')).stem}-{config.seed}"
    if resume and generations is not None:
        config = _at_least_reached(config, generations, folder)
    progress = Progress()
    live = Live(config, progress.update, time.monotonic, time_limit)
    hooks = Hooks(
        rehearsal=partial(announce_kernels, config.game),
        start=partial(output.note, f"evolving for {config.game} in {folder}, seed {config.seed}"),
        generation=live.generation,
    )
    try:
        with progress, executor_for(workers) as executor:
            result = evolve(
                config,
                executor,
                folder=folder,
                resume=resume,
                stop=live.out_of_time(),
                hooks=hooks,
                opponent=opponent,
                arguments=sys.argv[1:],
            )
    except (KeyboardInterrupt, WorkersGoneError) as stop:
        if not is_run(folder):
            raise
        why = str(stop) or "interrupted"
        brought = file_of(config.game)
        named = f" --game {told_path(brought[0])}" if brought else ""
        output.note(f"{why}; go on with: gpkit evolve --resume --out {folder}{named}")
        return EXIT_INTERRUPTED
    _tell(config, folder, result, as_json)
    return EXIT_OK


def _at_least_reached(config: Config, generations: int, folder: Path) -> Config:
    """The configuration with as many generations as the run in the folder has, if fewer were asked for."""
    reached = reached_generation(folder)
    if reached is None or reached <= generations:
        return config
    output.note(
        f"the run in {folder} already has {reached} generations, more than {generations}: none is added"
    )
    return overridden(config, None, reached)


def _tell(config: Config, folder: Path, result: Result[Any], as_json: bool) -> None:
    """Report the end of a run, and its champion's strength on held-out deals, or computed as in the run."""
    individual = result.champion.individual
    table = held_out(config)
    results = table.strengths(individual.genome, games_of_champion(config.game))
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
