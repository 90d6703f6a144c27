"""The contract of games: each of its checks kills mutants of two clean games, and names the function."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpkit.cli import game_doctor
from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.core.timeouts import watched
from gpkit.user_games.contract import kernels
from gpkit.user_games.contract.examine import MEANINGS, Examined, examine
from gpkit.user_games.contract.game_under_test import subject_of

EXAMPLES = sorted((data_folder("programs") / "games").glob("*.py"))
CARDS = Path(__file__).with_name("cards.py")
NIM = data_folder("programs") / "games" / "nim.py"
SQUARES = data_folder("programs") / "games" / "tic_tac_toe.py"

GAMES = 4

MANY = 12
"""Games in which ties are met."""


@pytest.fixture(autouse=True)
def folder(nobodys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder to work in; kernels play few games."""
    monkeypatch.setattr(kernels, "GAMES", 2)


def examined(path: str, games: int = GAMES) -> Examined:
    """The game of a file held against the contract."""
    game = game_of(name_game(path))
    with watched(0.1, plugins.is_named):
        return examine(subject_of(game, game.make_rules({"longest": "200"})), 0, games, lambda: False)


@pytest.mark.parametrize("path", [CARDS, *EXAMPLES], ids=lambda path: path.stem)
def test_games_that_are_clean_keep_the_contract(path: Path) -> None:
    found = examined(str(path), games=3)
    assert found.findings == ()
    assert found.games == 3
    assert not found.dealt_anew or min(found.alike) > 0


DEALT = "return replace(self, cards=(*self.cards, action))"
SPOKEN = "return replace(self, said=(*self.said, action))"
LEGAL = "if len(self.cards) < 2 else [PASS, BET]"
REFUSED = "if action not in self.legal_actions():"
WON = "return (stake, -stake) if first else (-stake, stake)"
OUTCOMES = "return [(card, 1 / len(left)) for card in left]"
OVER = "return self.said in ("
OBSERVED = "return self.cards[player : player + 1], len(self.cards), self.said"
WORD = 'return NAMES[action] if len(self.cards) < 2 else ("pass", "bet")[action]'
READ = 'return ["pass", "bet"].index(text.lower())'
RISK = "return action / 2"
RANK = "return state.cards[state.current_player]"
FROZEN = "@dataclass(frozen=True, slots=True)"
SEEN = 'seen = "".join('

