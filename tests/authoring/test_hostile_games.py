"""Games of one's own that are wrong: every command tells the function that is to be mended, and none fails itself."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpkit.authoring.contract import explain
from gpkit.cli.main import main
from gpkit.core import guests
from gpkit.core.errors import EXIT_USAGE

CARDS = Path(__file__).with_name("cards.py").read_text()

SPOKEN = "return replace(self, said=(*self.said, action))"
LEGAL = "else [PASS, BET]"
WON = "return (stake, -stake) if first else (-stake, stake)"
OUTCOMES = "return [(card, 1 / len(left)) for card in left]"
RISK = "return action / 2"
TURN = "len(self.said) % 2\n"

EVOLVE = """
preset = "cards"
[population]
size = 8
[fitness]
deals = 2
validation_deals = 2
hall = 0
[race]
first = 0
[refinement]
finish = false
[stop]
generations = 1
"""

RUN = "run p.tree --opponent random --games 4 --game ./g.py"
TRACE = "trace p.tree --opponent random --game ./g.py"
PLAY = "play ./g.py"
EVOLVING = "evolve c.toml --out run --game ./g.py"


@pytest.fixture(autouse=True)
def none_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A folder with a program and a configuration; functions may take a short time, and a person says a word."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(guests, "PATIENCE", 0.2)
    monkeypatch.setattr(explain, "GAMES", 2)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"bet\n" * 9 + b"q\n")))
    Path("p.tree").write_text("say: env.risk + env.card\n")
    Path("c.toml").write_text(EVOLVE)
    guests.forget_files()
    yield
    guests.forget_files()


@pytest.mark.parametrize(
    ("old", "new", "told", "lines"),
    [
        (SPOKEN, "return 1 // 0", "in apply: ZeroDivisionError", [RUN, TRACE, PLAY, EVOLVING]),
        (SPOKEN, "return None", "in apply: gives a NoneType", [RUN, TRACE, PLAY, EVOLVING]),
        (
            SPOKEN,
            "while True:\n            pass",
            "in apply: it has not come back in time",
            [RUN, TRACE, PLAY],
        ),
        (
            LEGAL,
            "else None",
            "in legal_actions: gives a NoneType",
            [RUN, PLAY],
        ),
        (
            LEGAL,
            "else {PASS, BET}",
            "in legal_actions: gives a set",
            [RUN, PLAY],
        ),
        (
            LEGAL,
            "else []",
            "in legal_actions: gives none before the end",
            [RUN, TRACE, PLAY],
        ),
        (WON, "return None", "in returns: gives None", [RUN, TRACE, PLAY]),
        (WON, 'return (float("nan"),) * 2', "in returns: gives nan", [RUN, TRACE, PLAY, EVOLVING]),
        (
            WON,
            "return (9.0, -9.0)",
            "in returns: gives (9.0, -9.0); the metric stakes goes from -2 to 2",
            [RUN, PLAY],
        ),
        (OUTCOMES, "return left", "in chance_outcomes: gives [0, 1, 2]; expected pairs", [RUN, TRACE, PLAY]),
        (TURN, '"a"\n', "in current_player: is 'a'; expected 0 to 1, or CHANCE", [RUN, TRACE, PLAY]),
        (TURN, "7\n", "in current_player: is 7; expected 0 to 1, or CHANCE", [RUN, TRACE, PLAY]),
        (
            RISK,
            'return float("nan")',
            "in risk: env.risk is nan; declared is a number of 0 to 1",
            [RUN, TRACE],
        ),
        (RISK, "return action * 7", "in risk: env.risk is 7; declared is a number of 0 to 1", [RUN, TRACE]),
        (RISK, "return None", "in risk: env.risk is None; declared is a number of 0 to 1", [RUN, TRACE]),
        (RISK, "return {}[1]", "in risk: KeyError: 1", [RUN, TRACE]),
    ],
)
def test_commands_tell_what_is_to_be_mended(
    old: str, new: str, told: str, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in CARDS
    Path("g.py").write_text(CARDS.replace(old, new, 1))
    for line in lines:
        guests.forget_files()
        assert main(line.split()) == EXIT_USAGE, line
        said = capsys.readouterr().err
        assert "error: ./g.py, line " in said
        assert told in said
        assert "a fault of gpkit" not in said


def test_a_game_without_end_is_called_off_in_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.py").write_text(CARDS.replace("return self.said in (", "return False and self.said in (", 1))
    for line in (RUN, TRACE, PLAY):
        assert main([*line.split(), "--rules", "longest=4"]) == 0
    assert "a fault of gpkit" not in capsys.readouterr().err


def test_others_are_unharmed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.py").write_text(CARDS.replace(SPOKEN, "return None", 1))
    assert main(RUN.split()) == EXIT_USAGE
    assert main(["run", "hoarder", "--game", "sevens", "--opponent", "random", "--games", "3"]) == 0
    assert "hoarder" in capsys.readouterr().out
