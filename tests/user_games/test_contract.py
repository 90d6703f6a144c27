"""The contract of games: each of its checks kills mutants of two clean games, and names the function."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from case_files import case_tables

from gpkit.api import health
from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.core.timeouts import watched
from gpkit.playing import trace
from gpkit.playing.trace import steps_from
from gpkit.user_games.arena import first_of
from gpkit.user_games.contract import examine as contract_examine
from gpkit.user_games.contract import game_under_test
from gpkit.user_games.contract.examine import MEANINGS, Examined, examine
from gpkit.user_games.contract.game_under_test import subject_of

EXAMPLES = sorted((data_folder("programs") / "games").glob("*.py"))
CARDS = Path(__file__).with_name("cards.py")
TOGETHER = Path(__file__).with_name("together_games.py")
NIM = data_folder("programs") / "games" / "nim.py"
SQUARES = data_folder("programs") / "games" / "tic_tac_toe.py"

GAMES = 4

MANY = 12
"""Games in which ties are met."""


@pytest.fixture(autouse=True)
def folder(nobodys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder to work in; kernels play few games."""
    monkeypatch.setattr(game_under_test, "GAMES_COMPARED", 2)


def examined(path: str, games: int = GAMES) -> Examined:
    """The game of a file held against the contract."""
    game = game_of(name_game(path))
    with watched(0.1, plugins.is_named):
        rules = game.make_rules({"longest": "200"})
        subject = replace(subject_of(game, rules), steps=steps_from(game, rules))
        return examine(subject, 0, games, lambda: False)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path, marks=[pytest.mark.release] * (path.stem in ("connect_four", "leduc_poker", "liars_dice"))
        )
        for path in (CARDS, TOGETHER, *EXAMPLES)
    ],
    ids=lambda path: path.stem,
)
def test_games_that_are_clean_keep_the_contract(path: Path) -> None:
    found = examined(str(path), games=3)
    assert found.findings == ()
    assert found.games == 3
    assert not found.dealt_anew or min(found.alike) > 0


