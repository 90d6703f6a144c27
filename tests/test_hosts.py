"""The hosts for LÖVE in ``programs/**/<game>/host`` play whole games in every Lua, and as gpkit's own engines do.

LÖVE itself is played by ``tests/love.lua``. A host loads the exported program with ``require``, as it does in LÖVE.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit.core.registry import GAMES, data_folder, find, game_of, language_entry, name_game
from gpkit.export.conformance import record
from gpkit.export.exported import exports_of
from gpkit.export.lua.hosts import runtime_names
from gpkit.export.registry import exporter
from gpkit.export.subject import Subject
from gpkit.gamekit.game import Deals, Game
from gpkit.games.battleship.forms.record import OFF_BOARD, record_game
from gpkit.games.battleship.rules import BattleshipRules as Fleets
from gpkit.games.dots_and_boxes.forms.record import moves_of
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules as Board
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesState as Position
from gpkit.games.mastermind.forms.record import RECORDER, keyed_secret
from gpkit.games.mastermind.rules import MastermindRules as Codes
from gpkit.games.mastermind.rules import code_of_number
from gpkit.games.sevens.rules import SevensRules as Cards
from gpkit.games.sevens.rules import deal
from gpkit.langkit.formulas import evaluate
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.rulegraph.text import parse as parse_rules
from gpkit.languages.sinking.text import parse as parse_lines
from gpkit.matching.plan import plan_of
from gpkit.playing.players import player_of_program
from gpkit_experiments.readable.sevens import choose

LUAS = [
    pytest.param(name, marks=[pytest.mark.release] * (name not in ("lua51", "luajit21")))
    for name in runtime_names()
]
PROGRAMS = data_folder("programs")
LOVE = (Path(__file__).parent / "love.lua").read_text(encoding="utf-8")
MOST_FRAMES = 2_000

PARSERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "sevens": ("champion.tree", parse),
    "mastermind": ("champion.tree", parse),
    "battleship": ("champion.sink", parse_lines),
    "dots_and_boxes": ("champion.rules", parse_rules),
}
FILES = {"connect_four": PROGRAMS / "games" / "connect_four.py"}
"""Games of their own files, whose hosts bring the rules."""

FORMULA = (
    "drop: 50.0 * env.wins + 20.0 * env.blocks - 10.0 * env.gives + 2.0 * env.threes + env.their_threes "
    "+ (env.twos + env.their_twos) / 4.0 - env.centre / 2.0 + env.height / 100.0 + math.random()"
)

RULES = {
    "sevens": {"players": "4", "end": "ranks"},
    "mastermind": {"length": "3", "colours": "4"},
    "battleship": {},
    "dots_and_boxes": {},
}


@cache
def champion(game: str) -> tuple[Subject, str]:
    """The best shipped program of a game, and its Lua without tests; of a game of a file a formula, with tests."""
    if game in FILES:
        program, primitives = parse(FORMULA).program, game_of(game).offers["arithmetic"]
        subject = Subject(program, "careful", {}, primitives)
        return subject, exporter("lua").export(subject, "player")[0].text
    name, read = PARSERS[game]
    source = read((PROGRAMS / game / name).read_text(encoding="utf-8"))
    primitives = find(GAMES, game, "game").load().offers[source.program.language]
    subject = Subject(source.program, "champion", source.header, primitives, RULES[game], carries_tests=False)
    mode = "player" if name.endswith(".tree") else "module"
    return subject, exporter("lua").export(subject, mode)[0].text


def host_folder(game: str) -> Path:
    """The folder of a game's host."""
    (folder,) = PROGRAMS.glob(f"**/{game}/host")
    return folder


class Host:
    """A host in one Lua, begun with the number of a game.

    Attributes:
        love: the table ``love``.
        game: what the host keeps of its game.
    """

    def __init__(
        self, lua: str, name: str, folder: Path, seed: int, scripted: list[int] | None = None, text: str = ""
    ) -> None:
        (folder / "player.lua").write_text(text or champion(name)[1], encoding="utf-8")
        self.lua = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
        own = host_folder(name)
        self.lua.globals().package.path = f"{folder}/?.lua;{own}/?.lua"
        self.love = self.lua.globals().love = self.lua.execute(LOVE)
        self.love.scripted = self.lua.table_from(scripted or [])
        self.game = self.lua.execute((own / "main.lua").read_text(encoding="utf-8"))
        self.love.load(self.lua.table_from([str(seed)]))

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            self.love.keypressed(key)

    def printed(self) -> list[str]:
        """The texts of the picture of this moment."""
        self.love.draw()
        return list(self.love.printed.values())

    def frames(self, end: str) -> Iterator[int]:
        """A number for every frame, which is drawn, until one shows a text that ends so."""
        for frame in count():
            assert frame < MOST_FRAMES, "the game does not end"
            if any(text.endswith(end) for text in self.printed()):
                return
            yield frame
            self.love.update(1.0)


