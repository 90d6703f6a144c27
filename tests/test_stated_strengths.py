"""Strengths that headers of shipped programs state, measured anew: the number lies in the interval, or is exact."""

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from kernel_marks import compiled_only

from gpkit.analysis.evaluation import training_in
from gpkit.core.registry import GAMES, game_of, shipped_programs
from gpkit.gamekit.game import Game
from gpkit.playing.contest import Match, play_matches
from gpkit.playing.named import opponent, text_and_language

SEED = 411_001

PLAYED = 10_000
"""Games of a program whose strength is sampled, against each opponent that it was trained on."""

SLOW = {"posterior": 1_000, "marksman": 3_000}
"""The same where a game takes long."""

LONG = (
    ("dots_and_boxes", "champion"),
    ("dots_and_boxes", "double-dealer"),
    ("dots_and_boxes", "learned-21"),
    ("battleship", "marksman"),
    ("battleship", "posterior"),
)
"""Programs whose results take longest to compute, which are left to the release tests."""

VALIDATED = 1_500
"""Deals, at least, on which evolution measured the score in a header, which is uncertain itself."""


def header_of(path: Path) -> Mapping[str, str]:
    """The header of a program."""
    text, language = text_and_language(str(path), None)
    header: Mapping[str, str] = language.parse(text, path.name).header
    return header


def stating(line: str) -> Iterator[Any]:
    """Game, name and file of the shipped programs whose header has a line; those of former champions are left out."""
    for entry in GAMES:
        for name, path in shipped_programs(entry.name).items():
            header = path.read_text(encoding="utf-8")  # not parsed: tests are collected often
            if re.search(rf"^(//|#) {line}: ", header, re.M) and "former champions" not in header:
                marks = [pytest.mark.release] * ((entry.name, name) in LONG)
                yield pytest.param(entry.name, name, path, marks=marks)


def rules_in(header: Mapping[str, str]) -> dict[str, str]:
    """The options in the lines ``rules`` and ``board``."""
    options = dict(pair.split("=", 1) for pair in header.get("rules", "").split())
    return options | ({"board": header["board"]} if "board" in header else {})


def test_headers_state_strengths() -> None:
    assert any(stating("rates"))
    assert any(stating("score"))


@pytest.mark.parametrize(("game", "name", "path"), [*stating("rates")], ids=lambda part: str(part)[-30:])
@compiled_only
def test_rates_are_exact(game: str, name: str, path: Path) -> None:
    rules_of: Game = game_of(game)
    assert rules_of.exact is not None
    header = header_of(path)
    rules = rules_of.make_rules(rules_in(header))
    rates = re.findall(r"(\S+) ([0-9.]+)(?:,|$)", header["rates"])
    assert rates
    for rival, rate in rates:
        found = rules_of.exact.expect((opponent(name, rules_of), opponent(rival, rules_of)), rules)
        assert f"{found.mean:.4f}" == rate, rival


@pytest.mark.parametrize(("game", "name", "path"), [*stating("score")], ids=lambda part: str(part)[-30:])
@compiled_only
def test_score_lies_in_the_interval(game: str, name: str, path: Path) -> None:
    rules_of: Game = game_of(game)
    header = header_of(path)
    training = training_in(header, rules_of)
    assert training is not None
    player = opponent(name, rules_of)
    rivals = training.setups[0].opponents
    rules = rules_of.make_rules(rules_in(header))
    games = SLOW.get(name, PLAYED)
    found = [
        result.interval
        for rival in rivals
        for result in play_matches(
            rules_of, [Match(player, (opponent(rival, rules_of),))], rules=rules, seed=SEED, games=games
        )
    ]
    score = rules_of.metric(rules).direction * float(header["score"])
    mean = sum(each.mean for each in found) / len(found)
    half = math.sqrt(sum(each.half_width**2 for each in found)) / len(found)
    deals = games / rules_of.seatings(rules)
    assert abs(mean - score) <= half * math.sqrt(1 + deals / VALIDATED)
