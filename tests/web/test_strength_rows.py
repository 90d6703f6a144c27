"""Strength that grows: in the end what the ladder measures in one go, and the same comparison on the same deals."""

from collections.abc import Sequence
from typing import Any

import pytest

from gpkit.analysis.evaluation import training_in
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of, language_entry
from gpkit.gamekit.forms import Trial
from gpkit.playing.contest import Match, play_matches
from gpkit.playing.evaluation import LADDER_SEED, measure
from gpkit.playing.named import Named, opponent, read_named, seat
from gpkit.playing.results import compare
from gpkit.web import workshop
from gpkit.web.workshop import Programs, ladder_of, measured_of, rows_by_turns

ALONE = "// game: sevens\n// trained: random\nplay: env.selfblock\nsend: env.dist\n"
OTHER = ALONE.replace("env.dist", "math.random()")


def named(text: str, name: str = "mine", language: str = "arithmetic") -> Named:
    known = language_entry(language).load()
    return Named(name, known.parse(text, name), known)


def played(measured: tuple[str, str, Programs]) -> tuple[list[dict[str, Any]], list[int]]:
    """The rows at the end, and the trials by turns."""
    changes = rows_by_turns(ladder_of(*measured))
    rows, turns = next(changes), []
    assert not any(row["known"] or row["whole"] for row in rows)
    for (row,) in changes:
        rows[row["row"]] = row
        turns.append(row["row"])
        if turns == [1]:  # of a trial that is played: a single deal has no interval
            assert (row["low"], row["high"]) == (None, None)
    assert all(row["known"] and row["whole"] for row in rows)
    return rows, turns


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that sets the trials of all games."""

    def chosen(*found: Trial) -> None:
        monkeypatch.setattr(workshop, "trials_of", lambda game: found)

    return chosen


def test_strength_is_in_the_end_that_of_the_ladder(trials: Any) -> None:
    found = (
        Trial("pimc:2", games=4, sets=1),
        Trial("random", games=100, sets=2),
        Trial("simple", {"players": "2"}, 50),
    )
    trials(*found)
    program = named(ALONE)
    rows, turns = played(measured_of([program]))
    assert turns[:4] == [1, 2, 1, 2]
    assert turns[-2:] == [0, 0]  # what takes long comes last, deal by deal
    game = game_of("sevens")
    training = training_in(program.source.header, game)
    seated = [(trial, opponent(trial.opponent, game)) for trial in found]
    table = measure(game, seat(program, game), seated, seed=LADDER_SEED, training=training)
    for row, expected in zip(rows, table.rows, strict=True):
        assert row["mean"] == pytest.approx(expected.interval.mean, abs=1e-12)
        assert (row["low"], row["high"]) == pytest.approx((expected.interval.low, expected.interval.high))
        assert (row["games"], row["held"], row["exact"]) == (expected.games, expected.held_out, False)


def test_difference_is_paired_on_the_same_deals(trials: Any) -> None:
    trials(Trial("simple", games=300, sets=1))
    pair = [named(ALONE), named(OTHER, "saved")]
    (row,), _ = played(measured_of(pair))
    game = game_of("sevens")
    other = opponent("simple", game)
    matches = [Match(seat(each, game), (other,)) for each in pair]
    first, second = play_matches(game, matches, rules=game.make_rules({}), seed=LADDER_SEED, games=300)
    expected = compare(first, second)
    assert (row["first"], row["second"]) == pytest.approx((first.mean, second.mean))
    assert (row["low"], row["high"]) == pytest.approx((expected.difference.low, expected.difference.high))
    assert (row["verdict"], row["games"]) == (expected.verdict, 300)


@pytest.mark.parametrize(
    ("text", "is_exact"), [("env.possible", True), ("env.possible * math.random()", False)]
)
def test_what_draws_random_numbers_is_played_where_results_are_computed(
    trials: Any, text: str, is_exact: bool
) -> None:
    trials(Trial("codemaker", {"colours": "3", "length": "2"}, games=9, sets=1, exact=True))
    program = named(f"// game: mastermind\nguess: {text}\n")
    (row,), turns = played(measured_of([program]))
    assert (row["exact"], row["lower"]) == (is_exact, True)
    assert (len(turns) == 1) == is_exact
    (row,), _ = played(measured_of([program, named(f"// game: mastermind\nguess: -{text}\n", "saved")]))
    assert row["exact"] == is_exact
    assert row["verdict"] in ("better", "not distinguished")


def test_programs_for_different_games_do_not_meet() -> None:
    programs: Sequence[Named] = [named(ALONE), named("// game: mastermind\nguess: env.possible\n", "saved")]
    with pytest.raises(UsageError, match="different games"):
        measured_of(programs)
    assert measured_of(read_named(["champion-15"], None))[1] == "decision"