@pytest.mark.parametrize("lua", LUAS)
def test_sevens_is_the_game_of_the_engine(lua: str, tmp_path: Path) -> None:
    subject, seed = champion("sevens")[0], 4711
    host = Host(lua, "sevens", tmp_path, seed)
    for frame in host.frames("n deals again."):
        host.press(
            "right", "return", *["a"] * (frame == 60)
        )  # from then on the program plays for the person, too
    cards = list(host.game.cards.values())
    state = deal(list(host.game.deck.values()), Cards.from_options(subject.rules))
    chosen_by_program = 0
    for card in cards:
        legal = state.legal_actions()
        if state.current_player != 0 and len(legal) > 1:
            tree = subject.program.parts[state.decision]

            def worth(
                sensors: dict[str, float], candidate: int, tree: Any = tree, state: Any = state
            ) -> float:
                return evaluate(tree, sensors, state.random_numbers(seed, candidate))

            assert card == choose(state, worth)
            chosen_by_program += 1
        state = state.apply(card)
    assert chosen_by_program > 10
    assert state.is_terminal
    assert list(host.game.state.finished.values()) == list(state.finished)
    assert len(state.finished) == 4
    for seat, score in enumerate(state.returns()):
        name = f"program {seat}" if seat else "you"
        assert any(f"{name}: {score:g}" in text for text in host.printed())


def placements(ships: tuple[tuple[int, ...], ...], width: int) -> list[int]:
    """The random numbers with which a host places these ships: column, row, 1 along the row or 2 along the column."""
    numbers: list[int] = []
    for squares in ships:
        column, row = (squares[0] - 1) % width + 1, (squares[0] - 1) // width + 1
        numbers += [column, row, 2 if squares[1] - squares[0] == width else 1]
    return numbers


def raster(host: Host) -> Iterator[None]:
    """Shoot at all cells, row by row, a shot each time that one is asked for."""
    host.press(*["left", "up"] * 4)
    for _ in range(10):
        for _ in range(10):
            host.press("return", "right")
            yield
        host.press(*["left"] * 9, "down")


@pytest.mark.parametrize("lua", LUAS)
def test_battleship_takes_the_shots_of_the_engine(lua: str, tmp_path: Path) -> None:
    subject = champion("battleship")[0]
    recorded = record_game(subject.program, subject.header, Fleets(mode="solitaire"), 3)
    numbers = placements(recorded["ships"], recorded["width"])
    host = Host(lua, "battleship", tmp_path, recorded["key"], numbers * 2)
    shots = raster(host)
    for _ in host.frames("n begins again."):
        if host.game.is_your_turn:
            next(shots)
    taken = [(shot.x, shot.y) for shot in host.game.yours.shots.values()]
    squares = [(y - 1) * 10 + x if 1 <= x <= 10 and 1 <= y <= 10 else OFF_BOARD for x, y in taken]
    assert squares == list(recorded["shots"])
    assert "The program wins. n begins again." in host.printed()
    assert f"your fleet: 0 ships, {len(squares)} shots" in host.printed()
    assert 0 < len(list(host.game.its.shots)) <= len(squares)


def test_battleship_takes_the_shots_of_a_formula(tmp_path: Path) -> None:
    source = parse((PROGRAMS / "battleship" / "likeliest.tree").read_text(encoding="utf-8"))
    subject = Subject(
        source.program,
        "likeliest",
        primitives=game_of("battleship").offers["arithmetic"],
        carries_tests=False,
    )
    recorded = record_game(subject.program, {}, Fleets(mode="solitaire"), 3)
    text = exporter("lua").export(subject, "player")[0].text
    numbers = placements(recorded["ships"], recorded["width"])
    host = Host("luajit21", "battleship", tmp_path, recorded["key"], numbers * 2, text)
    shots = raster(host)
    for _ in host.frames("n begins again."):
        if host.game.is_your_turn:
            next(shots)
    taken = [(shot.y - 1) * 10 + shot.x for shot in host.game.yours.shots.values()]
    assert taken == list(recorded["shots"])


def test_battleship_can_be_won_and_clicked(tmp_path: Path) -> None:
    host = Host("lua54", "battleship", tmp_path, 7)
    host.love.mousepressed(700, 300)
    host.love.mousepressed(740, 300)  # it is not your turn now
    assert len(list(host.game.its.shots)) == 1
    while not host.game.is_your_turn:
        host.love.update(1.0)
    host.love.mousepressed(700, 300)
    assert "you have shot there already" in host.printed()
    host.press("n")
    targets = [tuple(map(int, name.split(","))) for name in host.game.its.cells]
    for _ in host.frames("n begins again."):
        if host.game.is_your_turn:
            host.game.x, host.game.y = targets.pop()
            host.press("return")
    assert "You win. n begins again." in host.printed()
    host.press("n", "a")
    for _ in host.frames("n begins again."):
        assert not host.game.is_your_turn
    assert len(list(host.game.its.shots)) == 0
    host.press("escape")
    assert host.love.has_quit


