"""Lists that grew and what they reach: the kept results say what is claimed, and the shipped lists are among them."""

import json
import re
from math import floor
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from result_pages import results
from rule_rates import choices_in

from gpkit.core.registry import data_folder
from gpkit.games.dots_and_boxes.exact import best_response, choices_of, result
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.text import RuleSource, parse
from gpkit.playing.evaluation import read_training

ROOT = Path(__file__).resolve().parents[2]
PAGE = results("dots-and-boxes")
RECORD: dict[str, Any] = json.loads(
    (ROOT / "experiments" / "data" / "grown-dots-and-boxes.json").read_text(encoding="utf-8")
)
LISTS: dict[str, dict[str, Any]] = RECORD["table"]["lists"]


BOARD = DotsAndBoxesRules()
GAMES_THERE, SEED_THERE = 4000, 61_201
SEARCH, GAMES_OF_SEARCH, SEED_OF_SEARCH = "mcts:1000", 1000, 61_202
TABLE, FORMER = ("champion", "grown-21", "double-dealer", "learned-21", "endgame"), "refined"
BOARDS, LARGER = ("4x4", "5x5"), ("4x3", "4x4", "5x5")
SHIPPED = {"readable": "grown-21", "champion": "champion"}
SEEDS = {"readable": (61_101, 61_102, 61_103), "champion": (61_001, 61_002, 61_003)}


class TargetRate(NamedTuple):
    """A win rate that a list was to have against an opponent; ``board`` is empty for the one of exact rates."""

    opponent: str
    floor: float
    board: str


def target_rates(kind: str) -> list[TargetRate]:
    """The win rates for which lists were grown, as the command of the record names them."""
    named = re.findall(r"--opponent (\S+?)=([0-9.]+)@?(\S*)", RECORD[kind]["command"])
    return [TargetRate(opponent, float(floor), board) for opponent, floor, board in named]


def answered(rules: RuleList) -> list[float]:
    """Share of wins of the best response to a list, by its own seat: moving first and second."""
    return [round(rate, 6) for rate in best_response(choices_in(rules, BOARD), BOARD).seatings]


def shipped(name: str) -> RuleSource:
    return parse((data_folder("programs") / "dots_and_boxes" / f"{name}.rules").read_text(encoding="utf-8"))


def share(found: Any) -> float:
    """A win rate, exact or sampled."""
    return found if isinstance(found, float) else found["mean"]


@pytest.mark.parametrize("kind", SEEDS)
def test_recorded_runs_are_of_the_seeds_that_were_named(kind: str) -> None:
    assert tuple(run["seed"] for run in RECORD[kind]["runs"]) == SEEDS[kind]
    assert RECORD[kind]["seed of games"] == RECORD["table"]["seeds"]["boards"] == SEED_THERE
    assert RECORD["table"]["seeds"][SEARCH] == SEED_OF_SEARCH
    for run in RECORD[kind]["runs"]:
        assert run["margin"] > 0
        assert all(
            run[target_rate.opponent] > target_rate.floor
            for target_rate in target_rates(kind)
            if not target_rate.board
        )
        assert all(run[board]["games"] == GAMES_THERE for board in BOARDS)


def larger_boards(name: str) -> str:
    """Statement of a header about larger boards."""
    larger = ", ".join(f"{LISTS[name][board]['mean']:.3f} on {board}" for board in LARGER)
    return f"against chain over {GAMES_THERE:,} games of seed {SEED_THERE}: {larger}"


@pytest.mark.parametrize("name", ["double-dealer", "learned-21"])
def test_other_lists_say_what_the_table_says(name: str) -> None:
    assert shipped(name).header["larger-boards"] == larger_boards(name)


