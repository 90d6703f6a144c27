"""``data/held-out.json`` is of the shipped programs as they are, on the trials of today, and headers agree."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from kernel_marks import compiled_only

from gpkit.analysis.evaluation import training_in
from gpkit.core.registry import game_of, language_of, shipped_programs
from gpkit.gamekit.game import Game
from gpkit.playing.evaluation import Row, measure, trials_of
from gpkit.playing.players import player_of_name, player_of_text
from gpkit_experiments import held_out_tables
from gpkit_experiments.held_out_tables import table_from_json

RECORDED = held_out_tables.recorded()
TABLES = held_out_tables.tables()
ANEW = "measure it anew: python -m gpkit_experiments.held_out_tables {} {}"


def text_of(game: str, name: str) -> str:
    """The text of a shipped program."""
    return shipped_programs(game)[name].read_text(encoding="utf-8")


def test_the_file_is_as_its_script_writes_it() -> None:
    assert held_out_tables.written(RECORDED) == held_out_tables.FILE.read_text(encoding="utf-8")
    assert RECORDED["command"] == "python -m gpkit_experiments.held_out_tables"
    assert RECORDED["seed"] == held_out_tables.SEED
    for recorded, table in zip(RECORDED["tables"], TABLES.values(), strict=True):
        assert {**table.to_json(), "sha256": recorded["sha256"]} == recorded


def test_a_former_program_is_another_one_on_the_same_trials() -> None:
    now = {(each["game"], each["program"]): each["sha256"] for each in RECORDED["tables"]}
    for former in RECORDED["former"]:
        key = former["game"], former["program"]
        assert former["sha256"] != now[key]
        assert [row.trial for row in table_from_json(former).rows] == [row.trial for row in TABLES[key].rows]


def test_the_champions_of_all_games_are_there() -> None:
    for game in ("battleship", "dots_and_boxes", "mastermind", "sevens"):
        assert (game, "champion") in TABLES


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_a_table_is_of_the_program_as_it_is_on_the_trials_of_today(game: str, name: str) -> None:
    table = TABLES[game, name]
    (sha256,) = (
        each["sha256"] for each in RECORDED["tables"] if (each["game"], each["program"]) == (game, name)
    )
    assert held_out_tables.digest_of(game, name) == sha256, ANEW.format(game, name)
    header = language_of(str(shipped_programs(game)[name])).load().parse(text_of(game, name), name).header
    assert table.training == training_in(header, game_of(game)), ANEW.format(game, name)
    trials = trials_of(game_of(game))
    assert [(row.trial.opponent, dict(row.trial.options)) for row in table.rows] == [
        (trial.opponent, dict(trial.options)) for trial in trials
    ], ANEW.format(game, name)
    for row, trial in zip(table.rows, trials, strict=True):
        if row.is_exact:
            assert trial.exact
            continue
        assert [*row.seeds] == [*range(held_out_tables.SEED, held_out_tables.SEED + trial.sets)]
        assert row.games >= len(row.seeds) * trial.games == len(row.seeds) * row.trial.games
        assert len(row.sets) == len(row.seeds)
        assert row.interval.low <= row.interval.mean <= row.interval.high
        assert table.training is not None
        assert row.unseen == table.training.unseen(trial, row.seeds)


def said(game: str, name: str) -> Iterator[tuple[Row, float, float]]:
    """The strengths that a header says, each with half its interval, beside the row of the same trial."""
    rows = {row.trial.opponent: row for row in TABLES[game, name].rows if not row.trial.options}
    text = text_of(game, name)
    if rates := re.search(r"^# rates: (.*)$", text, re.M):
        pairs = [pair.rsplit(" ", 1) for pair in rates[1].split(", ")]
        yield from ((rows[opponent], float(rate), 5e-5) for opponent, rate in pairs if opponent in rows)
    for mean, half, opponent in re.findall(r"([\d.]+) \+-([\d.]+) (?:against ([\w-]+)|shots)", text):
        yield rows[opponent or "uniform"], float(mean), float(half)
    for mean in re.findall(r"Exact means: ([\d.]+) guesses", text):
        yield rows["codemaker"], float(mean), 5e-5


@pytest.mark.parametrize(("game", "name"), [key for key in TABLES if list(said(*key))])
def test_headers_agree_with_the_table(game: str, name: str) -> None:
    """Exact rates to their digits; sampled ones were measured on other deals, so their intervals overlap."""
    for row, mean, half in said(game, name):
        assert abs(row.interval.mean - mean) <= half + row.interval.half_width, row.trial.opponent


def test_headers_say_something() -> None:
    assert {game for game, name in TABLES if list(said(game, name))} == {game for game, _ in TABLES}


@compiled_only
def test_a_set_comes_out_again() -> None:
    game: Game = game_of("sevens")
    recorded = TABLES["sevens", "champion"].rows[1]
    player = player_of_text(text_of("sevens", "champion"), game, filename="champion", language="arithmetic")
    trial = replace(trials_of(game)[1], sets=1)
    seated = [(trial, player_of_name(trial.opponent, game))]
    (row,) = measure(game, player, seated, seed=held_out_tables.SEED).rows
    assert row.trial.opponent == recorded.trial.opponent == "simple"
    assert row.sets == recorded.sets[:1]


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), TABLES)
def test_all_tables_come_out_again(game: str, name: str) -> None:
    """Every program of the file on its whole table (minutes for each)."""
    assert held_out_tables.measured(game, name) == TABLES[game, name]
