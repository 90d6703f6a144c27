"""What every entry of a registry owes the rest: tested over the registries, so a new slice is tested unasked."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gpkit.api import health
from gpkit.cli.commands import COMMANDS, all_commands
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.primitives import PORTABLE, RANDOM
from gpkit.core.registry import (
    DEFAULT_LANGUAGE,
    GAMES,
    LANGUAGES,
    Entry,
    data_folder,
    find,
    game_of,
    language_of,
    name_game,
    papers,
)
from gpkit.core.rng import stream
from gpkit.gamekit.sensors import sensor
from gpkit.langkit.findings import explanations_in
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.user_games.contract.examine import MEANINGS
from gpkit.user_games.contract.game_under_test import check_twins

PACKAGE = Path(__file__).resolve().parent.parent / "gpkit"
PROGRAMS = sorted(
    path for path in data_folder("programs").rglob("*") if path.suffix in {e.suffix for e in LANGUAGES}
)

AS_PRINTED = ("battleship/figure8-as-printed.sink",)
"""Programs that are kept as their source has them: they can be read, but are neither in canonical layout nor sound."""

TAKE_LONG = ("dots_and_boxes/champion.rules", "games/connect_four/", "games/leduc_poker/")
"""The beginnings of the names of programs that play only in the release tests."""


def _name(value: Entry | Path) -> str:
    return value.relative_to(data_folder("programs")).as_posix() if isinstance(value, Path) else value.name


def _game(path: Path, name: str) -> Any:
    """The game of a shipped program: of the package, or of the file beside the folder of its programs or levels."""
    found = [file for each in path.parents[:2] if (file := each.with_suffix(".py")).exists()]
    return game_of(name_game(str(found[0])) if found else name)


pytestmark = pytest.mark.usefixtures("none_named")


@pytest.mark.parametrize("entries", [GAMES, LANGUAGES], ids=["games", "languages"])
def test_every_entry_loads_the_value_of_its_name(entries: tuple[Entry, ...]) -> None:
    assert len({entry.name for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.load().name == entry.name
        assert entry.title


def test_every_paper_has_a_name_of_its_own_and_a_title_and_loads() -> None:
    entries = papers()
    assert len({entry.name for entry in entries}) == len(entries) > 0
    assert all(entry.title and entry.load().efforts for entry in entries)


@pytest.mark.parametrize(("folder", "entries"), [("games", GAMES), ("languages", LANGUAGES)])
def test_no_slice_lies_outside_its_registry(folder: str, entries: tuple[Entry, ...]) -> None:
    slices = {path.parent.name for path in (PACKAGE / folder).glob("*/__init__.py")}
    assert slices == {entry.name for entry in entries}


def test_every_command_is_in_the_table() -> None:
    modules = {
        path.stem: import_module(f"gpkit.cli.{path.stem}") for path in (PACKAGE / "cli").glob("[a-z]*.py")
    }
    with_command = {
        name
        for name, each in modules.items()
        if hasattr(each, "command") or callable(getattr(each, name, None))
    }
    assert with_command - {"main"} == {line.name for line in COMMANDS if line.module.startswith("gpkit.cli.")}


@pytest.mark.parametrize("entry", [each for each in GAMES if each.has_part("commands")], ids=_name)
def test_every_command_of_a_game_is_in_its_table(entry: Entry) -> None:
    part = entry.part("commands")
    functions = {each for each in vars(part).values() if hasattr(each, "__wrapped__")}
    assert functions == set(part.COMMANDS)


def test_no_two_commands_have_one_name() -> None:
    names = [line.name for line in all_commands()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("entry", LANGUAGES, ids=_name)
def test_language_has_its_suffix_grammar_and_template(entry: Entry) -> None:
    assert language_of(f"a{entry.suffix}") == entry
    assert (data_folder("grammars") / f"{entry.name}.lark").is_file()
    language = entry.load()
    assert language.suffix == entry.suffix
    spoken = [game for game in GAMES if entry.name in game.load().offers]
    assert spoken, "some game takes its programs"
    for game in spoken:
        offers = game.load().offers
        text = language.template(offers[entry.name])
        source = language.parse(text, "new")
        assert source.header["game"] == game.name
        assert set(source.header) <= {"game", "Actions"}
        assert all(sensor.name in text for sensor in offers[entry.name].sensors)
        assert language.check(source, offers) == ()
        assert language.format_source(source) == text


@pytest.mark.parametrize("entry", LANGUAGES, ids=_name)
def test_every_finding_of_a_language_is_explained(entry: Entry) -> None:
    for code, explanation in explanations_in(entry.folder).items():
        assert code[0] in "EWI"
        assert code[1:].isdigit()
        assert len(code) == 4
        assert len(explanation) > 40


def test_no_two_languages_have_a_code_in_common() -> None:
    codes = [code for entry in LANGUAGES for code in explanations_in(entry.folder)]
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("entry", GAMES, ids=_name)
def test_alphabets_name_sensors_and_operators_that_exist(entry: Entry) -> None:
    offers = entry.load().offers
    names = [alphabet.name for primitives in offers.values() for alphabet in primitives.alphabets]
    assert len(set(names)) == len(names), "an alphabet says its language"
    for primitives in offers.values():
        assert primitives.game == entry.name
        assert len(set(primitives.sensor_names)) == len(primitives.sensors)
        for alphabet in primitives.alphabets:
            assert set(alphabet.sensors) <= {RANDOM, *primitives.sensor_names}
            assert set(alphabet.operators) <= set(PORTABLE)
            assert primitives.alphabet(alphabet.name) == alphabet


@sensor(0, 1, "nothing")
def nothing(state: Any) -> float:
    return 0


@pytest.mark.parametrize("entry", GAMES, ids=_name)
def test_every_sensor_is_compiled_and_exported_or_the_contract_says_which_is_not(entry: Entry) -> None:
    game = entry.load()
    assert list(check_twins(game)) == []
    assert {each.sensor for each in game.sensors} >= {s for o in game.offers.values() for s in o.sensors}
    faults = list(check_twins(replace(game, sensors=(*game.sensors, nothing))))
    assert {fault.member for fault in faults} == {"env.nothing"}
    assert ["Lua" in fault.message for fault in faults] == [False, True][
        : 1 + any((PACKAGE / "games" / entry.name).glob("lua/*.lua"))
    ]
    moved = replace(game, sensors=(nothing, *game.sensors))
    assert len({fault.member for fault in check_twins(moved)}) > len(game.sensors) / 2


@pytest.mark.release
def test_the_contract_finds_a_sensor_whose_compiled_twin_has_other_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of("sevens")
    rules, view = game.make_rules({}), game.view
    monkeypatch.setattr(health, "TWINS_FOR", 100.0)
    sensors = len(game.offers[DEFAULT_LANGUAGE].sensors)
    assert health.unlike_twins(game, rules, 0) == ((), sensors)
    wrong = replace(
        view, sensors=lambda *asked: {**view.sensors(*asked), "env.rank": view.sensors(*asked)["env.dist"]}
    )
    monkeypatch.setattr("gpkit.games.sevens.forms.view.VIEW", wrong)
    found = [each for seed in range(2) for each in health.unlike_twins(game, rules, seed)[0]]
    assert {each.member for each in found} == {"env.rank"}
    assert {each.check for each in found} == {"twins"} <= MEANINGS.keys()
    assert "in the compiled game and" in found[0].message


@pytest.mark.usefixtures("brief_doctor")
@pytest.mark.parametrize("limit", [pytest.param(health.TWINS_FOR, marks=pytest.mark.release), 0.0])
def test_doctor_says_how_many_sensors_it_compared_with_their_twins(
    monkeypatch: pytest.MonkeyPatch, limit: float
) -> None:
    monkeypatch.setattr(health, "TWINS_FOR", limit)
    found = health.examined_game("mastermind", {}, 0)
    assert found.twins_compared is not None
    assert 1 <= found.twins_compared <= (found.twins if limit else 1)
    said = f"Sensors compared with their compiled twins: {found.twins_compared} of {found.twins}."
    assert said in [*found.told()]
    assert found.to_json()["twins_compared"] == found.twins_compared


@pytest.mark.usefixtures("brief_doctor")
def test_doctor_explains_errors_of_the_compiled_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*asked: object) -> None:
        raise ZeroDivisionError("no such card")

    broken = replace(game_of("mastermind"), play=play)
    monkeypatch.setattr(health, "game_of", lambda name: broken)
    with pytest.raises(GuestError, match="no such card"):
        health.examined_game("mastermind", {}, 0)


@pytest.mark.parametrize("entry", GAMES, ids=_name)
def test_every_opponent_of_a_game_can_be_seated(entry: Entry) -> None:
    game = entry.load()
    for name in (*game.programs, *game.builtins):
        assert player_of_name(name, game).name.partition(":")[0] == name


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.release] * (_name(path).startswith(TAKE_LONG)))
        for path in PROGRAMS
    ],
    ids=_name,
)
def test_shipped_program_is_valid_canonical_and_plays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    language = language_of(path.name).load()
    source = language.parse(text, path.name)
    game = _game(path, source.header["game"])
    assert [d.message for d in language.check(source, game.offers) if d.severity == "error"] == []
    assert (language.format_source(source) == text) == (_name(path) not in AS_PRINTED)

    agent = player_of_text(text, game, filename=path.name)
    rules = game.make_rules({})
    deals = game.deal(stream(1, "test"), 2, rules)
    others = [player_of_name(game.rivals(rules)[0], game)] * (game.players(rules) - 1)
    scores = game.play([agent, *others], deals, rules)
    assert (scores.invalid == 0) == (_name(path) not in AS_PRINTED)
    assert scores.values.shape == (2, game.seatings(rules))


def test_unknown_names_meet_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no game `seven`; did you mean `sevens`\?"):
        find(GAMES, "seven", "game")
    with pytest.raises(UsageError, match=r"no language has the suffix `.txt` of a.txt; known: .*--lang"):
        language_of("a.txt")
    assert language_of("a.txt", "arithmetic").suffix == ".tree"
