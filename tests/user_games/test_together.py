"""Decisions that players take together: nothing is told before all have chosen, anywhere."""

import io
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import below, stream
from gpkit.gamekit.state import is_same_round
from gpkit.playing.session import GameSetup
from gpkit.user_games.arena import first_of
from gpkit.user_games.rules import Rules
from gpkit.web.play import frames, whole_page
from gpkit.web.play_table import PlayTable, seated
from gpkit.web.site import open_site

FILE = Path(__file__).with_name("together_games.py")

pytestmark = pytest.mark.usefixtures("nobodys")


def begun(**options: str) -> object:
    """The first state of the game itself."""
    game = game_of(name_game(str(FILE)))
    return first_of(game, 0, game.make_rules(options))


def told(table: PlayTable) -> list[tuple[str, str]]:
    """The moves on the page."""
    return whole_page("x", table, open_site(Path()))["moves"]


def test_page_tells_choices_when_all_have_chosen() -> None:
    name = name_game(str(FILE))
    table = seated(GameSetup(name, ("high",), {"opening": "0"}, 1, 0, 0), ("high",))
    assert table.session.state.current_player == 1
    assert len(table.session.changes) == 2, "the other has chosen"
    page = whole_page("x", table, open_site(Path()))
    assert page["moves"] == []
    assert "at the same time" in page["line"]
    assert ">4</text>" in page["boards"][0].partition("high")[2], "the own card 4"
    assert "player 1  -" in page["text"]
    table.act(0, 0)
    assert told(table) == [("You", "1"), ("high", "4")]
    assert frames(table, 0)
    table.act(1, 1)
    assert told(table)[:2] == [("You", "2"), ("high", "3")]


def test_terminal_tells_choices_when_all_have_chosen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1\nq\n")))
    assert main(["play", str(FILE), "--vs", "high", "--seat", "1", "--rules", "cards=3"]) == 0
    before, after = capsys.readouterr().out.split("legal: 1, 2, 3")
    assert "high:" not in before
    assert "high: 3" in after
    assert "hidden" not in before + after


@pytest.mark.usefixtures("brief_doctor")
def test_six_nimmt_keeps_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    path = FILE.with_name("nimmt.py")
    assert main(["doctor", "--game", str(path), "--rules", "size=2"]) == 0, capsys.readouterr().out
    name = name_game(str(path))
    table = seated(GameSetup(name, ("close",), {"size": "3"}, 2, 0, 0), ("close",))
    assert told(table) == []
    table.act(0, table.session.state.legal_actions()[-1])
    assert [who for who, _ in told(table)[-3:]] == ["You", "close 2", "close 1"]
    assert "a card, face down" not in {what for _, what in told(table)}


def test_trace_says_what_is_decided_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "high", "--game", str(FILE), "--rules", "kind=rps"]) == 0
    assert "scissors, together" in capsys.readouterr().out


@pytest.mark.parametrize(("kind", "exploited"), [("rps", "1.0000"), ("pennies", "1.0000")])
def test_values_are_exact(kind: str, exploited: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "run",
                "random",
                "--game",
                str(FILE),
                "--rules",
                f"kind={kind}",
                "--exact",
                "--opponent",
                "random",
            ]
        )
        == 0
    )
    assert "0.0000" in capsys.readouterr().out, "equal chances for everybody, and nobody can do better"
    assert main(["run", "high", "--game", str(FILE), "--rules", f"kind={kind}", "--exact"]) == 0
    assert exploited in capsys.readouterr().out


def compared(kind: str, spiel_name: str, cards: int, games: int) -> int:
    """The number of compared choices in random games, here and in OpenSpiel."""
    pyspiel = pytest.importorskip("pyspiel")
    openspiel = pytest.importorskip("gpkit.adapters.openspiel")
    other_game = openspiel.game_of_text(spiel_name)
    assert pyspiel.load_game(spiel_name).get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    rng, count = stream(7, kind), 0
    for number in range(games):
        state = begun(kind=kind, cards=str(cards))
        other = first_of(other_game, number, Rules.from_options({}, other_game.all_options, spiel_name))
        while not other.is_terminal:
            legal = list(other.legal_actions())
            assert legal == state.legal_actions()
            assert (other.current_player, other.together) == (state.current_player, True)
            action = legal[below(rng, len(legal))]
            before, state, other, count = state, state.apply(action), other.apply(action), count + 1
            if not other.is_terminal:
                assert is_same_round(before, state) == bool(other.chosen)
        while not state.is_terminal:  # OpenSpiel plays the last cards by itself
            (action,) = state.legal_actions()
            state = state.apply(action)
        assert other.returns() == state.returns()
    return count


GAMES = [
    ("rps", "matrix_rps()", 2),
    ("pennies", "matrix_mp()", 2),
    ("goofspiel", "goofspiel(num_cards=4,points_order=descending,returns_type=win_loss)", 4),
]


@pytest.mark.parametrize(("kind", "name", "cards"), GAMES)
def test_games_are_those_of_openspiel(kind: str, name: str, cards: int) -> None:
    assert compared(kind, name, cards, 20) >= 40


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name", "cards"), GAMES)
def test_games_are_those_of_openspiel_for_ten_thousand_choices(kind: str, name: str, cards: int) -> None:
    assert compared(kind, name, cards, 5_000 if cards == 2 else 1_700) >= 10_000


def test_parallel_environment_asks_all_who_choose() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import parallel_api_test

    from gpkit.adapters.pettingzoo import parallel_env

    environment = parallel_env(str(FILE), {"cards": 3})
    observations, _ = environment.reset(seed=1)
    assert [observations[each]["action_mask"][:3].tolist() for each in environment.agents] == [[1, 1, 1]] * 2
    observations, *_ = environment.step({"player_0": 2, "player_1": 0})
    assert observations["player_0"]["action_mask"][:3].tolist() == [1, 1, 0]
    assert observations["player_1"]["action_mask"][:3].tolist() == [0, 1, 1]
    observations, *_ = environment.step({"player_0": 1, "player_1": 1})
    _, rewards, ended, _, _ = environment.step({"player_0": 0, "player_1": 2})
    assert (rewards, all(ended.values()), environment.agents) == (
        {"player_0": 1.0, "player_1": -1.0},
        True,
        [],
    )
    with pytest.raises(ValueError, match="has to choose"):
        environment.reset(seed=2)
        environment.step({"player_0": 1})
    parallel_api_test(parallel_env(str(FILE)), num_cycles=20)
