"""Figures in pages that no other test reads: each is made of its record, and the page has it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from result_pages import Page, results, words

from gpkit.games.mastermind.game import GAME as MASTERMIND
from gpkit.games.mastermind.rules import MastermindRules
from gpkit.playing.named import opponent

ROOT = Path(__file__).parents[2]


def record(name: str) -> Any:
    """A record."""
    return json.loads((ROOT / "experiments" / "data" / f"{name}.json").read_text(encoding="utf-8"))


def guesses(name: str, rules: MastermindRules) -> float:
    """The exact mean of a breaker."""
    assert MASTERMIND.exact is not None
    players = [opponent(each, MASTERMIND) for each in (name, "codemaker")]
    return float(MASTERMIND.exact.expect(players, rules).mean)


def breaking_codes() -> Iterator[str]:
    """Sentences of the page on Mastermind."""
    found, champion = record("strength-mastermind"), record("strength-mastermind")["champion"]
    yield f"needs {champion['classic']:.4f}: only the optimal strategy above is better"
    yield f"it needs {champion['super']:.4f}, and entropy needs {found['entropy_super']:.4f}"
    without = [f"{guesses(name, MastermindRules(repeats=False)):.4f}" for name in ("champion", "entropy")]
    assert without[0] == without[1]
    yield f"In the game without repeats it needs {without[0]}, as entropy does."
    trees = [guesses("optimal", MastermindRules()), guesses("beam", MastermindRules(5, 8))]
    yield f"where the best trees known here take {trees[0]:.3f} and {trees[1]:.3f}"


def decision_trees() -> Iterator[str]:
    """Sentences of the page on decision trees."""
    shipped = {
        one["name"]: {result["opponent"]: result["mean"] for result in one["results"]}
        for one in record("strength-decisions")["shipped"]
    }
    champion, steps = shipped["champion-15"], shipped["steps"]
    searched = {
        one["opponent"]: one["mean"]
        for one in record("strength-sevens-table")["results"]
        if (one["program"], one["players"]) == ("searched-40", 3)
    }
    yield (
        f"wins {champion['random']:.3f} of its games against two `random` and {champion['simple']:.3f} against two "
        f"`simple`; `steps`, which is written by hand, plays as `simple` does ({steps['random']:.3f} and "
        f"{steps['simple']:.3f}). The formula `searched-40` wins {searched['random']:.3f} and {searched['simple']:.3f}"
    )
    parameters = record("decision-parameters")
    both, _ = parameters["rows"]
    low, high = both["ci95"]
    yield f"wins {both['measured']:.3f} more ({low:.3f} to {high:.3f}) than node replacement alone"
    assert (both["verdict"], both["units"]) == ("open", 10), (
        "the page says that it is not decided by ten runs"
    )


def hidden_cards() -> Iterator[str]:
    """Sentences of the page on how it works on tables of other sizes."""
    found = {
        match["players"]: (match["mean"], *match["ci95"])
        for match in record("strength-sevens-search")["matches"]
        if match["player"] == "pimc:200" and match["opponent"] == "champion" and match["policy"] == "champion"
    }
    mean, low, high = next(
        (match["mean"], *match["ci95"])
        for match in record("strength-sevens-search")["matches"]
        if (match["player"], match["opponent"]) == ("pimc:200", "simple")
    )
    formula = next(
        one["mean"]
        for one in record("strength-sevens-table")["results"]
        if (one["program"], one["opponent"], one["players"]) == ("searched-40", "simple", 3)
    )
    yield (
        f"Against two `simple`, `pimc:200` wins {mean:.3f} ({low:.3f} to {high:.3f}), less than the "
        f"{formula:.3f} that the formula `searched-40` wins."
    )
    four, five, two = ("{:.3f} ({:.3f} to {:.3f})".format(*found[players]) for players in (4, 5, 2))
    yield f"`pimc:200` wins {four}, at tables of five {five} against an even 0.2, and at tables of two {two} against"


def scouting() -> Iterator[str]:
    """Sentences of the page on build orders."""
    found = record("scouting-build_order")
    best = next(plan for plan in found["plans"] if plan["plan"] == "the best list for both attacks")[
        "scout_better_by"
    ]
    mean, low, high = (f"{value:.3f}".removeprefix("0") for value in (best["mean"], *best["ci95"]))
    yield f"{found['play']['games']:,} games each, the scout's lead on the same games is {mean} ({low} to {high})"
    least = {one["goal"]: one["ticks"] for one in record("optimum-build_order")["results"]}
    runs = {one["goal"]: one["8_pool"] for one in record("plans-build_order")["results"]}
    pool, ticks = runs["zerglings=6"], least["zerglings=6"]
    yield f"{pool - ticks} ticks slower than `earliest`: {ticks} ticks are the least for six zerglings"


def plans() -> Iterator[str]:
    """Sentences of the page on plans."""
    found = {
        (one["goal"], bool(one["exercises"])): sum(lack == 0 for lack in one["lacks"])
        for one in record("plans-build_order")["results"]
    }
    yield f"{found['zerglings=6', False]} of 5 runs from random plans reach the minimum of ticks"
    assert found["zerglings=12", False] == found["drone=16", False] == 0
    yield "0 of 5 runs reach it for more zerglings or drones"
    reach = [found[goal, True] for goal in ("zerglings=12", "drone=16")]
    yield f"with exercises {reach[0]} of 5 and {reach[1]} of 5 do"


def test_readme_compares_by_numbers_of_the_results() -> None:
    """The times of evolutions are those of the record, and every other number is on a page of results."""
    rows = [line for line in Page("README.md").text.splitlines() if re.match(r"\| (\[|MCTS)", line)]
    times = record("formula-speed")["times_gpkit"]
    assert f" {times['deap']['median']:.1f} times" in rows[0]
    assert f" {times['pyoperon']['median']:.2f} times" in rows[1]
    pages = [results(name).text for name in ("index", "data", "deap", "dots-and-boxes", "sevens")]
    found = {word for page in pages for word in words(page)} | {"1,000", "3"}
    assert [word for row in rows for word in words(row) if word not in found and word[0] != "`"] == []
    assert len(rows) == 5


def test_the_header_of_the_breaker_says_what_its_record_has() -> None:
    found, champion = record("strength-mastermind"), record("strength-mastermind")["champion"]
    header = Page("programs/mastermind/champion.tree")
    assert f"{champion['classic']:.4f} guesses over all 1296 secrets of the classic game" in header
    assert f"{champion['super']:.4f} over all 32,768 of the super game" in header
    assert (
        f"(entropy: {guesses('entropy', MastermindRules()):.4f} and {found['entropy_super']:.4f})" in header
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("other-games", breaking_codes),
        ("sevens", decision_trees),
        ("sevens", hidden_cards),
        ("other-games", scouting),
        ("other-games", plans),
    ],
    ids=lambda each: each if isinstance(each, str) else each.__name__,
)
def test_a_page_says_what_its_records_have(name: str, said: Any) -> None:
    page = results(name)
    for sentence in said():
        assert sentence in page
