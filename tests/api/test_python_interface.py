"""The Python interface does what the commands do, with the same results and the same messages."""

import ast
import inspect
import json
from importlib import import_module
from pathlib import Path
from types import ModuleType

import own_use
import pytest
from own_use import GAME, SMALL, champion, first, named, steps, strength, verdict

import gpkit
from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.registry import data_folder
from gpkit.show import render

TIC_TAC_TOE = data_folder("programs") / "games" / "tic_tac_toe.py"
PROGRAM = "place: env.own * 3 + env.theirs * 2\n"


pytestmark = pytest.mark.usefixtures("nobodys")


def test_every_name_is_known_to_type_checkers_and_found_when_asked_for() -> None:
    tree = ast.parse(Path(gpkit.__file__).read_text())
    top = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert {node.module for node in top} == {"importlib", "typing"}, (
        "the rest is imported when it is asked for"
    )
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    typed = {each.asname or each.name: (node.module, each.name) for node in imports for each in node.names}
    assert sorted(typed) == sorted([*gpkit.__all__, "list"]), "`import *` leaves Python's own list alone"
    for name, (module, attribute) in typed.items():
        assert getattr(gpkit, name) is getattr(import_module(str(module)), attribute)
        assert not isinstance(getattr(gpkit, name), ModuleType)
        assert name in dir(gpkit)
    with pytest.raises(AttributeError, match="'evolv'"):
        gpkit.evolv  # noqa: B018


def test_programs_are_read_as_by_commands(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.tree").write_text("// better\nplace: env.own*3+env.thiers\n")
    mine = gpkit.load("mine.tree", game=TIC_TAC_TOE)
    assert (mine.name, mine.game, mine.language) == ("mine.tree", "tic_tac_toe", "arithmetic")
    assert str(mine) == mine.print() == "// better\nplace: env.own * 3 + env.thiers"
    (finding,) = mine.check()
    assert main(["check", "mine.tree", "--game", "tic_tac_toe"]) == 1
    assert str(finding) in capsys.readouterr().out
    assert (finding.code, finding.line, finding.help) == ("E010", 2, "did you mean `env.theirs`?")
    with pytest.raises(SourceError, match=r"mine.tree:2:18"):
        gpkit.play(mine, "random")
    mine.save("again.tree")
    assert str(gpkit.load("again.tree")) == str(mine)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: gpkit.load("champoin", game="sevens"), "did you mean `champion`?"),
        (lambda: gpkit.load("champion"), "choose one with --game"),
        (lambda: gpkit.load("missing.tree"), "there is no file missing.tree"),
        (
            lambda: gpkit.load("hunt", game="batleship"),
            "there is no game `batleship`; did you mean `battleship`?",
        ),
        (lambda: gpkit.parse("place: 1", language="arithmetics"), "did you mean `arithmetic`?"),
        (
            lambda: gpkit.play("simple", "random", game="sevens", games=0),
            "games=0: expected a whole number from 1",
        ),
        (lambda: gpkit.play("simple", "ranom", game="sevens"), "did you mean `random`?"),
        (
            lambda: gpkit.play("simple", "random", game="sevens", rules={"playrs": 4}),
            "did you mean `players`?",
        ),
        (
            lambda: gpkit.play("random", "random", game=own_use),
            "expected a name, the path of a file, or what gpkit.game returned",
        ),
        (
            lambda: gpkit.evolve(),
            "name a configuration file or a preset (article, ",
        ),
        (lambda: gpkit.evolve("seven"), "did you mean `sevens`?"),
        (lambda: gpkit.evolve("sevens", settings={"population": {"sise": 3}}), "did you mean `size`?"),
        (lambda: gpkit.evolve("dots_and_boxes"), "are learned, not evolved"),
    ],
)
def test_mistakes_have_the_messages_of_commands(wrong: object, message: str) -> None:
    assert callable(wrong)
    with pytest.raises(UsageError) as raised:
        wrong()
    assert message in str(raised.value)


def test_matches_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.tree").write_text(PROGRAM)
    told: list[int] = []
    line = [
        "run",
        "good.tree",
        "--opponent",
        "greedy",
        "--games",
        "20",
        "--seed",
        "3",
        "--rules",
        "opening=2",
    ]
    assert main([*line, "--game", str(TIC_TAC_TOE), "--json"]) == 0
    (printed,) = json.loads(capsys.readouterr().out)["results"]
    good = gpkit.load("good.tree", game="tic_tac_toe")
    result = gpkit.play(good, "greedy", games=20, seed=3, rules={"opening": 2}, callback=told.append)
    assert {key: value for key, value in printed.items() if key != "games_per_second"} == result.to_json()
    assert result.by_deal.mean() == pytest.approx(result.mean)
    assert told == [20]
    assert str(result).startswith("good.tree against greedy: win_share ")


