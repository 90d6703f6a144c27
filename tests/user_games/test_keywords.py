"""Every keyword of ``gpkit.game``: games in files set each, and what follows from it is seen from outside."""

import inspect
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import gpkit
from gpkit.api import health
from gpkit.cli.main import main
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.sensors import encoding_of

PILE, WALK = (Path(__file__).with_name(name) for name in ("pile.py", "walk.py"))

MOST_FIELDS = 22

pytestmark = pytest.mark.usefixtures("nobodys")

Said = Callable[[str], str]


def keywords(function: Callable[..., object]) -> set[str]:
    """The keywords of a function, without its positional arguments."""
    known = inspect.signature(function).parameters.values()
    return {each.name for each in known if each.kind is each.KEYWORD_ONLY}


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    """Runs a command on a game in a file; gives what it says, in one text."""
    monkeypatch.setattr(health, "LAST_RESORT", 300.0)  # the kernel is compiled, on a machine that may be busy

    def run(line: str, game: Path = PILE) -> str:
        capsys.readouterr()
        main([*line.split(), "--game", str(game)])
        return "".join(capsys.readouterr())

    return run


def test_every_field_is_a_keyword_that_is_explained() -> None:
    known = {each.name for each in fields(Game)} - {"name", "first"}
    assert len(fields(Game)) <= MOST_FIELDS
    assert known == keywords(gpkit.game) - {"decisions", "encoding", "view"}, (
        "in the primitive sets and forms"
    )
    documented = inspect.getdoc(gpkit.game) or ""
    assert all(f"\n    {name}: " in documented for name in (*keywords(gpkit.game), "name", "begin"))


def test_these_games_set_them_all() -> None:
    text = PILE.read_text() + WALK.read_text()
    assert {name for name in keywords(gpkit.game) if f"    {name}=" in text} == keywords(gpkit.game)


@pytest.mark.parametrize(
    ("keyword", "line", "words"),
    [
        ("title", "list games", "sticks on a pile"),
        ("sensors", "list sensors", "sticks that are left"),
        ("facts", "trace greedy --opponent giver --until pile<4 --json", '"pile": 3.0}'),
        ("options", "list rules", "sticks at the beginning"),
        ("players", "trace greedy --opponent giver --seat 1", "step 1: giver: one"),
        ("metric", "run greedy --opponent giver --games 4", "points"),
        ("opponents", "list opponents", "greedy   pile  program"),
        ("opponents", "list opponents", "giver    pile  built in   Takes one stick"),
        ("opponents", "list opponents", "lake     pile  placement  sticks in a lake"),
        ("opponents", "run taker:4 --games 4", "expected 1 to 3 sticks after the colon"),
        ("rivals", "run greedy --games 4", "taker:2"),
        ("kernel", "doctor", "kernel"),
        ("offers", "list alphabets", "plain"),
        ("play", "run taker:3 --opponent giver --games 4", "taker:3"),
        ("choose", "trace taker:3 --opponent giver", "step 1: taker:3: three"),
        ("exact", "run taker:3 --opponent giver --exact", "2.0000        2.0000"),
        ("memory", "series counter giver --games 4 --repeat 3", "the unit is the series"),
        ("check", "trace greedy --opponent giver --rules sticks=13", "13 sticks are unlucky"),
        ("forms", "run greedy --ladder", "giver    sticks=9"),
        ("view", "trace greedy --opponent giver", "4 sticks"),
    ],
)
def test_a_keyword_is_seen_in_commands(keyword: str, line: str, words: str, said: Said) -> None:
    assert words in said(line), keyword


@pytest.mark.usefixtures("brief_doctor")
@pytest.mark.parametrize("game", [PILE, WALK])
def test_the_games_keep_the_contract(game: Path, said: Said) -> None:
    assert "FAILS" not in (report := said("doctor", game))
    assert "states checked" in report


def test_courses_and_deals_are_those_that_are_declared(said: Said) -> None:
    (found,) = json.loads(said("run greedy --opponent giver --games 40 --json").partition("\n}")[0] + "}")[
        "results"
    ]
    assert (found["games"], found["different_games"]) == (40, 2)
    game = game_of(name_game(str(PILE)))
    keys = game.deal(stream(1, "even keys"), 50, game.make_rules({})).keys
    assert not (keys % 2).any()


def test_numbers_are_those_of_the_encoding() -> None:
    game = game_of(name_game(str(PILE)))
    rules = game.make_rules({})
    state = game.begin((), game.deal(stream(1, "numbers"), 1, rules), rules)
    found = encoding_of("pile")
    assert found.actions(rules) == 3
    assert np.array_equal(found.encode(state, 0), [[6.0], [5.0], [4.0]])


def test_plans_and_decisions_are_those_that_are_declared(said: Said) -> None:
    assert "even:" in (new := said("new arithmetic", WALK))
    assert "odd:" in new
    Path("three.plan").write_text("// game: walk\nrepeat 3\n  do go\nend\n")
    assert "0 errors" in said("check three.plan", WALK)
    assert "6.0" in said("run three.plan --games 4", WALK)
    assert "days of three: 6" in said("trace three.plan", WALK)
    assert "take a step" in said("list instructions", WALK)