@pytest.mark.parametrize("lua", LUAS)
def test_mastermind_makes_the_guesses_of_the_engine(lua: str, tmp_path: Path) -> None:
    subject, key = champion("mastermind")[0], 12
    rules = Codes.from_options(subject.rules)
    transcript = record(RECORDER, subject.program, subject.rules, key)
    host = Host(lua, "mastermind", tmp_path, key)
    for colour in keyed_secret(key, rules):
        host.press(*["up"] * colour, "right")
    host.press("return")
    for _ in host.frames("n begins again."):
        host.press("down", "return")  # the guess 4 1 1, again and again
    guesses = [tuple(turn.guess.values()) for turn in host.game.program.turns.values()]
    assert guesses == [tuple(c + 1 for c in code_of_number(action, rules)) for action in transcript.actions]
    assert [tuple(turn.guess.values()) for turn in host.game.you.turns.values()] == [
        (4, 1, 1)
    ] * rules.guesses
    assert "The program wins. n begins again." in host.printed()


def test_mastermind_can_be_won(tmp_path: Path) -> None:
    host = Host("lua54", "mastermind", tmp_path, 3)
    host.press("up", "right", "up", "up", "return")
    for colour in list(host.game.you.secret.values()):
        host.press(*["up"] * (colour - 1), "right")
    host.press("return")
    for _ in host.frames("n begins again."):
        host.press("return")  # which is no guess any more
    assert len(list(host.game.you.turns)) == 1
    assert "You win. n begins again." in host.printed()


@pytest.mark.parametrize("alone", [False, True], ids=["against a person", "alone"])
@pytest.mark.parametrize("lua", LUAS)
def test_dots_and_boxes_draws_the_sides_of_the_engine(lua: str, alone: bool, tmp_path: Path) -> None:
    subject = champion("dots_and_boxes")[0]
    host = Host(lua, "dots_and_boxes", tmp_path, 5)
    if alone:
        host.press("a")
    for _ in host.frames("n begins again."):
        host.press("left", "left", "return")
    searches, state = plan_of(subject.program), Position.begin(Board.from_options({}))
    numbers = iter(host.love.drawn.values())
    for side in list(host.game.sides.values()):
        if alone or state.current_player == 1:
            _, moves = moves_of(searches, state)
            assert side == moves[int(next(numbers) * len(moves))]
        state = state.apply(side - 1)
    assert state.is_terminal
    yours, its = host.game.boxes.values()
    assert (yours + its, yours - its) == (9, state.lead(0))
    assert f"you {yours} : {its} the program" in host.printed()


def test_sides_can_be_clicked(tmp_path: Path) -> None:
    host = Host("lua54", "dots_and_boxes", tmp_path, 5)
    host.love.mousepressed(95 + 75, 120 + 4)
    host.love.mousepressed(95 + 75, 120 + 150)  # it is not your turn now
    assert list(host.game.sides.values()) == [1]
    host.love.update(1.0)
    assert len(list(host.game.sides)) == 2


def with_levels(game: str, folder: Path, texts: Mapping[str, str]) -> str:
    """The text of a roster with these programs, which is also written into a folder."""
    language = "rulegraph" if game == "dots_and_boxes" else "arithmetic"
    primitives, parse = game_of(game).offers[language], language_entry(language).load().parse
    subjects = [
        Subject(
            parse(text, name).program,
            name,
            {"level": name[-1], "title": f"looks at {name}"},
            primitives,
            RULES.get(game, {}),
        )
        for name, text in texts.items()
    ]
    ((_, (document,)),) = exports_of(subjects, "lua", "roster").files
    (folder / "roster.lua").write_text(document.text, encoding="utf-8")
    return document.text


LEVELS = {
    "sevens": {"level-1": "play: env.dist\nsend: env.rank", "level-2": "play: env.depth\nsend: env.dist"},
    "mastermind": {"level-1": "guess: env.parts", "level-2": "guess: -env.parts"},
    "battleship": {"level-1": "shoot: env.cover", "level-2": "shoot: -env.cover"},
    "dots_and_boxes": {"level-1": "take: x_0 w => x_0 - w", "level-2": "safe: t_0 n => t_0 - n"},
    "connect_four": {"level-1": "drop: env.centre", "level-2": "drop: 9 * env.wins - env.centre"},
}