MUTANTS_OF_CARDS = [
    ("first state", "State", "def returns(", "def scores("),
    ("first state", "is_terminal", "@property\n    def is_terminal", "def is_terminal"),
    ("play", "apply", DEALT, "return replace(self, card=action)"),
    ("play", "legal_actions", LEGAL, f"{LEGAL} + 1"),
    (
        "same game",
        "<lambda>",
        "    State,\n",
        "    lambda: State(said=(0,) * (COUNT.append(1) or len(COUNT) % 2)),\n",
    ),
    ("length", "is_terminal", OVER, "return False and self.said in ("),
    (
        "time",
        "legal_actions",
        "if self.is_terminal:\n",
        "over = self.is_terminal\n        while over:\n            continue\n        if 0:\n",
    ),
    ("who chooses", "current_player", "len(self.said) % 2\n", "len(self.said)\n"),
    ("who chooses", "current_player", "len(self.said) % 2\n", "float(len(self.said) % 2)\n"),
    (
        "who chooses",
        "<lambda>",
        'decision = "say"',
        'decision = property(lambda self: "say" + "!" * len(self.said))',
    ),
    ("who chooses", "is_terminal", OVER, "return self.said and self.said in ("),
    ("legal actions", "legal_actions", LEGAL, LEGAL.replace("PASS, BET", "BET, PASS")),
    ("legal actions", "legal_actions", LEGAL, LEGAL.replace("PASS, BET", "PASS, PASS, BET")),
    ("legal actions", "legal_actions", LEGAL, LEGAL.replace("PASS, BET", "False, True")),
    ("legal actions", "legal_actions", LEGAL, LEGAL.replace("PASS, BET", "0.0, 1.0")),
    ("legal actions", "legal_actions", LEGAL, LEGAL.replace("[PASS, BET]", "{PASS, BET}")),
    ("legal actions", "legal_actions", "return []", "return [PASS]"),
    ("legal actions", "legal_actions", "if self.is_terminal:\n", "if len(self.said) > 1:\n"),
    ("chance", "chance_outcomes", OUTCOMES, OUTCOMES.replace("len(left)", "3")),
    ("chance", "chance_outcomes", OUTCOMES, OUTCOMES.replace("for card in left", "for card in left[::-1]")),
    ("chance", "chance_outcomes", OUTCOMES, "return [(card, card == left[0]) for card in left]"),
    ("chance", "chance_outcomes", OUTCOMES, "return left"),
    ("chance", "State", "def chance_outcomes(", "def outcomes("),
    ("unchanged", "apply", SPOKEN, f'object.__setattr__(self, "said", (*self.said, 0))\n        {SPOKEN}'),
    (
        "unchanged",
        "apply",
        SPOKEN,
        f"COUNT.append(1)\n        {SPOKEN.replace('action)', 'len(COUNT) % 2)')}",
    ),
    ("unchanged", "returns", "stake = ", "COUNT.append(1)\n        stake = len(COUNT) % 2 + "),
    ("unchanged", "observation", OBSERVED, f"COUNT.append(1)\n        {OBSERVED}, len(COUNT)"),
    ("unchanged", "card", RANK, f'object.__setattr__(state, "said", (*state.said, 0))\n    {RANK}'),
    ("unchanged", "risk", RISK, "COUNT.append(1)\n    return len(COUNT) % 2"),
    ("apply", "apply", REFUSED, "if self.is_terminal:"),
    ("apply", "apply", REFUSED, "if not self.is_terminal and action not in self.legal_actions():"),
    ("apply", "apply", "raise ValueError(", "raise KeyError("),
    ("apply", "apply", SPOKEN, f"return self.said if self.said == (0,) and action else {SPOKEN[7:]}"),
    ("returns", "returns", WON, WON.replace("-stake, stake", "stake, stake")),
    ("returns", "returns", "stake = 2.0", "stake = 3.0"),
    ("returns", "returns", WON, "return (0.0,)"),
    ("returns", "returns", WON, 'return (float("nan"), float("nan"))'),
    ("returns", "returns", WON, 'return ("won", "lost")'),
    ("plain data", "State", FROZEN, "@dataclass(unsafe_hash=True)"),
    ("plain data", "State", FROZEN, "@dataclass"),
    ("plain data", "State", DEALT, DEALT.replace("(*self.cards, action)", "[*self.cards, action]")),
    (
        "plain data",
        "State",
        DEALT,
        "import numpy\n            " + DEALT.replace("action)", "numpy.int64(action))"),
    ),
    (
        "plain data",
        "__hash__",
        "    def returns(",
        "    def __hash__(self):\n        return id(self)\n\n    def returns(",
    ),
    ("plain data", "State", FROZEN, "@dataclass(frozen=True, slots=True, eq=False)"),
    ("sensors", "risk", RISK, 'return float("nan")'),
    ("sensors", "risk", RISK, "return action * 2"),
    ("sensors", "risk", RISK, 'return "high"'),
    ("sensors", "risk", RISK, "return None"),
    ("sensors", "risk", '@sensor(0.0, 1.0, "share', '@sensor(0, 1, "share'),
    ("sensors", "risk", RISK, "return 1 / action"),
    ("texts", "action_text", WORD, WORD.replace('"bet")[action]', '"pass")[action]')),
    ("texts", "action_text", WORD, 'return ""'),
    ("texts", "parse_action", READ, READ.replace('["pass", "bet"]', '["bet", "pass"]')),
    ("texts", "parse_action", READ, 'return {"pass": 0, "bet": 1}[text.lower()]'),
    ("boards", "board_text", SEEN, "NAMES[player]\n        " + SEEN),
    (
        "boards",
        "board_svg",
        "    def board_text(",
        '    def board_svg(self):\n        return "<p>"\n\n    def board_text(',
    ),
    ("opponents", "bold", "return state.legal_actions()[-1]", "return 7"),
    ("opponents", "bold", "return state.legal_actions()[-1]", "return state.best"),
    ("unchanged", "bold", "return state.legal_actions()[-1]", "COUNT.append(1)\n    return len(COUNT) % 2"),
    ("hidden", "card", RANK, "return state.cards[1]"),
    (
        "hidden",
        "legal_actions",
        LEGAL,
        LEGAL.replace("[PASS, BET]", "([PASS, BET] if self.cards[1] else [PASS])"),
    ),
    ("hidden", "board_text", "if player in (None, seat)", "if seat == 0 or player in (None, seat)"),
    ("hidden", "action_text", WORD, WORD.replace('"bet")', '"bet!" * (self.cards[0] + 1))')),
    ("hidden", "observation", OBSERVED, "return self.cards, self.said"),
    ("hidden", "observation", OBSERVED, f"{OBSERVED}, self.cards[0] < self.cards[-1]"),
    ("hidden", "resample", "other = left[int(rng.integers(2))]", "other = self.cards[1 - player]"),
    ("hidden", "resample", "if len(self.cards) < 2:\n            return self\n", "return self.cards\n"),
]
"""The check that is meant, the function that it names, a piece of the text, and what is put in its place."""

