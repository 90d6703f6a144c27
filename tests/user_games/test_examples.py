"""The games in ``programs/games``: as long as they may be, and the same by their kernels."""

import ast
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.core.registry import data_folder, game_of, name_game, shipped_programs
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import CHANCE
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.user_games.arena import first_of
from gpkit.user_games.contract.game_under_test import first_difference
from gpkit.user_games.faults import compiler_fault
from gpkit.user_games.game import play_readable

FOLDER = data_folder("programs") / "games"
LENGTHS = {"tic_tac_toe": 54, "nim": 120, "connect_four": 120, "leduc_poker": 120, "liars_dice": 130}
"""The most lines of code of each game, without its kernel."""

MARK = {"nim": "# The kernel block"}
"""The beginning of the kernel, where it is not that of the others."""


pytestmark = pytest.mark.usefixtures("none_named")


def named(name: str) -> Game:
    """The game of an example."""
    game: Game = game_of(name_game(str(FOLDER / f"{name}.py")))
    return game


def code_lines(text: str) -> int:
    """Lines that hold code: neither empty, nor a comment, nor a docstring."""
    documented = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and ast.get_docstring(node) is not None
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    lines = enumerate(text.splitlines(), start=1)
    return sum(1 for number, line in lines if line.split("#")[0].strip() and number not in documented)


def test_every_example_is_looked_at() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(LENGTHS)


@pytest.mark.parametrize("name", LENGTHS)
def test_games_are_short(name: str) -> None:
    text = (FOLDER / f"{name}.py").read_text()
    readable, mark, _ = text.partition(MARK.get(name, "# The same over an int64 array"))
    assert mark
    assert code_lines(readable) <= LENGTHS[name]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.release] * (name == "liars_dice")) for name in LENGTHS]
)
def test_the_kernel_is_the_game(name: str) -> None:
    game = named(name)
    assert game.kernel is not None
    for key in range(25):
        assert first_difference(game, game.kernel, key) is None
    rules = game.make_rules({"opening": "1"})
    deals = game.deal(stream(11, "examples"), 60, rules)
    random = player_of_name("random", game)
    for players in [[random, random], *([player_of_name(each, game), random] for each in game.programs)]:
        compiled, readable = game.play(players, deals, rules), play_readable(game, players, deals, rules)
        assert (compiled.values == readable.values).all()
        assert compiled.stalled == readable.stalled == 0


def test_games_are_called_off_alike() -> None:
    game = named("connect_four")
    rules = game.make_rules({"longest": "12"})
    deals = game.deal(stream(12, "examples"), 60, rules)
    players = [player_of_name("random", game)] * 2
    compiled, readable = game.play(players, deals, rules), play_readable(game, players, deals, rules)
    assert (compiled.values == readable.values).all()
    assert compiled.stalled == readable.stalled > 0


def test_exact_results_are_those_that_are_known() -> None:
    game = named("tic_tac_toe")
    random = player_of_name("random", game)
    found = game.exact.expect([random, random], game.make_rules({}))
    assert found.seatings == pytest.approx((0.5849206 + 0.1269841 / 2, 0.2880952 + 0.1269841 / 2))
    poker = named("leduc_poker")
    random = player_of_name("random", poker)
    found = poker.exact.expect([random, random], poker.make_rules({}))
    assert found.seatings == pytest.approx((-0.078125, 0.078125))
    assert found.details["exploitability"] == pytest.approx(4.747222222 / 2), "as OpenSpiel computes it"


def champion(game: Game) -> Player:
    """The champion that comes with a game."""
    path = shipped_programs(game.name)["champion"]
    return player_of_text(path.read_text(), game, filename=str(path))


def test_the_champion_of_connect_four_beats_a_random_player_from_either_seat() -> None:
    game = named("connect_four")
    rules = game.make_rules({})
    deals = game.deal(stream(7201, "champions"), 1000, rules)
    scores = game.play([champion(game), player_of_name("random", game)], deals, rules).values
    assert (scores.mean(axis=0) > 0.95).all()


