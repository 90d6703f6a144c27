"""The committed measurements of the adaptive player: of this code, and saying what is claimed."""

import json
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_marks import compiled_only
from result_pages import results

from gpkit.core.arrays import Floats
from gpkit.core.registry import data_folder
from gpkit.core.rng import stream
from gpkit.core.statistics import mean_interval, paired_difference
from gpkit.games.battleship.arena import first_memory, placement_of, play_sides
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.targeting import training_density
from gpkit.games.battleship.rules import BattleshipRules, returns_of
from gpkit.playing.players import player_of_name
from gpkit_experiments import adaptive_series
from gpkit_experiments.papers.battleship_adaptive.adapting import PLAYER, PairedSeries, duel, opponent_of
from gpkit_experiments.papers.battleship_adaptive.controls import joined
from gpkit_experiments.papers.battleship_adaptive.recorded import ADDED, BEFORE, added, gains, groups
from gpkit_experiments.papers.page import judged_of

DATA = Path(__file__).parents[1] / "data"


def data_of(part: str) -> dict[str, Any]:
    """A committed file."""
    data: dict[str, Any] = json.loads((DATA / f"adaptive-{part}.json").read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("part", ["targeting", "opponents"])
def test_files_are_of_the_seeds_and_rows_in_use(part: str) -> None:
    data = data_of(part)
    assert data["series"] == {str(seed): count for seed, count in adaptive_series.BATCHES[part].items()}
    assert list(data["rows"]) == list(adaptive_series.rows_of(part))


@compiled_only
def test_series_measured_one_by_one_are_those_of_the_record() -> None:
    row = adaptive_series.rows_of("targeting")["wall"]
    cells = joined([row(series=[(45_001, number)]) for number in (2, 3)])
    assert cells == {
        name: {seen: values[2:4] for seen, values in arm.items()}
        for name, arm in data_of("targeting")["rows"]["wall"].items()
    }


def test_the_mixture_is_not_worse_than_waves_without_the_checkerboard_or_counts() -> None:
    for pattern, arms in data_of("targeting")["rows"].items():
        for seen in ("1", "5", "20"):
            for other in ("waves, neither", "counts"):
                more = paired_difference(arms["mixture"][seen], arms[other][seen])
                assert more.low <= 0.0, (pattern, seen, other)


def test_the_page_has_the_shots_of_the_record() -> None:
    rows, found = data_of("targeting")["rows"], table_below("| fleets | targets by |")
    names = {"the mixture": "mixture", "waves of the source": "waves", "counts": "counts"}
    names |= {"waves, any square": "waves, neither", "waves, checkerboard": "waves, checkerboard alone"}
    assert len(found) == 5 * len(names)
    for pattern, targets, *shots in found:
        values = rows[pattern][names[targets]]
        assert shots == [f"{np.mean(values[seen]):.1f}" for seen in ("0", "1", "5", "20")]


def test_the_page_has_the_shares_of_wins_of_the_record() -> None:
    rows, found = data_of("opponents")["rows"], table_below("| against | with memory |")
    assert {name for name, *_ in found} == set(rows)
    for name, *cells in found:
        cell = rows[name]
        more = added(cell)
        shares = [f"{np.mean(cell[memory]):.2f}" for memory in ("with, 11", "without, 11")]
        assert cells == [*shares, f"{more.mean:+.2f} ({more.low:+.2f} to {more.high:+.2f})"], name


PAGE = results("battleship-adaptive")


def points(values: Sequence[float] | Floats, digits: int = 1) -> str:
    """A mean with its interval, in points."""
    found = mean_interval(values)
    return "{:.{d}f} points ({:.{d}f} to {:.{d}f})".format(
        *(100.0 * each for each in (found.mean, found.low, found.high)), d=digits
    )


def test_the_page_says_whom_of_the_opponents_never_met_memory_helps_against() -> None:
    rows = data_of("opponents")["rows"]
    others = [name for name in rows if name.partition(":")[0] in ("searched", "textbook", "runner-up")]
    nine = np.mean([gains(rows[name]) for name in others], axis=0)
    assert len(others) == 9
    assert f"it adds {points(nine)}, which shows no gain" in PAGE
    first, interval = points(nine[5:]).split(" (")
    assert f"in these ten alone, memory adds {first} over the nine cells ({interval}" in PAGE
    halo = [100.0 * gains(cell).mean() for name, cell in rows.items() if name.startswith("reference-halo")]
    assert (
        "memory helps only against `reference-halo`, by {:.0f}, {:.0f} and {:.0f} points".format(*halo)
        in PAGE
    )


def test_the_page_tells_what_memory_adds_or_costs_in_new_series() -> None:
    rows = [row for row in judged_of("battleship-adaptive") if row.table == ADDED and row.measured.units > 15]
    assert len(rows) == 6
    for row in rows:
        found, series = row.measured, f"{row.measured.units} against `{row.quantity}`"
        low, more, high = (
            f"{100.0 * each:.1f}" for each in sorted(map(abs, (found.low, found.mean, found.high)))
        )
        said = (
            series if str(row.verdict("full")) == "open" else f"{more} points ({low} to {high}) in {series}"
        )
        assert said in PAGE


def test_the_page_tells_what_waves_save_in_new_series() -> None:
    rows = [row for row in judged_of("battleship-adaptive") if row.table == BEFORE and row.measured.units > 8]
    words = {
        ("lower left corner, after 1 games", "open"): "in {}, they save {} ({} to {}) after one game",
        (
            "bottom wall, after 5 games",
            "holds",
        ): "in {} new series, waves save {} shots ({} to {}) after five",
    }
    found = {(row.quantity, str(row.verdict("full"))): row.measured for row in rows}
    assert {each for each in found if each[1] != "open"} <= set(words) <= set(found)
    for key, text in words.items():
        numbers = (found[key].mean, found[key].low, found[key].high)
        assert text.format(found[key].units, *(f"{each:.1f}".replace("-", "−") for each in numbers)) in PAGE


def test_the_page_says_which_cells_hold_with_holms_correction() -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = data_of("opponents")["rows"]
    chances = sorted((float(stats.ttest_1samp(gains(cell), 0.0).pvalue), name) for name, cell in rows.items())
    hold = list(takewhile(lambda each: each[1][0] * (len(rows) - each[0]) <= 0.05, enumerate(chances)))
    names = {name for _, (_, name) in hold}
    assert names == {
        *(f"reference-halo:{place}" for place in ("uniform", "corners", "lines")),
        *(f"hunt:{place}" for place in ("wall", "lines")),
        *(f"density:{place}" for place in ("uniform", "lines")),
    }
    assert sum(added(cell).low > 0.0 for cell in rows.values()) == 12
    assert (
        f"12 of the {len(rows)} intervals are above 0; with Holm's correction for {len(rows)} tests, 7 are"
        in PAGE
    )


def test_what_is_said_of_evolved_sinking_programs_is_not_significant_with_holms_correction() -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = data_of("opponents")["rows"]
    cells = [names for _, names in groups(rows)]
    chances = []
    for place in ("uniform", "corners", "wall", "lines"):
        saved = [rows[name]["sinker"] for names in cells for name in names if name.endswith(f":{place}")]
        chances.append(float(stats.ttest_1samp(np.mean(saved, axis=0), 0.0).pvalue))
    assert f"is one of four tests (p = {min(chances):.2f})".replace("0.", ".") in PAGE
    assert min(chances) * len(chances) > 0.05


def table_below(head: str) -> list[list[str]]:
    """The cells of a table of the page, without code marks."""
    lines = PAGE.text[PAGE.text.index(head) :].splitlines()[2:]
    rows = lines[: next(place for place, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in rows]


def test_memory_wins_more_whatever_the_placement_and_the_board() -> None:
    gains = [row["more"] for row in data_of("memory")["rows"].values()]
    assert len(gains) == 15
    assert all(gain["ci95"][0] > 0.0 for gain in gains)


def test_a_paired_series_is_played_as_any_other() -> None:
    rules = GAME.make_rules({"mode": "duel"})
    players = [player_of_name("adaptive", GAME), player_of_name("adaptive:wall", GAME)]
    series = PairedSeries(players[1], rules, 43_002, 1, 2)
    nothing = learned = first_memory(players[0], rules)
    found = []
    for game, seat in enumerate((1, 0)):
        deals = GAME.deal(stream(43_002, "memory", 1, game), 1, rules)
        keys = [deals.seat(0, 0), deals.seat(0, 1)]
        boards, (learned, _) = play_sides(players, keys, [learned, nothing], seat, rules)
        found.append(returns_of(boards, rules)[seat])
    assert series.scores()[0].tolist() == found


@pytest.mark.parametrize("seed", range(20))
def test_the_chance_to_win_is_of_duels_in_both_seats(seed: int) -> None:
    other = opponent_of("hunt", "lines")
    series = [PairedSeries(other, adaptive_series.DUEL, seed, number, 1) for number in (0, 1)]
    nothing = first_memory(PLAYER, adaptive_series.DUEL)
    (own, opposite, first), (_, _, second) = (each.sides(0, nothing) for each in series)
    assert {first, second} == {0, 1}
    needed = [np.array([float(own.clear(opposite.fleet()).turns)])]
    needed.append(np.array([float(opposite.clear(own.fleet()).turns)]))
    scores = [duel(own, opposite, seat, adaptive_series.DUEL)[0] for seat in (0, 1)]
    assert adaptive_series.win_chance(*needed) == np.mean(scores)


def test_rows_are_measured_by_this_code(monkeypatch: pytest.MonkeyPatch) -> None:
    few: dict[str, object] = {"SEEN": (0, 1), "LESSONS": 50, "FIRST_FLEETS": 2, "OWN_FLEETS": 1}
    for name, value in few.items():
        monkeypatch.setattr(adaptive_series, name, value)
    monkeypatch.setattr(adaptive_series, "BATCHES", {part: {1: 1} for part in adaptive_series.BATCHES})
    arms = adaptive_series.targeting_row("wall", 2)
    assert set(arms) == set(adaptive_series.ARMS)
    assert arms["waves"]["0"] == arms["checkerboard alone, boards of waves"]["0"]
    played = adaptive_series.opponent_row("searched", "lines", 2)
    assert played["won with, 2"] in ([0.0], [1.0], [2.0]) and len(played["by game"]) == 2
    trained = adaptive_series.pretraining_row("wall", 1)
    assert trained["pre-trained"]["hits"] > trained["untrained"]["hits"]


def test_opponents_are_of_their_names_and_placements() -> None:
    for name, row in adaptive_series.rows_of("opponents").items():
        player = opponent_of(*row.args)
        assert player.name == name and placement_of(player) == name.partition(":")[2]


def test_what_ships_is_fitted_to_the_density_of_training() -> None:
    path = data_folder("programs") / "battleship" / "adaptive" / "pretrained.json"
    shipped = json.loads(path.read_text(encoding="utf-8"))
    assert shipped["programs"][0] == ["targeting:", "  Target", "  Shoot"]
    assert [board["rules"]["board"] for board in shipped["boards"]] == ["10x10", "8x8", "12x12"]
    for board in shipped["boards"]:
        density = training_density(BattleshipRules.from_options(board["rules"]))
        assert board["density"] == [round(value, 4) for value in density.tolist()]
        assert len(board["waves"]) == 20
