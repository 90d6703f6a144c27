"""The reference of games in a file: its examples are a game that plays, and it lists all that is asked of a state."""

import ast
import inspect
import json
import re
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

import gpkit
from gpkit.cli.main import main
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.gamekit.facts import GIVEN
from gpkit.gamekit.state import MEMBERS, State
from gpkit.user_games.arena import first_of

sys.path.append(str(data_folder("programs").parent / "docs" / "hooks"))  # as MkDocs does
from own_games import keywords

PAGE = data_folder("programs").parent / "docs" / "reference" / "own-games.md"

pytestmark = pytest.mark.usefixtures("nobodys")

HEAD = '''"""The game of the reference."""

from dataclasses import dataclass

from gpkit import CHANCE, Metric, fact, game, sensor
from gpkit.gamekit.state import Candidate
from gpkit.vm.keyed import KeyedDraws
'''

TAIL = """
@sensor(0, 4, "the own card")
def own(state):
    return state.cards[state.current_player]


@sensor(0, 1, "1 for a bet")
def betting(state, action):
    return action


GAME = game("cards", State, sensors=[own, betting], facts=[{facts}], metric=Metric("won", -3.0, 3.0, total=0.0),
            opponents={{"bold": "say: env.betting", "careful": "say: env.betting * (env.own - 2)"}})
"""

WRAPPED = {"position", "first", "past", "worlds"}
"""Attributes of states that gpkit wraps around those of a file."""

ASKED = ("state", "position", "first", "own")
"""The last word of what is a state where the code asks whether it has a member."""


def blocks() -> dict[str, str]:
    """The code on the page of games in a file, by the heading above it."""
    block = r"^##+ ([^#\n]*)\n[^#]*?^```python\n(.*?)\n```$"
    return dict(re.findall(block, PAGE.read_text(), re.MULTILINE | re.DOTALL))


def written(folder: Path = Path()) -> str:
    """The file of the game, made up of the examples."""
    members = "\n\n".join(indent(example, "    ") for _, example in MEMBERS.values())
    opening, *examples = blocks().values()
    facts = "\n\n\n".join(examples)
    names = ", ".join(each.name for each in ast.parse(facts).body if isinstance(each, ast.FunctionDef))
    (folder / "cards.py").write_text(
        f"{HEAD}\n{opening}\n\n{members}\n\n\n{facts}\n\n{TAIL.format(facts=names)}"
    )
    return str(folder / "cards.py")


def asked() -> set[str]:
    """The members that the code asks states for."""
    found = set()
    for room in ("gamekit", "user_games", "playing"):
        for path in Path(gpkit.__file__).parent.joinpath(room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in ("hasattr", "getattr"):
                    subject, name, *_ = node.args
                    if ast.unparse(subject).split(".")[-1] in ASKED and isinstance(name, ast.Constant):
                        found.add(name.value)
    return found


def test_all_that_is_asked_of_a_state_is_listed() -> None:
    assert {name for name in asked() if not name.startswith("_")} - WRAPPED <= set(MEMBERS)
    assert [name for name in MEMBERS if hasattr(State, name)] == list(MEMBERS)[:6]


@pytest.mark.release
@pytest.mark.usefixtures("brief_doctor")
def test_the_examples_are_a_game_that_keeps_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--game", written()]) == 0
    assert "FAILS" not in capsys.readouterr().out
    game = game_of(name_game("cards.py"))
    state: Any = first_of(game, 0, game.make_rules({})).apply(3).apply(1)
    assert [each.action for each in state.candidates(None, 5)] == [0, 1]
    assert 0 <= state.random_numbers(5, 1)() < 1
    assert (state.action_count, state.parse_action("BET"), state.question_text()) == (
        2,
        1,
        "bet on your card, or pass",
    )


def test_the_facts_of_the_examples_are_said_and_found(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["trace", "careful", "--opponent", "bold", "--game", written(), "--until", "word == bet"]
    assert main(line) == 0
    assert "(bets_before 0, is_bet 1, bets 1, card " in capsys.readouterr().out
    assert main([*line, "--json"]) == 0
    *_, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert last["values"]["word"] == "bet"


def test_every_argument_of_a_fact_has_an_example() -> None:
    assert list(blocks()) == ["Members of a state", *GIVEN]


def test_every_keyword_is_explained() -> None:
    assert list(keywords()) == list(inspect.signature(gpkit.game).parameters)