MUTANTS_OF_SQUARES = [
    ("returns", "returns", "(0.5, 0.5)", "(0.5, 0.0)"),
    ("returns", "returns", "1.0 - self.winner, ", "1.0 - self.winner, 0.0, "),
    ("sensors", "own", '@sensor(0, 2, "own', '@sensor(0, 1, "own'),
    (
        "unchanged",
        "apply",
        "board = self.board[:action]",
        'object.__setattr__(self, "winner", 1)\n        board = self.board[:action]',
    ),
    ("legal actions", "legal_actions", "[] if self.winner >= 0 else ", ""),
    ("apply", "apply", "if action not in self.legal_actions():", "if self.board[action % 9] != '.':"),
    ("texts", "action_text", '"abc"[action % 3]', '"aab"[action % 3]'),
    ("length", "is_terminal", "return State(board,", "return State(self.board,"),
    ("who chooses", "State", "1 - self.current_player, self", "self.current_player - 3, self"),
]


MUTANTS_OF_KERNELS = [
    ("kernel", "fast_legal", "for count in range(game[HEAPS + heap]):", "for count in range(99):"),
    ("kernel", "fast_sense", "values[3] = total", "values[3] = total + 1"),
    ("kernel", "pack", "*state.heaps, *[0]", "*state.heaps, 0, *[0]"),
]
"""Mutants of Nim."""


GROUPS = ((CARDS, MUTANTS_OF_CARDS), (SQUARES, MUTANTS_OF_SQUARES), (NIM, MUTANTS_OF_KERNELS))


def mutants() -> Iterator[object]:
    for clean, group in GROUPS:
        for number, mutant in enumerate(group):
            yield pytest.param(clean, *mutant, id=f"{clean.stem}-{number}-{mutant[0].replace(' ', '-')}")


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
    assert {mutant[0] for _, group in GROUPS for mutant in group} == set(MEANINGS)


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command takes less time than it would for a person."""
    monkeypatch.setattr(game_doctor, "GAMES", 4)
    monkeypatch.setattr(game_doctor, "PATIENCE", 0.1)
    monkeypatch.setattr(game_doctor, "ENOUGH", 0.001)


def test_command_tells_what_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick(monkeypatch)
    assert main(["doctor", "--game", str(CARDS)]) == 0
    said = capsys.readouterr().out
    assert [line.split("  ")[0] for line in said.splitlines()[1:] if "  ok " in line] == list(MEANINGS)
    assert "cards: 4 random games of at most 5 actions" in said
    assert "resample redeals it, too" in said
    assert "games a second" in said


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
    state = game.first(0, game.make_rules({}), ())
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


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("place: env.thiers", "no sensor `env.thiers`"),
        ("lay: env.own", "lay"),
        ("place: env.own +", "place: env.own +"),
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
