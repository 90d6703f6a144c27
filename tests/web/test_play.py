"""Games that a person plays on a page: every game by its buttons, and what else a table offers."""

import re
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from web_clients import guest

from gpkit.cli.main import main
from gpkit.core.registry import GAMES, data_folder, game_of, name_game, shipped_levels
from gpkit.web import play_table
from gpkit.web.play import MOST_FRAMES, _other_opponent, shown, whole_page
from gpkit.web.play_table import PlayTable
from gpkit.web.site import Site

NAMES = [entry.name for entry in GAMES]
PART = {"hx-request": "true"}


def seat(client: TestClient, site: Site, game: str, **fields: str) -> tuple[str, PlayTable]:
    """The address of a new game, and its table, at which actions are chosen."""
    path, table = seat_any(client, site, game, **fields)
    assert not table.session.answers
    return path, table


def seat_any(client: TestClient, site: Site, game: str, **fields: str) -> tuple[str, PlayTable]:
    """The address of a new game, and its table."""
    answer = client.post(f"/play/{game}", params={"seed": "5"}, data=fields)
    assert answer.status_code == 303, answer.text
    path = answer.headers["location"]
    table = site.tables.get(path.rpartition("/")[2])
    assert table is not None
    return path, table


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(name, marks=[pytest.mark.release] * (name in ("battleship", "build_order", "sevens")))
        for name in NAMES
    ],
)
def test_game_is_played_to_its_end_by_what_the_page_offers(tmp_path: Path, game: str) -> None:
    client, site = guest(tmp_path)
    path, table = seat(client, site, game)
    text = client.get(path).text
    for _ in range(200):
        if table.session.state.is_terminal:
            break
        legal = set(map(int, table.session.state.legal_actions()))
        offered = {
            int(a)
            for a in re.findall(r'data-action="(\d+)"|name="action" value="(\d+)"', text)
            for a in a
            if a
        }
        turn = table.turn
        if offered:
            assert offered == legal
            fields = {"action": str(min(offered))}
        else:
            colour = re.findall(r'data-colour="(.)"', text)[0]
            fields = dict.fromkeys(re.findall(r'name="(part\.\d+)" value=""', text), colour)
        before = len(table.session.changes)
        text = client.post(f"{path}/act", data={"turn": str(turn), **fields}, headers=PART).text
        assert table.turn == turn + 1
        assert text.count('<template class="frame"') == min(
            MOST_FRAMES, len(table.session.changes) - before - 1
        )
    assert table.session.state.is_terminal
    assert "data-action" not in text
    assert "Play again" in text
    rival = {
        "mastermind": "knuth needs 5 ",
        "build_order": "rush needs 2:04.",
        "battleship": "likeliest needs ",
    }
    assert client.get(f"{path}/rival").text.startswith(rival.get(game, "\n" * ("rival" in text)))
    again = client.post(f"{path}/again", data={"turn": "0"})
    assert again.status_code == 303
    assert again.headers["location"] != path


@pytest.mark.parametrize("game", ["battleship", "dots_and_boxes", "sevens"])
def test_places_of_all_legal_moves_are_named_once_in_each_drawing(tmp_path: Path, game: str) -> None:
    client, site = guest(tmp_path)
    path, table = seat(client, site, game)
    wide, narrow = re.findall(r"<svg.*?</svg>", client.get(path).text, re.DOTALL)[-2:]
    for drawing in (wide, narrow):
        named = re.findall(
            r'role="button" tabindex="-1" data-action="(\d+)" aria-label="[A-Z][^"]+"', drawing
        )
        assert sorted(map(int, named)) == sorted(table.session.state.legal_actions())
        assert len(drawing) < 30_000