@pytest.mark.parametrize(
    ("name", "score", "exploitability"),
    [("nim", 0.99996, 0.0), ("tic_tac_toe", 0.96619, 0.25), ("leduc_poker", 1.53519, 4 / 3)],
)
def test_champions_of_small_games_are_as_strong_as_is_said(
    name: str, score: float, exploitability: float
) -> None:
    game = named(name)
    found = game.exact.expect([champion(game), player_of_name("random", game)], game.make_rules({}))
    assert found.mean == pytest.approx(score, abs=1e-4)
    assert found.details["exploitability"] == pytest.approx(exploitability)


def test_the_file_to_start_from_is_nim(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["new", "game"]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) <= 200
    (tmp_path / "nim.py").write_text(text)
    assert main(["run", "greedy", "--game", str(tmp_path / "nim.py"), "--exact"]) == 0
    assert "0.6873" in capsys.readouterr().out


FAULTS = {
    "scores[0] = np.zeros(3)[game[WINNER]]": "in fast_score: the kernel cannot be compiled: it makes an array",
    "scores[0] = gam[WINNER] == 0": "in fast_score: the kernel cannot be compiled: name 'gam' is not defined",
    "scores[0] = game.winner": "in fast_score: the kernel cannot be compiled: Unknown attribute 'winner'",
    "scores[0] = 'a'": "in fast_score: the kernel cannot be compiled: no such operation: setitem",
    "scores[0] = plain(game)": "in fast_score: the kernel cannot be compiled: plain is not marked as @kernel",
    "room = np.zeros(2)[game[WINNER]]": "in helped: the kernel cannot be compiled: it makes an array, a list, "
    "a dictionary or a string, and kernels may not allocate memory",
}
"""By what stands in a kernel what is said of it."""

HELPERS = """\
def plain(game):
    return game[WINNER] == 0


@kernel
def helped(game):
    room = game[WINNER]
    return room == 0


"""
"""Functions that a kernel calls."""


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=[pytest.mark.release] * (number < 5)) for number, fault in enumerate(FAULTS)],
)
def test_kernels_that_cannot_be_compiled_say_where(
    fault: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = "import numpy as np\n" + (FOLDER / "nim.py").read_text()
    right = "scores[0] = game[WINNER] == 0"
    assert right in text
    if fault.startswith("room"):
        text, right = text.replace(right, "scores[0] = helped(game)"), "room = game[WINNER]"
    text = text.replace("@kernel\ndef fast_score", f"{HELPERS}@kernel\ndef fast_score").replace(right, fault)
    line = text[: text.index(fault)].count("\n") + 1
    path = tmp_path / "nim.py"
    path.write_text(text)
    assert main(["run", "greedy", "--opponent", "random", "--games", "2", "--game", str(path)]) == 2
    said = capsys.readouterr().err
    assert f"{path}, line {line}, {FAULTS[fault]}" in said


def test_colours_of_the_compiler_do_not_hide_the_place() -> None:
    game = game_of(name_game(str(FOLDER / "nim.py")))
    (file,) = map(str, game.kernel.sources)
    message = (
        f"\x1b[1mUnknown attribute 'winner'\x1b[0m\n\x1b[0m\x1b[1mDuring: typing at {file} \x1b[1m(5)\x1b[0m"
    )
    assert compiler_fault(game, message).startswith(f"{file}, line 5")


def test_liars_dice_is_that_of_openspiel() -> None:
    pytest.importorskip("pyspiel")
    game, other = named("liars_dice"), game_of(name_game("openspiel:liars_dice"))
    rng = stream(13, "examples")
    for _ in range(200):
        own, theirs = first_of(game, 0, game.make_rules({})), first_of(other, 0, other.make_rules({}))
        while not own.is_terminal:
            if own.current_player == CHANCE:
                assert own.chance_outcomes() == theirs.chance_outcomes()
                legal = [action for action, _ in own.chance_outcomes()]
            else:
                assert own.current_player == theirs.current_player
                legal = own.legal_actions()
                assert legal == list(theirs.legal_actions())
            action = legal[int(rng.integers(len(legal)))]
            own, theirs = own.apply(action), theirs.apply(action)
        assert theirs.is_terminal
        assert [2 * score - 1 for score in own.returns()] == list(theirs.returns())