@pytest.mark.parametrize("broken", ["facts_of_game", pytest.param("explain", marks=pytest.mark.release)])
def test_errors_on_the_way_to_the_facts_of_a_step_are_findings(
    monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def fails(*asked: object) -> None:
        raise ZeroDivisionError("no such card")

    game = game_of("mastermind")
    rules = game.make_rules({})
    monkeypatch.setattr(trace, broken, fails)
    found = examine(replace(subject_of(game, rules), steps=steps_from(game, rules)), 0, 1, lambda: True)
    assert {(each.check, each.message) for each in found.findings} == {
        ("facts", "raises ZeroDivisionError: no such card")
    }


RANK = "return state.cards[state.current_player]"

MUTANTS = case_tables("games/mutants.toml")
MUTANTS_OF_CARDS, MUTANTS_OF_SQUARES, MUTANTS_OF_TOGETHER = (
    [tuple(each) for each in MUTANTS[game]] for game in ("cards", "squares", "together")
)
"""The check that is meant, the function that it names, a piece of the text, and what is put in its place."""

MUTANTS_OF_KERNELS = [
    ("kernel", "fast_legal", "for count in range(game[HEAPS + heap]):", "for count in range(99):"),
    ("kernel", "fast_sense", "values[3] = total", "values[3] = total + 1"),
    ("kernel", "pack", "*state.heaps, *[0]", "*state.heaps, 0, *[0]"),
]
"""Mutants of Nim."""

GROUPS = (
    (CARDS, MUTANTS_OF_CARDS),
    (SQUARES, MUTANTS_OF_SQUARES),
    (TOGETHER, MUTANTS_OF_TOGETHER),
    (NIM, MUTANTS_OF_KERNELS),
)


def mutants() -> Iterator[object]:
    """One of every check, and the others, which are left to the release tests."""
    seen: set[str] = set()
    for clean, group in GROUPS:
        for number, (check, *rest) in enumerate(group):
            marks = [pytest.mark.release] * (check in seen)
            seen.add(check)
            name = f"{clean.stem}-{number}-{check.replace(' ', '-')}"
            yield pytest.param(clean, check, *rest, id=name, marks=marks)


@pytest.mark.parametrize(("clean", "check", "function", "old", "new"), list(mutants()))
def test_mutants_are_killed_by_the_check_that_is_meant(
    clean: Path, check: str, function: str, old: str, new: str
) -> None:
    text = clean.read_text()
    assert text.count(old) >= 1
    text = text.replace(old, new, 1).replace("from gpkit import", "COUNT = []\nfrom gpkit import", 1)
    Path("mutant.py").write_text(text)
    found = examined("./mutant.py", GAMES if clean is CARDS else MANY)
    named = {(each.check, each.place.function if each.place else each.member) for each in found.findings}
    assert (check, function) in named, found.findings
    for each in found.findings:
        assert each.place is not None
        assert each.place.file == "./mutant.py"


def test_every_check_kills_a_mutant() -> None:
    twins = {"twins"}  # only games of the package have them
    assert {mutant[0] for _, group in GROUPS for mutant in group} == set(MEANINGS) - twins


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command takes less time than it would for a person."""
    monkeypatch.setattr(contract_examine, "GAMES", 4)
    monkeypatch.setattr(health, "PATIENCE", 0.1)
    monkeypatch.setattr(health, "ENOUGH", 0.001)


def test_command_tells_what_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick(monkeypatch)
    assert main(["doctor", "--game", str(CARDS)]) == 0
    said = capsys.readouterr().out
    assert [line.split("  ")[0] for line in said.splitlines()[1:] if "  ok " in line] == list(MEANINGS)
    assert "cards: 4 random games of at most 5 actions" in said
    assert "resample redeals it, too" in said
    assert "games a second.\nPages show the board" in said


def test_command_tells_where_what_is_wrong_and_how_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick(monkeypatch)
    text = CARDS.read_text().replace(RANK, "return state.cards[0]")
    Path("leak.py").write_text(text)
    line = next(number for number, each in enumerate(text.splitlines(), start=1) if "def card(" in each)
    assert main(["doctor", "--game", "./leak.py", "--seed", "3"]) == 1
    said = capsys.readouterr().out
    assert "hidden         FAILS" in said
    assert f"./leak.py, line {line - 1}, in card: shows player 1 more than its observation does" in said
    assert "of --seed 3" in said
    assert main(["doctor", "--game", "./leak.py", "--json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["check"], finding["place"]["line"]) == ("hidden", line - 1)
    game = game_of("cards")
    state = first_of(game, 0, game.make_rules({}))
    for action in finding["actions"]:
        state = state.apply(action)
    assert state.current_player == 1, "the actions lead there"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import nothing_of_that_name\n", "bad.py, line 1: ModuleNotFoundError"),
        ("x = 1\nwhile x:\n    pass\n", "timed out"),
        ("", "bad.py has no game"),
    ],
)
def test_files_that_cannot_be_imported_are_told(
    text: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick(monkeypatch)
    Path("bad.py").write_text(text)
    assert main(["doctor", "--game", "bad.py"]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.usefixtures("brief_doctor")
@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("place: env.thiers", "no sensor `env.thiers`"),
        pytest.param("lay: env.own", "lay", marks=pytest.mark.release),
        pytest.param("place: env.own +", "place: env.own +", marks=pytest.mark.release),
    ],
)
def test_opponents_that_are_no_formulas_are_found(
    formula: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (data_folder("programs") / "games" / "tic_tac_toe.py").read_text()
    assert '"place: env.own"' in text
    (tmp_path / "mine.py").write_text(text.replace('"place: env.own"', f'"{formula}"'))
    assert main(["doctor", "--game", str(tmp_path / "mine.py")]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "greedy" in said
    assert told in said
