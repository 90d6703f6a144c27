"""``gpkit learn``: rules that are learned from games while they are played."""

import json
import time
from dataclasses import replace
from pathlib import Path

import click

from gpkit.agents.dots_and_boxes.config import Config, parse_config, print_config
from gpkit.agents.dots_and_boxes.curves import Point, learn, marks
from gpkit.agents.dots_and_boxes.exact import greedy
from gpkit.agents.dots_and_boxes.learner import RULES, Learner
from gpkit.agents.dots_and_boxes.presets import PRESETS
from gpkit.cli import output
from gpkit.cli.files import read_text, write_atomic
from gpkit.cli.matches import COMPILE_SECONDS
from gpkit.cli.options import json_option
from gpkit.cli.progress import Progress, announce_compilation
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.draw.chart import WIDE, Series, chart
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.printer import print_program

GAME = "dots_and_boxes"
"""The game whose rules can be learned."""

SCHEMA = "gpkit/learn/1"
CONFIG, POPULATION, BEST = "config.toml", "population.rules", "best.rules"
CURVES, CHART = "curves.json", "curves.svg"
FILES = (CONFIG, POPULATION, BEST, CURVES, CHART)


@click.command(name="learn")
@click.argument("game", metavar="GAME")
@click.argument("what", metavar="CONFIG.toml | PRESET")
@click.option("--seed", type=click.IntRange(min=0), help="In place of the configuration's.")
@click.option("--games", type=click.IntRange(min=1), help="In place of the configuration's.")
@click.option("-o", "--out", metavar="DIR", help="A new folder for configuration, rules and curves.")
@json_option
def command(
    game: str, what: str, seed: int | None, games: int | None, out: str | None, as_json: bool
) -> None:
    """Learn rules for GAME (dots_and_boxes) from games against an opponent.

    The presets constant, rising-20, rising-10, quality-only and combined are the runs of A. Knittel and others; ours is
    what plays best, short a list of 21 rules, and memoriser has whole positions for rules. Rules are written in the
    order of their learned quality, so that the first that matches acts: those at the end, and those of the point of the
    curve at which they were best.
    """
    if game != GAME:
        raise UsageError(f"there is no learner for `{game}`; {suggestion(game, [GAME])}")
    config = read_config(what)
    config = replace(config, seed=config.seed if seed is None else seed)
    config = replace(config, games=config.games if games is None else games)
    folder = None if out is None else _new_folder(Path(out))
    announce_compilation("the kernels of the learner", COMPILE_SECONDS)
    output.note(f"learning against {config.opponent}, {config.games:,} games, seed {config.seed}")
    began = time.perf_counter()
    learner = Learner(config)
    best: list[tuple[Point, RuleList]] = []

    def report(point: Point) -> None:
        progress.update(_line(point))
        if not best or point.greedy > best[-1][0].greedy:
            best.append((point, learner.rules.as_list()))

    with Progress() as progress:
        points = learn(learner, marks(config.games), report)
    seconds = time.perf_counter() - began
    rate = greedy(learner, config.opponent).result.rate
    fields = {
        "game": game,
        "opponent": config.opponent,
        "seed": config.seed,
        "games": learner.games,
        "greedy": rate,
        "best": best[-1][0].greedy,
        "rules": len(learner.rules),
    }
    if folder is not None:
        _write(folder, learner, points, fields, *best[-1])
    if as_json:
        output.json_object(SCHEMA, seconds=seconds, **fields, points=[point.to_json() for point in points])
    else:
        _print(points)
        output.say(
            f"exact win rate of the greedy player against {config.opponent}: {rate:.4f}; "
            f"best {best[-1][0].greedy:.4f} after {best[-1][0].games:,} games"
        )


def read_config(what: str) -> Config:
    """The configuration that a file holds, or the preset of that name.

    Raises:
        UsageError: neither, or the file is not a valid configuration.
    """
    if what in PRESETS:
        return PRESETS[what]
    if not what.endswith(".toml"):
        raise UsageError(f"`{what}` is neither a .toml file nor a preset; {suggestion(what, PRESETS)}")
    return parse_config(read_text(what), PRESETS, what)


def _new_folder(folder: Path) -> Path:
    """The folder, made if it is not there.

    Raises:
        UsageError: there is something in it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _line(point: Point) -> str:
    return (
        f"{point.games:,} games: online {point.online:.3f}, greedy {point.greedy:.4f}, {point.rules:,} rules, "
        f"activity {point.activity:.1%}"
    )


def _write(
    folder: Path,
    learner: Learner,
    points: list[Point],
    fields: dict[str, object],
    best: Point,
    best_rules: RuleList,
) -> None:
    config = learner.config
    write_atomic(folder / CONFIG, print_config(config))
    write_atomic(folder / POPULATION, _text(learner.rules.as_list(), learner.games, config))
    write_atomic(folder / BEST, _text(best_rules, best.games, config))
    curves = {"schema": SCHEMA, **fields, "points": [point.to_json() for point in points]}
    write_atomic(folder / CURVES, json.dumps(curves, indent=1) + "\n")
    write_atomic(folder / CHART, _chart(points, config.opponent) + "\n")
    output.note(f"wrote {', '.join(FILES)} in {folder}")


def _text(rules: RuleList, games: int, config: Config) -> str:
    header = {
        "game": GAME,
        "title": f"learned in {games:,} games against {config.opponent}, seed {config.seed}",
        "rules": " ".join(f"{name}={value}" for name, value in RULES.to_options().items()),
    }
    return print_program(rules, header)


def _chart(points: list[Point], opponent: str) -> str:
    lines = (
        Series("greedy, exact", tuple((point.games, point.greedy) for point in points)),
        Series("while learning", tuple((point.games, point.online) for point in points)),
        Series("activity", tuple((point.games, point.activity) for point in points)),
    )
    return chart(
        f"Learning against {opponent}",
        lines,
        x="games",
        y="share of games or decisions",
        zero=True,
        width=WIDE,
    )


def _print(points: list[Point]) -> None:
    columns = ("games", "online", "greedy", "activity", "rules", "nodes", "sum of f", "used / forgetting")
    rows = [
        (
            f"{point.games:,}",
            f"{point.online:.4f}",
            f"{point.greedy:.4f}",
            f"{point.activity:.4f}",
            f"{point.rules:,}",
            f"{point.nodes:.1f}",
            f"{point.access:,.1f}",
            f"{point.expected_access:,.1f}",
        )
        for point in points
    ]
    output.table(columns, rows, right=columns)
