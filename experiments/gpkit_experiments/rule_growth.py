"""Rule lists that grow against several opponents: every run, and what the shipped lists reach.

    python -m gpkit_experiments.rule_growth readable FOLDER
    python -m gpkit_experiments.rule_growth champion FOLDER
    python -m gpkit_experiments.rule_growth table FORMER.rules
    python -m gpkit_experiments.rule_growth answers

The first two grow one list for each seed, keep them in the folder and their results in experiments/data; the one that
is shipped is the best by what it was grown for. The third measures the lists of ``TABLE`` against all opponents, and
the best one of refined-dots-and-boxes.json in a file; the last what the best response wins against every shipped list.
Together they take about half an hour of one core.
"""

import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from gpkit.cli.main import main
from gpkit.core.registry import GAMES, data_folder, find
from gpkit.gamekit.game import Game
from gpkit.games.dots_and_boxes.exact import best_response, choices_of, result
from gpkit.games.dots_and_boxes.learner.mixture import read_target_rate
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.parser import parse
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_program
from gpkit_experiments.papers.units import entry, write_record
from gpkit_experiments.rule_rates import choices_in

DATA = Path(__file__).resolve().parents[1] / "data" / "grown-dots-and-boxes.json"
BOARD = Rules()

READABLE = ("chain=0.9", "greedy=0.97", "chain=0.75@4x4")
CHAMPION = ("chain=0.93", "greedy=0.97", "optimal=0.2", "chain=0.7@4x4")
"""Purposes for which lists are grown."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "readable": ("grow", "endgame", "double-dealer", "--rules", "21", "--nodes", "4", "--rounds", "100"),
    "champion": ("grow", "grown-21", "endgame", "--rules", "300", "--rounds", "100", "--games", "1000"),
}
AIMS = {"readable": READABLE, "champion": CHAMPION}
SEEDS = {"readable": (61_101, 61_102, 61_103), "champion": (61_001, 61_002, 61_003)}
SHIPPED = {"readable": "grown-21", "champion": "champion"}
"""All seeds were named before a list was grown with them."""

TABLE = ("champion", "grown-21", "double-dealer", "learned-21", "endgame")
FORMER = "refined"
"""Name of the list of the file in the table."""

OPPONENTS = tuple(name for name in POLICIES if name != "random")
BOARDS, GAMES_THERE, SEED_THERE = ("4x4", "5x5"), 4000, 61_201
LARGER = ("4x3", *BOARDS)
SEARCH, GAMES_OF_SEARCH, SEED_OF_SEARCH = "mcts:1000", 1000, 61_202
"""Games that no list was grown by. The lists of ``TABLE`` meet ``chain`` on 4x3 boxes, too."""


def words(kind: str, seed: int) -> list[str]:
    """The command that grows a list."""
    target_rates = [word for target_rate in AIMS[kind] for word in ("--opponent", target_rate)]
    return [*COMMANDS[kind], *target_rates, "--seed", str(seed)]


def exact(rules: RuleList) -> dict[str, float]:
    """By opponent the exact win rate on 3x3 boxes."""
    mine = choices_in(rules)
    return {name: round(result(mine, choices_of(name, BOARD), BOARD).mean, 6) for name in OPPONENTS}


def played(rules: RuleList, opponent: str, board: str, games: int, seed: int) -> dict[str, Any]:
    """The share of wins in games."""
    game: Game = find(GAMES, "dots_and_boxes", "game").load()
    found = play_match(
        game,
        player_of_program(rules, game, "list"),
        [player_of_name(opponent, game)],
        rules=game.make_rules({"board": board}),
        seed=seed,
        games=games,
    )
    return {**entry(found.interval), "games": found.games}


def margin(kind: str, rates: dict[str, float]) -> float:
    """Least of what the rates that a list was grown by are above their floors."""
    return min(
        rates[str(target_rate)] - target_rate.floor for target_rate in map(read_target_rate, AIMS[kind])
    )


def grown(kind: str, seed: int, folder: Path) -> dict[str, Any]:
    """Grow a list of a seed, unless it is there, and measure it."""
    path = folder / f"{kind}-{seed}.rules"
    report = path.with_suffix(".json")
    if not report.exists():
        said = io.StringIO()
        with redirect_stdout(said):
            assert main([*words(kind, seed), "-o", str(path), "--json"]) == 0
        report.write_text(said.getvalue(), encoding="utf-8")
    rules = parse(path.read_text(encoding="utf-8")).program
    rates = json.loads(report.read_text(encoding="utf-8"))["rates"]
    return {
        "seed": seed,
        "rules": len(rules.rules),
        "margin": round(margin(kind, rates), 6),
        **exact(rules),
        **{board: played(rules, "chain", board, GAMES_THERE, SEED_THERE) for board in BOARDS},
    }


def measured(path: Path) -> dict[str, Any]:
    """A list against all opponents."""
    rules = parse(path.read_text(encoding="utf-8")).program
    return {
        "rules": len(rules.rules),
        **exact(rules),
        SEARCH: played(rules, SEARCH, "3x3", GAMES_OF_SEARCH, SEED_OF_SEARCH),
        **{board: played(rules, "chain", board, GAMES_THERE, SEED_THERE) for board in LARGER},
    }


def answered(rules: RuleList) -> list[float]:
    """Share of wins of the best response to a list on 3x3 boxes, by its own seat: moving first and second."""
    return [round(rate, 6) for rate in best_response(choices_in(rules, BOARD), BOARD).seatings]


def keep(**found: object) -> None:
    """Write results beside those that are there."""
    before = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    data = {
        "schema": "gpkit/grown/1",
        "measured": "exact win rates on 3x3 boxes with a random starting player; shares of wins against chain on 4x4 "
        "and 5x5 and against a search on 3x3, in games that no list was grown by",
    }
    write_record(DATA, {**data, **before, **found})


def run(arguments: list[str]) -> None:
    """Do one of the four parts."""
    part = arguments[0]
    if part == "answers":
        paths = sorted((data_folder("programs") / "dots_and_boxes").glob("*.rules"))
        keep(answers={path.stem: answered(parse(path.read_text(encoding="utf-8")).program) for path in paths})
        return
    if part == "table":
        shipped = data_folder("programs") / "dots_and_boxes"
        files = {name: shipped / f"{name}.rules" for name in TABLE} | {FORMER: Path(arguments[1])}
        lists = {}
        for name, path in files.items():
            lists[name] = measured(path)
            keep(table={"seeds": {"boards": SEED_THERE, SEARCH: SEED_OF_SEARCH}, "lists": lists})
        return
    runs = []
    for seed in SEEDS[part]:
        runs.append(grown(part, seed, Path(arguments[1])))
        command = " ".join(["gpkit", *words(part, 0)]).removesuffix(" 0") + " SEED"
        keep(**{part: {"command": command, "seed of games": SEED_THERE, "runs": runs}})


if __name__ == "__main__":
    run(sys.argv[1:])
