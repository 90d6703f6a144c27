"""The balance of a game: figures with known answers."""

import json
from pathlib import Path

import pytest

import gpkit
from gpkit.cli.main import main

HIGH_CARD = '''
"""High card: both see what chance deals, say something, and the higher card wins."""

from dataclasses import dataclass, replace

from gpkit import CHANCE, game, option, sensor


@dataclass(frozen=True, slots=True)
class State:
    by: str
    card: int = -1
    said: tuple[int, ...] = ()
    decision = "say"

    @property
    def current_player(self):
        return CHANCE if self.card < 0 else len(self.said)

    @property
    def is_terminal(self):
        return len(self.said) == 2

    def legal_actions(self):
        if self.is_terminal:
            return []
        return [0, 1] if self.card < 0 or not self.said else [0]

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.5)]

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError("not now")
        return replace(self, card=action) if self.card < 0 else replace(self, said=(*self.said, action))

    def returns(self):
        first = {"card": self.card == 0, "skill": self.said[0] == 1, "seat": True}[self.by]
        return (1.0, 0.0) if first else (0.0, 1.0)


@sensor(0, 1, "what is said")
def said(state, action):
    return action


GAME = game(
    "high_card",
    State,
    sensors=[said],
    options=[option("by", "card", "what decides", choices=("card", "skill", "seat"))],
    opponents={"high": "say: env.said", "low": "say: -env.said"},
)
'''


@pytest.fixture(autouse=True)
def game(nobodys: None) -> None:
    Path("high_card.py").write_text(HIGH_CARD)


def found(by: str) -> dict[tuple[str, str], float]:
    balance = gpkit.balance("./high_card.py", ["high", "low"], games=80, rules={"by": by})
    return {(each.about, each.name): each.value.mean for each in balance.lines}


def test_luck_is_what_the_deal_decides() -> None:
    assert found("card")["luck", ""] == pytest.approx(1.0)
    assert found("skill")["luck", ""] == 0.0


def test_a_seat_a_player_and_a_first_action_are_told_apart() -> None:
    skill, seat = found("skill"), found("seat")
    assert (skill["player", "high"], skill["seat", "0"]) == (1.0, 0.5)
    assert (skill["first action", "1"], skill["first action", "0"]) == (1.0, 0.0)
    assert (seat["seat", "0"], seat["seat", "1"]) == (1.0, 0.0)
    assert (seat["player", "high"], seat["player", "low"]) == (0.5, 0.5)
    assert (seat["actions", ""], seat["forced", ""]) == (2.0, 0.5)


def test_the_command_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["balance", "./high_card.py", "--opponent", "high", "--opponent", "low", "--games", "40"]
    assert main([*words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    balance = gpkit.balance("./high_card.py", ["high", "low"], games=40)
    assert json.loads(json.dumps(balance.to_json())).items() <= printed.items()
    assert len(balance.to_frame()) == len(balance.lines)
    assert main([*words, "--rules", "by=card"]) == 0
    told = capsys.readouterr().out
    assert "luck: share of the variance of the win_share that the deal explains" in told
    assert main(["balance", "./high_card.py", "--games", "20"]) == 0
    assert "luck: not measured" in capsys.readouterr().out


def test_one_game_again_and_again_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["balance", "./high_card.py", "--opponent", "high", "--opponent", "low", "--games", "8"]
    assert main([*words, "--rules", "by=seat"]) == 0
    assert "different games" not in capsys.readouterr().out, "chance deals cards"
    Path("plain.py").write_text(
        HIGH_CARD.replace("card: int = -1", "card: int = 0").replace('"high_card"', '"plain"')
    )
    assert main([words[0], "./plain.py", *words[2:]]) == 0
    assert "2 different games; use --rules opening=N or --exact" in capsys.readouterr().out
    assert main(["balance", "mastermind"]) == 2
    assert "mastermind has no seats to compare" in capsys.readouterr().err


def test_levels_are_as_far_apart_as_recorded() -> None:
    levels = Path("high_card/levels")
    levels.mkdir(parents=True)
    for number in (1, 2):
        (levels / f"level-{number}.tree").write_text("// game: high_card\nsay: env.said\n")
    shares = [
        {"level": 1, "share": 0.5, "ci95": [0.4, 0.6]},
        {"level": 2, "share": 10 / 11, "ci95": [0.9, 1.0]},
    ]
    (levels / "roster.json").write_text(
        json.dumps({"games": 70, "levels": shares, "others": {}, "rules": {}})
    )
    balance = gpkit.balance("./high_card.py", ["high", "low"], games=20)
    first, second = (each for each in balance.lines if each.about == "level")
    assert (first.name, first.games, first.value.mean) == ("1", 70, 0.0)
    assert first.value.low == pytest.approx(-first.value.high)
    assert second.value.mean == pytest.approx(400.0)
    assert second.value.high > 1000.0  # a share of 1 has a finite end


def test_the_page_has_a_section_for_every_subject(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["balance", "./high_card.py", "--opponent", "high", "--opponent", "low", "--games", "40"]
    assert main([*words, "--html", "balance.html"]) == 0
    told = capsys.readouterr()
    assert "wrote balance.html" in told.err
    page = Path("balance.html").read_text()
    for title in ("Seat", "Player", "First action", "Actions", "Forced", "Luck"):
        assert f"<h2>{title}</h2>" in page
    assert "Level" not in page
    assert page.count("<svg") == 3
    assert "win share of the seat" in page
    assert "by=card" in page
    Path("kept.tree").write_text("say: env.said\n")
    assert main([*words, "--html", "kept.tree"]) == 2
    assert Path("kept.tree").read_text() == "say: env.said\n"