def test_hint_shows_candidates_on_the_board_and_the_formula_with_its_numbers(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    path, table = seat(client, site, "sevens", vs="champion")
    text = client.get(f"{path}/say/hint", headers=PART).text
    legal = table.session.state.legal_actions()
    drawings = 2  # wide and narrow
    assert text.count('<g class="value') == drawings * len(legal) > drawings
    assert text.count('class="spot best" role') == drawings
    assert ", best" in text
    assert "env.selfblock = " in text
    assert "Hint: play " in text
    assert "champion gives each card a value" in text
    assert text.count('class="bar-of"') == len(legal)
    assert "<b>Why:</b>" in text
    other = client.get(f"{path}/say/hint", params={"adviser": "simple"}, headers=PART).text
    assert "simple gives each card a value" in other
    assert '<option value="simple" selected>simple' in other
    for wrong in ("simpel", "../x.tree"):
        assert client.get(f"{path}/say/hint", params={"adviser": wrong}, headers=PART).status_code == 400
    refused = client.get(f"{path}/say/hunt", headers=PART)
    assert refused.status_code == 400
    assert "did you mean" in refused.text or "hint" in refused.text


@pytest.mark.parametrize("game", NAMES)
def test_sensors_of_an_action_have_a_reason_in_words(game: str) -> None:
    known = game_of(game)
    own = {each.sensor.name: each.sensor.meaning for each in known.sensors if not each.sensor.shared}
    words = game_of(game).view.words
    assert set(words.reasons) <= set(own)
    assert all(more and less and more != less for more, less in words.reasons.values())
    for name, meaning in own.items():
        for mine, theirs in ((1, 0), (0, 1)):
            said = words.reason(name, "" if name in words.reasons else meaning, mine, "that", theirs)
            assert said
            assert not re.search(r"[{_]|env", said)


def test_hints_of_all_kinds_of_advisers_say_what_speaks_for_the_move(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    for game, adviser, told in (
        ("battleship", "likeliest", "<b>Why:</b> a ship is there with a chance of 21%"),
        ("battleship", "hunt", "<b>Note:</b> ships that are left can lie across it in "),
        ("mastermind", "knuth", "<b>Why:</b> in the worst case it leaves fewer codes than "),
        ("mastermind", "optimal", "of the 1,296 codes left stay possible"),
        ("build_order", "earliest", "<b>Why:</b> the formula prefers spawning pool here"),
        ("dots_and_boxes", "optimal", "<b>Note:</b> your opponent cannot close a box next"),
        ("dots_and_boxes", "double-dealer", "double-dealer would do this, by rule 16."),
    ):
        path, _ = seat(client, site, game, seed="1")
        text = client.get(f"{path}/say/hint", params={"adviser": adviser}, headers=PART).text
        assert told in text, (game, adviser)
        assert "would choose" not in text


def test_undo_is_for_those_who_play_alone(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    path, table = seat(client, site, "mastermind")
    first = table.session.state
    client.post(f"{path}/act", data={"turn": "0", "text": "1123"}, headers=PART)
    assert table.turn == 1
    assert client.post(f"{path}/undo", data={"turn": "1"}, headers=PART).status_code == 200
    assert table.session.state == first
    against, other = seat(client, site, "dots_and_boxes")
    client.post(f"{against}/act", data={"turn": "0", "spot": "3"}, headers=PART)
    assert client.post(f"{against}/undo", data={"turn": "1"}, headers=PART).status_code == 400
    assert other.turn == 1


def test_click_that_comes_twice_counts_once(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    path, table = seat(client, site, "battleship")
    for spot in ("3", "4"):
        client.post(f"{path}/act", data={"turn": "0", "spot": spot}, headers=PART)
    assert table.session.actions == (3,)


def test_mistakes_are_told_with_the_nearest_right_thing(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    path, table = seat(client, site, "battleship")
    client.post(f"{path}/act", data={"turn": "0", "text": "c4"}, headers=PART)
    wrong = client.post(f"{path}/act", data={"turn": "1", "text": "C4"}, headers=PART)
    assert (wrong.status_code, table.turn) == (200, 1)
    assert re.search('class="error" id="typed-error">.*the nearest unshot square is', wrong.text)
    assert 'value="C4"' in wrong.text
    for fields in ({"vs": "hunk"}, {"seat": "9"}, {"seat": "-1"}, {"rule.board": "0x0"}, {"vs": "pimc:x"}):
        assert client.post("/play/sevens", data=fields).status_code == 400
    assert client.get("/play/battleship/none").status_code == 404


@pytest.mark.parametrize(
    ("variant", "fits", "refuses"), [("classic", "optimal", "beam"), ("super", "beam", "optimal")]
)
def test_only_advisers_that_can_play_by_the_rules_are_listed(
    tmp_path: Path, variant: str, fits: str, refuses: str
) -> None:
    client, site = guest(tmp_path)
    path, table = seat(client, site, "mastermind", **{"rule.variant": variant})
    listed = shown(path, table)["advisers"]
    assert fits in listed
    assert refuses not in listed
    offered = whole_page(path, table, site)["opponents"]
    assert refuses not in dict(offered)


def test_opponents_rules_and_seats_are_those_that_were_wished_for(tmp_path: Path) -> None:
    (tmp_path / "mine.tree").write_text(
        "// game: sevens\nplay: env.rounds\nsend: env.rounds\n", encoding="utf-8"
    )
    client, site = guest(tmp_path)
    _, table = seat(client, site, "sevens", vs="mine.tree, simple, hold", seat="2", **{"rule.players": "4"})
    assert table.conversation.names == ("simple", "hold", "you", "mine")
    assert table.conversation.rules.players == 4
    _, duel = seat_any(client, site, "battleship", vs="hunt")
    assert duel.session.answers
    assert duel.conversation.rules.is_duel


def test_fleet_is_laid_out_by_clicks(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    small = {"rule.board": "5x4", "rule.fleet": "3,2", "rule.touch": "no"}
    path, _ = seat_any(client, site, "battleship", vs="hunt", **small)

    def click(turn: int, action: str) -> str:
        return client.post(f"{path}/act", data={"turn": str(turn), "spot": action}, headers=PART).text

    first = client.get(path).text
    assert "Place the ship of 3, to the right" in first
    assert len(re.findall('"Place at ([A-C][1-4])"', first)) == 12
    assert "Place at D1" not in first
    assert '"D1: a ship of 3 from D1 to the right leaves the board"' in first
    turned = click(0, "t")
    assert len(re.findall('"Place at ([A-E][12])"', turned)) == 10
    assert "Place at A3" not in turned
    lying = click(1, "A1")
    assert "Place the ship of 2" in lying
    assert not set(re.findall(r'"Place at (\w\d)"', lying)) & {"A1", "B1", "B2", "A4", "B4"}
    assert 'value="c" data-key="c"' in lying
    assert "Place the ship of 3" in click(2, "c")
    assert "Place the ship of 2" in click(3, "E2")
    click(4, "B1")
    table = site.tables.get(path.rpartition("/")[2])
    assert not table.session.answers
    assert table.session.typed == ("t", "A1", "c", "E2", "B1")
    assert table.session.state.boards[1].fleet == (2 * 9 + 1, 2 * 1 + 1)
    assert "hunt" in client.get(f"/play/battleship/{path.rpartition('/')[2]}").text


def test_guesses_are_answered_by_clicks_and_contradictions_changed(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    small = {"rule.colours": "4", "rule.length": "2"}
    path, table = seat_any(client, site, "mastermind", vs="first-consistent", **small)
    assert table.session.answers

    def click(action: str) -> str:
        return client.post(f"{path}/act", data={"turn": str(table.turn), "action": action}, headers=PART).text

    page = client.get(path).text
    assert "first-consistent guesses 1 1. How many pegs are right?" in page
    assert re.findall('name="action" value="([^"]+)"', page) == ["0 0", "0 1", "1 0", "0 2", "2 0"]
    for _ in range(4):
        text = click("0 0")
    assert "No code fits since guess 4. Answer 1, 2, 3 or 4 must be wrong" in text
    assert re.findall('name="action" value="([^"]+)"', text) == ["1", "2", "3", "4"]
    assert "Guess 3 was 3 3. How many pegs are right?" in click("3")
    text = click("2 0")
    assert "first-consistent found your code in 3 guesses</b>" in text
    assert '<div class="over">' in text
    assert client.get(f"{path}/say/hint", headers=PART).status_code == 404
    assert client.get(f"{path}/transcript").status_code == 404
    again = client.post(f"{path}/again", data={"turn": "0"}).headers["location"]
    assert "guesses 1 1" in client.get(again).text
    assert "You gave up" in client.post(f"{again}/act", data={"turn": "0", "text": "q"}, headers=PART).text


def test_only_a_game_without_a_move_says_so(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    path, table = seat(client, site, "build_order", seed="1", horizon="50")
    begun = client.get(path).text
    assert "No moves yet" in begun
    while not table.session.state.is_terminal:
        table.act(table.turn, table.session.state.legal_actions()[0])
    ended = client.get(path).text
    assert '<div class="over">' in ended
    assert "No moves yet" not in ended
    assert "nothing has happened" not in begun + ended


@pytest.mark.usefixtures("nobodys")
def test_levels_come_first_and_the_next_one_is_offered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = data_folder("programs") / "games" / "tic_tac_toe.py"
    (tmp_path / "noughts.py").write_bytes(shipped.read_bytes().replace(b'"tic_tac_toe"', b'"noughts"'))
    folder = tmp_path / "noughts" / "levels"
    folder.mkdir(parents=True)
    for number, formula in ((1, "env.own"), (2, "env.own + env.theirs"), (10, "2 * env.own + env.theirs")):
        text = f"// game: noughts\n// title: looks at {number} things\nplace: {formula}\n"
        (folder / f"level-{number}.tree").write_text(text, encoding="utf-8")
    (folder / "level-2-b.tree").write_text(text.replace("10 things", "other things"), encoding="utf-8")
    (folder / "roster.json").write_text('{"others": {"greedy": 0.7, "random": 0.1}}', encoding="utf-8")
    name_game(str(tmp_path / "noughts.py"))
    assert shipped_levels("noughts") == ("level-1", "level-2", "level-2-b", "level-10")
    client, site = guest(tmp_path)
    path, table = seat(client, site, "noughts", vs="level-1")
    text = client.get(path).text
    first, _, more = text.rpartition("<summary>More</summary>")
    found = [re.findall(r'name="vs" value="([^"]+)"', part) for part in (first, more)]
    assert found[0] == ["level-1", "level-2", "level-2-b", "level-10"]
    assert found[1] == ["greedy", "random", "mcts"]
    assert "Looks at 2 things." in first
    assert _other_opponent(table, 1) == "level-2"
    _, top = seat(client, site, "noughts", vs="level-10")
    assert _other_opponent(top, 1) == ""
    assert _other_opponent(top, -1) == "level-2"
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"q\n")))
    assert main(["play", "noughts", "--seed", "1"]) == 0
    assert "--vs level-2: looks at 2 things" in capsys.readouterr().err


@pytest.mark.release
def test_the_choice_that_cost_most_is_named_after_the_game(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    place = client.post("/play/dots_and_boxes?seed=3&vs=greedy").headers["location"]
    assert client.get(f"{place}/mistake").text == ""
    table = play_table.table_named(site, place.rsplit("/", 1)[1])
    assert table is not None
    while not table.is_over:  # one line beside the other: this opens boxes
        action = table.session.state.legal_actions()[0]
        client.post(f"{place}/act", data={"turn": str(table.turn), "action": str(action)})
    text = client.get(f"{place}/mistake").text
    cost, step = table.mistake
    assert cost >= 0.1
    assert step is not None
    assert f"cost about {100 * cost:.0f} of 100 games" in text
    assert f'href="/trace?table={place.rsplit("/", 1)[1]}&amp;step={step.number}"' in text
    alone = client.post("/play/mastermind?seed=1").headers["location"]
    client.post(f"{alone}/leave", data={"turn": "0"})
    assert client.get(f"{alone}/mistake").text == ""