@pytest.mark.parametrize("lua", LUAS)
@pytest.mark.parametrize(
    "name",
    ["sevens", *(pytest.param(name, marks=pytest.mark.release) for name in LEVELS if name != "sevens")],
)
@pytest.mark.usefixtures("connect_four")
def test_a_person_picks_a_level_by_its_sentence(name: str, lua: str, tmp_path: Path) -> None:
    text = with_levels(name, tmp_path, LEVELS[name])
    host = Host(lua, name, tmp_path, 4)
    roster, own = host.lua.execute(text), None
    if name == "connect_four":
        own = host.lua.eval('require("rules")')
    assert roster.selftest(own)[0] == 0
    assert [each.level for each in roster.LEVELS.values()] == [1, 2]
    assert "level-1 looks at level-1; l takes the next level" in host.printed()
    host.press("l")
    assert "level-2 looks at level-2; l takes the next level" in host.printed()
    assert roster.level(2)._VERSION.startswith("level-2")
    assert roster.level("level-1")._VERSION.startswith("level-1")
    host.press("l")
    assert "level-1 looks at level-1; l takes the next level" in host.printed()
    with pytest.raises(Exception, match="there is no level 3"):
        roster.level(3)


@pytest.fixture
def connect_four(none_named: None) -> Game:
    """Connect Four, whose file is named."""
    name_game(str(FILES["connect_four"]))
    game: Game = game_of("connect_four")
    return game


@pytest.mark.parametrize("alone", [False, True], ids=["against a person", "alone"])
@pytest.mark.parametrize("lua", LUAS)
def test_connect_four_drops_the_discs_of_the_engine(
    connect_four: Game, lua: str, alone: bool, tmp_path: Path
) -> None:
    seed = 21 + alone
    host = Host(lua, "connect_four", tmp_path, seed)
    if alone:
        host.press("a")
    for _ in host.frames("n begins again."):
        host.press("right", "right", "return")
    program = player_of_program(champion("connect_four")[0].program, connect_four, "careful", {})
    deals = Deals(np.array([seed]))
    state = connect_four.begin((), deals, connect_four.make_rules({}))
    for column in list(host.game.columns.values()):
        if alone or state.current_player != host.game.you:
            assert column == connect_four.choose(program, state, deals)
        state = state.apply(column)
    assert state.is_terminal
    scores = state.returns()
    ending = {1.0: "You win", 0.5: "Nobody wins", 0.0: "The program wins"}[scores[seed % 2]]
    assert f"{ending}. n begins again." in host.printed()


@pytest.mark.parametrize("lua", LUAS)
def test_the_rules_of_connect_four_are_those_of_recorded_games(
    connect_four: Game, lua: str, tmp_path: Path
) -> None:
    host = Host(lua, "connect_four", tmp_path, 1)
    assert host.lua.eval('(require("player"))').selftest(host.game.rules) == (0, None)


def test_columns_can_be_clicked_until_they_are_full(connect_four: Game, tmp_path: Path) -> None:
    host = Host("lua54", "connect_four", tmp_path, 2)
    host.love.mousepressed(45 + 10, 300)
    host.love.mousepressed(45 + 10, 300)  # it is not your turn now
    assert list(host.game.columns.values()) == [0]
    host.press("n")
    assert "the program begins" in host.printed()
    for column in (0, 0, 0, 0, 0, 0, 1):
        host.game.rules.apply(host.game.state, column)
    host.love.mousepressed(45 + 10, 300)
    assert "this column is full" in host.printed()
    host.press("left", "return", "escape")
    assert list(host.game.columns.values()) == [6]
    assert host.love.has_quit


@pytest.mark.parametrize("name", [*PARSERS, *FILES])
def test_a_host_without_a_program_says_what_to_do(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    lua = import_module("lupa.lua51").LuaRuntime()
    lua.globals().package.path = f"{tmp_path}/empty/?.lua"
    lua.globals().love = lua.execute(LOVE)
    text = (host_folder(name) / "main.lua").read_text(encoding="utf-8")
    with pytest.raises(Exception, match="export a program beside this file first"):
        lua.execute(text)
    suffix = ".tree" if name in FILES else Path(PARSERS[name][0]).suffix
    assert f"gpkit export PROGRAM{suffix}" in text.partition("\nlocal ")[0]


@pytest.mark.parametrize("name", [*PARSERS, *FILES])
@pytest.mark.parametrize("lua", LUAS)
def test_the_window_has_a_title(lua: str, name: str) -> None:
    state = import_module(f"lupa.{lua}").LuaRuntime()
    state.execute("love = {}")
    state.execute((host_folder(name) / "conf.lua").read_text(encoding="utf-8"))
    settings = state.eval("{ window = {}, modules = {} }")
    state.globals().love.conf(settings)
    assert settings.window.title
    assert settings.version == "11.4"