@pytest.mark.parametrize("kind", SHIPPED)
def test_the_shipped_list_is_the_best_by_what_it_was_grown_for(kind: str) -> None:
    best = max(RECORD[kind]["runs"], key=lambda run: run["margin"])
    name = SHIPPED[kind]
    source, row = shipped(name), LISTS[name]
    assert all(row[key] == best[key] for key in best if key not in ("seed", "margin"))
    assert len(source.program.rules) == row["rules"]
    mine = choices_in(source.program)
    for opponent in ("greedy", "chain", "optimal"):
        assert result(mine, choices_of(opponent, BOARD), BOARD).mean == pytest.approx(row[opponent], abs=1e-6)
    met = [target_rate.opponent for target_rate in target_rates(kind) if not target_rate.board]
    assert source.header["rates"] == ", ".join(f"{each} {row[each]:.4f}" for each in met)
    setup, other = read_training(source.header["trained"]).setups
    assert list(setup.opponents) == met and setup.options == {"board": "3x3"}
    assert other.opponents == ("chain",) and other.options == {"board": "4x4"}
    assert source.header["larger-boards"] == larger_boards(name)


@pytest.mark.parametrize("name", RECORD["answers"])
def test_a_header_says_what_the_best_response_wins(name: str) -> None:
    source = shipped(name)
    assert answered(source.program) == RECORD["answers"][name]
    first, second = RECORD["answers"][name]
    assert source.header["best-response"] == f"{first:.4f} moving first, {second:.4f} moving second"
    assert f"{min(first, second):.3f}" == "1.000", "as the page says"


def test_every_shipped_list_has_its_best_response() -> None:
    paths = (data_folder("programs") / "dots_and_boxes").glob("*.rules")
    assert {path.stem for path in paths} == {*RECORD["answers"]}


def test_the_champion_wins_against_all_kinds_of_opponents() -> None:
    row = LISTS["champion"]
    assert row["chain"] >= 0.93 and row["greedy"] >= 0.97 and row["optimal"] >= 0.20
    assert row[SEARCH]["mean"] >= 0.95 and row[SEARCH]["games"] == GAMES_OF_SEARCH
    former = LISTS[FORMER]
    assert all(share(row[key]) > share(former[key]) for key in former if key != "rules")


def test_the_readable_list_is_short_and_wins_on_larger_boards_too() -> None:
    source, row = shipped("grown-21"), LISTS["grown-21"]
    assert len(source.program.rules) <= 21
    assert max(len(named.rule.graph.nodes) for named in source.program.rules) <= 4
    assert row["chain"] >= 0.90 and row["greedy"] >= 0.97
    assert all(row[board]["ci95"][0] > 0.60 for board in BOARDS)
    assert all(run["5x5"]["mean"] > 0.5 for run in RECORD["readable"]["runs"])


def test_the_page_has_the_table() -> None:
    text = PAGE.text.partition("<!-- rates: the lists -->\n")[2].partition("\n\n")[0]
    heading, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines())
    assert [row[0] for row in rows] == [*TABLE, FORMER]
    for name, *cells in rows:
        row = LISTS[name]
        keys = [key.partition(" ")[0] for key in heading[2:]]
        assert cells == [str(row["rules"]), *(told(key, share(row[key])) for key in keys)]
    assert "optimal (at most 0.5)" in heading
    assert all(LISTS["champion"][board]["mean"] < best_on(board) for board in LARGER), "as the page says"


def test_the_page_says_what_more_games_tell() -> None:
    more, table = RECORD["more games"], LISTS["double-dealer"]["5x5"]
    low, high = more["ci95"]
    said = f"wins {more['mean']:.3f} ({low:.3f} to {high:.3f}) on 5x5, not {table['mean']:.3f}"
    assert f"in {more['games']:,} other games `double-dealer` {said}" in PAGE


def told(key: str, rate: float) -> str:
    """A rate as the table has it: that against the search is of too few games for three digits."""
    return f"{floor(100 * rate + 1e-9) / 100:.2f}" if key == SEARCH else f"{rate:.3f}"


def best_on(board: str) -> float:
    """Share of wins of the better of two other lists on a board."""
    return max(share(LISTS[name][board]) for name in ("grown-21", "endgame"))
