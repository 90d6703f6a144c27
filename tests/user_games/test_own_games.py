"""Games of one's own in every command, from their file."""

import re
from pathlib import Path

import pytest
from case_files import case_text
from hostile_games import EVOLVE
from web_clients import guest

from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.user_games import exact

FILE = data_folder("programs") / "games" / "tic_tac_toe.py"
PROGRAM = "place: env.own * 3.0 + env.theirs * 2.0 + env.lines / 10.0\n"


@pytest.fixture(autouse=True)
def named(nobodys: None) -> None:
    """The file is named in a folder with a program."""
    Path("good.tree").write_text(PROGRAM)
    name_game(str(FILE))


def game() -> Game:
    """Tic-tac-toe."""
    found: Game = game_of("tic_tac_toe")
    return found


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("run good.tree --games 20", "win_share"),
        ("run greedy --games 20 --opponent random --rules opening=2", "greedy"),
        ("trace good.tree --opponent random", ">  b2        0.4    0       0      4"),
        ("trace good.tree --opponent random --json", '"section": "place"'),
        ("check good.tree", ""),
        ("fmt good.tree --check", ""),
        ("draw good.tree", "env.theirs"),
        ("draw good.tree --trace", "env.theirs = 1.0"),
        ("export good.tree --to lua", "function M.place"),
        ("compare good.tree greedy --games 40", "better"),
        ("tournament good.tree greedy random --games 10", "Elo"),
        ("series good.tree greedy --games 3 --repeat 4", "the unit is the deal"),
        ("list sensors", "env.own     tic_tac_toe  0 to 2"),
        ("list opponents", "chooses any legal action"),
        ("list games", "Tic-tac-toe: three in a row on 3x3 squares"),
        ("new arithmetic", "env.lines"),
        ("new config", 'preset = "tic_tac_toe"'),
    ],
)
def test_commands_take_the_game(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, *rest = line.split()
    assert main([command, *rest, "--game", str(FILE)]) in (0, 1 if command == "fmt" else 0)
    assert told in capsys.readouterr().out


def test_a_run_is_made_gone_on_with_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small.toml").write_text(f"preset = 'tic_tac_toe'\n{EVOLVE}")
    line = ["small.toml", "--game", str(FILE), "--out", "run"]
    assert main(["evolve", *line]) == 0
    assert main(["evolve", "--resume", "--out", "run", "--game", str(FILE), "--generations", "2"]) == 0
    assert "// game: tic_tac_toe" in capsys.readouterr().out
    assert main(["report", "run", "--game", str(FILE), "--games", "10"]) == 0
    page = Path("run/report.html").read_text()
    assert "env." in page
    assert "<td>none</td>" in page, "games against greedy are all the same, and have no interval"
    plugins.here = plugins.Discovery(installed=plugins.here.installed)
    capsys.readouterr()
    assert main(["report", "run"]) == 2
    told = capsys.readouterr().err
    assert "the game of run is not available: there is no game `tic_tac_toe`; the run began" in told
    assert told.endswith(f" with a file, so name it again: --game {FILE}\n")


WAITING = case_text("games/waiting.txt")
"""A game that may go on without end."""


def test_exact_results_need_positions_that_do_not_come_again(capsys: pytest.CaptureFixture[str]) -> None:
    Path("waiting.py").write_text(WAITING)
    Path("hasty.tree").write_text("wait: -env.waits\n")
    line = ["--game", "./waiting.py", "--exact", "--opponent"]
    assert main(["run", "hasty.tree", *line, "hasty.tree"]) == 0
    assert main(["run", "patient", *line, "patient"]) == 2
    assert "error: --exact: a position of the game can repeat" in capsys.readouterr().err


@pytest.mark.release
def test_the_player_of_a_trace_is_that_of_games() -> None:
    known, good = game(), player_of_text(PROGRAM + "// x", game(), filename="good.tree")
    rules = known.make_rules({"opening": "2"})
    deals = known.deal(stream(7, "own"), 20, rules)
    for players in ((good, player_of_name("random", known)), (player_of_name("greedy", known), good)):
        scores = known.play(players, deals, rules).values
        for number in range(len(deals)):
            for seat in range(2):
                state = known.begin(players, deals[number : number + 1], rules)
                while not state.is_terminal:
                    state = state.apply(
                        known.choose(players[(state.current_player - seat) % 2], state, deals)
                    )
                assert state.returns()[seat] == scores[number, seat]


def test_random_numbers_in_formulas_are_those_of_the_deal() -> None:
    known = game()
    drawing = player_of_text("place: math.random()\n", known, filename="drawing.tree")
    other = player_of_name("random", known)
    rules = known.make_rules({})
    deals = known.deal(stream(3, "own"), 60, rules)
    once, again = (known.play((drawing, other), deals, rules).values for _ in range(2))
    assert (once == again).all()
    assert 0.3 < once.mean() < 0.7


def test_a_person_plays(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["b2", "z9", "q"])
    monkeypatch.setattr("gpkit.cli.terminal.typed_lines", lambda: lines)
    assert main(["play", str(FILE), "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "legal: a1, b1, c1" in said
    assert "`z9` is not a legal action" in said


def test_faults_of_a_file_name_it_and_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plugins.here = plugins.Discovery(installed=plugins.here.installed)
    text = FILE.read_text().replace("        mark = ", "        1 // 0\n        mark = ")
    Path("broken.py").write_text(text)
    line = next(number for number, each in enumerate(text.splitlines(), start=1) if "1 // 0" in each)
    assert main(["trace", "greedy", "--opponent", "random", "--game", "./broken.py"]) == 2
    assert f"./broken.py, line {line}, in apply: ZeroDivisionError" in capsys.readouterr().err


def test_exact_results_look_at_more_states_where_something_is_hidden(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exact, "MOST_STATES", 20)
    cards = str(Path(__file__).parent / "cards.py")
    assert main(["run", "random", "--opponent", "random", "--exact", "--game", cards]) == 0
    assert main(["run", "random", "--opponent", "random", "--exact", "--game", str(FILE)]) == 2
    assert "error: --exact: the game has more than 20 states; leave it out" in capsys.readouterr().err
    monkeypatch.setattr(exact, "MOST_HIDDEN", 21)
    assert main(["run", "random", "--opponent", "random", "--exact", "--game", cards]) == 2
    assert "error: --exact: the game has more than 21 states; leave it out" in capsys.readouterr().err


@pytest.mark.usefixtures("brief_doctor")
def test_page_asks_the_question_of_the_file_and_says_its_reason(tmp_path: Path) -> None:
    own = """    def question_text(self):
        return "mark a square"

    def ending_text(self):
        return "Three in a row." if max(self.returns()) == 1 else "No square is left."

    def action_text("""
    file = tmp_path / "marks.py"
    text = FILE.read_text(encoding="utf-8").replace("    def action_text(", own)
    file.write_text(text.replace('"tic_tac_toe"', '"marks"'), encoding="utf-8")
    name_game(str(file))
    client, site = guest(tmp_path)
    assert "Three in a row on 3x3 squares." in client.get("/").text
    path = client.post("/play/marks?seed=1&vs=random").headers["location"]
    page = client.get(path).text
    assert "Your turn: mark a square" in page
    assert "Hint: " in client.get(f"{path}/say/hint?adviser=mcts", headers={"hx-request": "true"}).text
    table = site.tables.get(path.rpartition("/")[2])
    while not table.session.state.is_terminal:
        table.act(table.turn, table.session.state.legal_actions()[0])
    ended = client.get(path).text
    assert re.search(r"(You|random) won</b>\s*<p class=\"dim\">Three in a row.</p>", ended)
    assert "Play against greedy" in ended or "Stronger opponent: greedy" in ended
    assert main(["doctor", "--game", str(file)]) == 0


def test_page_of_a_game_that_says_nothing_says_how_it_ended(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    path = client.post("/play/tic_tac_toe?seed=1&vs=random").headers["location"]
    assert "Your turn: choose a move" in client.get(path).text
    table = site.tables.get(path.rpartition("/")[2])
    while not table.session.state.is_terminal:
        table.act(table.turn, table.session.state.legal_actions()[0])
    assert re.search(r"(You|random) made the last move: [a-c][1-3]\.", client.get(path).text)