@pytest.mark.release
def test_runs_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small.toml").write_text(
        'preset = "tic_tac_toe"\nseed = 4\n[population]\nsize = 8\n[fitness]\ndeals = 2\nvalidation_deals = 4\n'
        "hall = 0\n[race]\nfirst = 0\n[refinement]\nfinish = false\n[stop]\ngenerations = 1\n"
    )
    assert main(["evolve", "small.toml", "--game", str(TIC_TAC_TOE), "--out", "command"]) == 0
    assert "SHA-256" in (said := capsys.readouterr().err)
    found, run = gpkit.evolve("tic_tac_toe", generations=1, seed=4, settings=SMALL, folder="python")
    assert run.digest in said
    assert [each.generation for each in run.generations] == [0, 1]
    assert (
        f"{found}\n"
        == Path("command/best/champion.tree").read_text()
        == Path("python/best/champion.tree").read_text()
    )
    assert str(gpkit.load("python")) == str(found)
    _, further = gpkit.evolve(folder="python", resume=True, generations=2)
    assert [each.generation for each in further.generations] == [0, 1, 2]
    with pytest.raises(gpkit.GpkitError, match="holds a run already"):
        gpkit.evolve("tic_tac_toe", folder="python")


def test_callback_ends_a_run() -> None:
    _, run = gpkit.evolve(
        GAME, generations=9, settings=SMALL, callback=lambda summary, program: summary.generation < 1
    )
    assert (len(run.generations), run.reason) == (2, "the callback")


def test_game_made_in_place_is_played_and_evolved() -> None:
    optimal = gpkit.parse("take: -env.over", game=GAME, name="optimal")
    assert strength(optimal) > 0.9
    assert strength(optimal, "greedy") == 0.5
    assert verdict(optimal, "greedy") == "better"
    assert len(steps(optimal)) == 4
    found, best = champion(1)
    assert found.game == "sticks"
    assert len(best) == 2
    assert first().current_player == 0
    assert named().name == "sticks"
    with pytest.raises(UsageError, match="put it into a file to evolve with 2 workers"):
        gpkit.evolve(GAME, workers=2)


def test_game_made_again_takes_the_place_of_the_one_before() -> None:
    source = Path(own_use.__file__).read_text()
    cell: dict[str, object] = {"__name__": "own_use"}
    assert strength(gpkit.parse("take: env.over", game=GAME)) < 0.5
    exec(compile(source.replace("-env.over", "env.over"), "own_use.py", "exec"), cell)  # noqa: S102
    other = cell["GAME"]
    assert isinstance(other, type(GAME))
    assert gpkit.play("greedy", "random", game=other, games=40).mean < 0.5
    assert gpkit.play("greedy", "random", game="sticks", games=40).mean < 0.5
    taken = gpkit.game("sevens", inspect.unwrap(GAME.first), sensors=GAME.sensors, options=GAME.all_options)
    with pytest.raises(GuestError, match="a game `sevens` exists already"):
        gpkit.play("random", "random", game=taken)


def test_faults_of_a_game_made_in_place_name_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(own_use.__file__).read_text().replace("return Sticks(self", "return 1 // 0, Sticks(self")
    module = ModuleType("cell")
    plugins.sys.modules["cell"] = module
    exec(compile(source, "<cell 3>", "exec"), vars(module))  # noqa: S102
    line = next(number for number, text in enumerate(source.splitlines(), start=1) if "1 // 0" in text)
    with pytest.raises(GuestError, match=rf"<cell 3>, line {line}, in apply: ZeroDivisionError"):
        gpkit.play("greedy", "random", game=module.GAME, games=2)


def test_drawings_are_text_or_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    program, other = (gpkit.parse(f"take: env.over * {number}", game=GAME) for number in (2, 3))
    drawn = program.draw()
    assert repr(drawn) == str(drawn) == "take\n×\n├─ env.over\n└─ 2.0"
    assert "digraph" in drawn.dot
    assert "3.0" in str(other.draw(program))
    drawn.save("picture.txt")
    assert Path("picture.txt").read_text().strip() == str(drawn)
    monkeypatch.setattr(render, "renderers", lambda: ())
    assert drawn._repr_svg_() is None
    with pytest.raises(gpkit.GpkitError, match="drawing needs Graphviz"):
        drawn.save("picture.svg")


def test_lua_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.tree").write_text(PROGRAM)
    assert main(["export", "good.tree", "--to", "lua", "--mode", "function", "--game", str(TIC_TAC_TOE)]) == 0
    good = gpkit.load("good.tree", game="tic_tac_toe")
    assert good.export("lua", "function").rstrip("\n") == capsys.readouterr().out.rstrip("\n")
    with pytest.raises(UsageError, match="lua has no mode `modul`"):
        good.export("lua", "modul")
