"""Sensors of one's own for a game of the package."""

import pickle
from inspect import unwrap
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.user_games.arena import first_of
from gpkit.user_games.extra_sensors import add_sensors

SENSORS = '''"""Sensors for Sevens."""

from gpkit import sensor


@sensor(0, 1, "1 if the card is a court card")
def court(seen, card):
    return seen.rules.pack.rank(card) >= 11


@sensor(1, 52, "cards in the own hand")
def cards_held(seen):
    return len(seen.hand)
'''
PROGRAM = "// game: sevens\nplay: env.court * 2.0 + env.cards_held\nsend: env.court\n"


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file of sensors and a program, and nothing named before or after."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(SENSORS)
    Path("court.tree").write_text(PROGRAM)
    monkeypatch.setattr(plugins, "here", plugins.Discovery())


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("list sensors", "env.court       sevens  0 to 1"),
        ("check court.tree", ""),
        ("run court.tree --opponent simple --games 3 --players 3", "win_share"),
        ("trace court.tree --players 3", "court  cards_held"),
        ("export court.tree --to lua", "env.court"),
        ("new arithmetic", "env.cards_held * 1 to 52"),
        ("draw court.tree", "env.court"),
    ],
)
def test_commands_take_the_sensors(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*line.split(), "--game", "sevens", "--sensors", "./mine.py"]) == 0
    assert told in capsys.readouterr().out
    plugins.here = plugins.Discovery()
    assert main(["check", "court.tree"]) == 1, "the game is as it was"


def test_programs_play_as_in_the_game_itself() -> None:
    plain = game_of("sevens")
    add_sensors("mine.py", "sevens")
    sensor_values = game_of("sevens")
    rules = sensor_values.make_rules({"players": "3"})
    deals = sensor_values.deal(stream(1, "sensed"), 2, rules)
    names = ("simple", "hold", "far-first")
    found = sensor_values.play([player_of_name(name, sensor_values) for name in names], deals, rules).values
    for number, key in enumerate(deals.keys.tolist()):
        dealt = plain.deal(stream(key, "sensed"), 1, rules.base)
        scores = plain.play([player_of_name(name, plain) for name in names], dealt, rules.base).values
        assert (found[number] == scores[0]).all()


def test_a_sensor_knows_what_the_player_knows() -> None:
    Path("mine.py").write_text(SENSORS.replace("len(seen.hand)", "len(seen.hands[0])"))
    add_sensors("mine.py", "sevens")
    game = game_of("sevens")
    rules, player = game.make_rules({"players": "2"}), player_of_text(PROGRAM, game, filename="court.tree")
    deals = game.deal(stream(1, "sensed"), 1, rules)
    with pytest.raises(GuestError, match=r"mine.py, line 13, in cards_held: AttributeError: .*'hands'"):
        game.play([player, player], deals, rules)


def test_another_process_reads_the_same_sensors() -> None:
    add_sensors("mine.py", "sevens")
    stored = pickle.dumps(game_of("sevens"))
    plugins.here = plugins.Discovery()
    again = pickle.loads(stored)  # noqa: S301
    assert again.offers["arithmetic"].sensor("env.court") is not None


@pytest.mark.parametrize(
    ("text", "game", "told"),
    [
        ("x = 1\n", "sevens", "mine.py has no sensors"),
        (SENSORS.replace("cards_held", "hand"), "sevens", "sevens has a sensor env.hand"),
        (SENSORS, "dots_and_boxes", "dots_and_boxes takes no formulas"),
        (SENSORS, "seven", "there is no game `seven`"),
    ],
)
def test_what_cannot_be_added_is_refused(text: str, game: str, told: str) -> None:
    Path("mine.py").write_text(text)
    with pytest.raises((GuestError, UsageError), match=told):
        add_sensors("mine.py", game)


def test_a_sensor_beyond_its_bounds_is_told_by_its_own_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text(SENSORS.replace("return len(seen.hand)", "return 99"))
    line = "run court.tree --opponent random --games 1 --players 3 --game sevens --sensors ./mine.py"
    assert main(line.split()) == 2
    told = "./mine.py, line 11, in cards_held: env.cards_held is 99; declared as a number from 1 to 52"
    assert told in capsys.readouterr().err


def test_all_sensors_of_a_state_are_given_one_observation() -> None:
    Path("mine.py").write_text(
        "GIVEN = []\n" + SENSORS.replace("    return", "    GIVEN.append(seen)\n    return")
    )
    add_sensors("mine.py", "sevens")
    game = game_of("sevens")
    rules = game.make_rules({})
    state = first_of(game, 1, rules, [Player("")] * game.players(rules))
    own = {each.sensor.name: each for each in game.sensors}
    for action in state.legal_actions():
        own["env.court"].sense(state, action)
        own["env.cards_held"].sense(state, action)
    given = unwrap(own["env.court"].function).__globals__["GIVEN"]
    assert len(given) == 2 * len(state.legal_actions())
    assert all(each is given[0] for each in given)
