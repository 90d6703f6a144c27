"""Criteria of the belief-state and sinking papers: with the mechanism switched off a verdict does not hold."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kernel_marks import compiled_only
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.games.battleship.kernel import samples as at
from gpkit_experiments.belief_strength import fewer
from gpkit_experiments.papers.battleship_sinking import hard_fleets, paper
from gpkit_experiments.papers.battleship_sinking.hard_fleets import Effort as HardEffort
from gpkit_experiments.papers.battleship_sinking.hard_fleets import layout_rows, meet, meeting_rows
from gpkit_experiments.papers.battleship_sinking.paper import (
    EFFORTS,
    SEVENTY,
    Study,
    aiming,
    duel_rows,
    figure_rows,
    filter_rows,
    player,
)
from gpkit_experiments.papers.battleships_belief import belief_state
from gpkit_experiments.papers.battleships_belief.belief_state import (
    OTHERS,
    POSTERIOR,
    TEN,
    knowledge_rows,
)
from gpkit_experiments.papers.battleships_belief.paper import RULES
from gpkit_experiments.papers.battleships_belief.samples import (
    Sampler,
    chance_rows,
    chances_of,
    exploit_rows,
    fleet_table,
    sampler_of,
)
from gpkit_experiments.papers.battleships_belief.tables import (
    TABLES,
    Boards,
    Competition,
    Entrant,
    Trials,
    competition_rows,
    number_rows_of,
    statement_rows,
    trials,
)
from gpkit_experiments.papers.paper import Row, ignore
from gpkit_experiments.papers.units import write_record

pytestmark = compiled_only

SEED = 990_001
BOARDS = 400


@cache
def played(name: str, samples: int, purpose: str) -> Trials:
    boards = Boards.drawn(SEED, purpose, BOARDS, "one-by-one", RULES)
    return trials(Entrant(name, samples), boards, SerialExecutor())


def verdict(row: Row) -> str | None:
    return row.verdict("full")


def test_random_shots_are_neither_superior_nor_at_the_published_level() -> None:
    """Without samples: shots at random in their place."""
    blind = played("random", 0, "own")
    entrants = [Entrant(name, number) for name in ("mcs", "mcs-flawed") for number in (10, 100)]
    others = {
        Entrant(name): played(name, 0, "other")
        for name in ("reference", "reference-hits", "reference-halo", "random")
    }
    superior = [
        row
        for row in statement_rows(dict.fromkeys(entrants, blind), others)
        if row.published == "superior performance"
    ]
    assert len(superior) == 8
    assert all(verdict(row) != "holds" for row in superior)
    hits = Competition(blind.shots, others[Entrant("reference-hits")].shots)
    rows = list(competition_rows("", "rule-based", hits, TABLES[0].opponents["reference-hits"]))
    assert verdict(rows[0]) == "fails"


def test_as_many_samples_as_before_save_nothing_and_five_shots_fewer_are_seen() -> None:
    places = stream(SEED, "trials").integers(0, BOARDS, size=4_000)
    own = played("mcs-flawed", 10, "own").shots[places]
    other = played("reference-hits", 0, "other").shots[places]
    few = Competition(own, other)
    same = {row.quantity: verdict(row) for row in number_rows_of("", "", "reference-hits", few, few)}
    assert [key for key in same if same[key] == "holds"] == [": share won, N = 100 minus N = 10, either way"]
    assert [same[key] for key in same if key.startswith(": mean")] == ["fails"]
    fewer_shots = Competition(own - 9, other)
    found = {row.quantity: verdict(row) for row in number_rows_of("", "", "reference-hits", few, fewer_shots)}
    assert [found[key] for key in found if key.startswith(": mean")] == ["holds"]
    assert found[": share won, N = 100 minus N = 10, either way"] == "fails"


def unbiased(known: NDArray[np.int8], number: int, key: int) -> tuple[Floats, int]:
    """Fleets of the true belief state, each equally likely."""
    true = fleet_table()[
        fleet_table()[:, known == at.HIT].all(axis=1) & ~fleet_table()[:, known == at.MISS].any(axis=1)
    ]
    shares = true[stream(key, "fleets").integers(0, len(true), size=number)].mean(axis=0)
    return shares, int(np.argmax(np.where(known == at.UNSHOT, chances_of(fleet_table(), known), -1.0)))


def at_random(known: NDArray[np.int8], number: int, key: int) -> tuple[Floats, int]:
    """Shares of chance, and a shot at any square."""
    rng = stream(key, "chance")
    return rng.random(len(known)), int(rng.choice(np.flatnonzero(known == at.UNSHOT)))


@pytest.mark.parametrize(
    ("sampler", "converges", "chooses"),
    [(unbiased, "holds", "holds"), (sampler_of("mcs"), "fails", "open"), (at_random, "fails", "fails")],
)
def test_shares_converge_if_samples_are_unbiased_alone(
    sampler: Sampler, converges: str, chooses: str
) -> None:
    rows = {row.quantity: row for row in chance_rows(SEED, 60, ignore, {"it": sampler})}
    found = {key: verdict(row) for key, row in rows.items() if row.claim is not None}
    assert list(found.values()) == [chooses, converges]


@pytest.mark.parametrize("seed", [SEED + 1, SEED + 2])
def test_layouts_that_nobody_sought_exploit_nothing(seed: int) -> None:
    typical, other = (
        Boards.drawn(seed, purpose, 200, "one-by-one", RULES).targets() for purpose in ("typical", "more")
    )
    assert all(verdict(row) != "holds" for row in exploit_rows("nothing", other, typical, RULES))


def test_who_knows_as_much_and_shoots_alike_saves_nothing(tmp_path: Path) -> None:
    (tmp_path / "values").mkdir()
    games = np.column_stack([played("mcs", 10, "own").shots, np.zeros(BOARDS)])
    nothing = {other: {**fewer(games, games), "boards": belief_state.BOARDS} for other in OTHERS}
    rows = {f"{TEN} {POSTERIOR}": {"fewer": nothing}}
    write_record(tmp_path / "nothing.json", {"rows": rows})
    found = list(knowledge_rows(tmp_path / "nothing.json"))
    assert found and all(verdict(row) == "open" for row in found)


STUDY = Study(EFFORTS["quick"], SEED, SerialExecutor(), ignore)


def test_a_filter_that_lets_all_squares_pass_is_no_checkerboard() -> None:
    assert [verdict(row) for row in filter_rows(STUDY, "uniform")] == ["fails", "fails"]


def test_without_the_checkerboard_random_shots_do_not_lose_seven_of_ten() -> None:
    won, _ = STUDY.won(aiming("uniform"), aiming("uniform"))
    assert SEVENTY.judge(won) == "fails"


def test_without_sinking_logic_nobody_wins_nine_of_ten_nor_finishes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(paper, "player", lambda name: player("checkerboard" if name == "corrected" else name))
    found = {row.quantity: row for row in duel_rows(STUDY)}
    for name in ("random", "checkerboard"):
        assert verdict(found[f"sinking logic against {name} without"]) == "fails"


def test_the_printed_figure_in_place_of_the_mended_one_does_not_finish(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed = {name: (paper.printed(), header) for name, (_, header) in paper.repairs().items()}
    monkeypatch.setattr(paper, "repairs", lambda: printed)
    finished = [row for row in figure_rows(STUDY) if row.quantity.startswith("both, stacked") and row.claim]
    assert [verdict(row) for row in finished] == ["fails"]


def test_who_shoots_first_as_often_as_second_wins_no_more() -> None:
    rows = [row for row in duel_rows(STUDY) if row.quantity.endswith("who shoots first")]
    both_seats, _ = STUDY.won(player("random"), player("random"))
    assert rows[0].claim is not None
    assert rows[0].claim.judge(both_seats) == "fails"


def test_layouts_are_hard_because_they_are_sought() -> None:
    effort = HardEffort(searches=4, steps=60, games=60, shown=400, boards=0)
    sought = next(layout_rows(player("corrected"), SEED, effort))
    assert verdict(sought) == "holds"
    still = HardEffort(searches=4, steps=0, games=60, shown=400, boards=0)
    assert all(verdict(row) != "holds" for row in layout_rows(player("corrected"), SEED, still))


def test_who_counts_owes_nothing_to_itself() -> None:
    rows = [row for row in meeting_rows(player("density"), SEED, 300) if "does not pay" in row.quantity]
    assert [verdict(row) for row in rows] == ["open", "open"]


def test_ways_in_which_ships_meet() -> None:
    long = frozenset((2, column) for column in range(2, 6))
    assert meet(long, frozenset((3, column) for column in range(4, 7))) == "parallel"
    assert meet(long, frozenset((row, 4) for row in range(3, 6))) == "T"
    assert meet(long, frozenset((row, 5) for row in range(3, 6))) == "other"
    assert meet(long, frozenset((row, 6) for row in range(2, 5))) == "other"
    assert meet(long, frozenset((2, column) for column in (6, 7))) == "other"
    assert meet(long, frozenset((row, 8) for row in range(3, 6))) == ""
    assert hard_fleets.ways(hard_fleets.random_fleets(SEED, "ways", 1)[0]) <= {"parallel", "T", "other"}
