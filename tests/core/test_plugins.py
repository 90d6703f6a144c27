"""Games and languages from outside: what is imported, what never is, and what is said of faults."""

import pickle
import sys
from importlib.metadata import Distribution
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from case_files import case_text
from hypothesis import given
from hypothesis import strategies as st

from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.errors import EXIT_FINDINGS, EXIT_USAGE, GuestError, UsageError
from gpkit.core.plugins import points_of
from gpkit.core.registry import all_games, game_of, name_game

COUNTING = case_text("games/counting.txt")

EVIL = 'open("touched", "w").close()\nGAME = 1\n'


@pytest.fixture(autouse=True)
def none_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is named before a test, nor after it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(plugins.VARIABLE, raising=False)
    monkeypatch.setattr(plugins, "here", plugins.Discovery())


def test_a_file_that_is_named_brings_its_game(tmp_path: Path) -> None:
    Path("counting.py").write_text(COUNTING)
    assert name_game("./counting.py") == "counting"
    assert name_game(str(tmp_path / "counting.py")) == "counting", "it is the same file"
    assert [entry.name for entry in all_games() if entry.origin] == ["counting"]
    assert game_of("counting").offers["arithmetic"].sensor_names == ("env.left",)
    assert not list(tmp_path.rglob("__pycache__")), "nothing is left beside it"


def test_the_variable_names_files(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("counting.py").write_text(COUNTING)
    monkeypatch.setenv(plugins.VARIABLE, "./counting.py")
    assert game_of("counting").players(game_of("counting").make_rules({})) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "x = 1\n",
            "game.py has no game and no problem: expected a last line such as GAME = gpkit.game(...) or PROBLEM",
        ),
        ("x = 1\ny = 1 / 0\n", "game.py, line 2: ZeroDivisionError: division by zero"),
        ("def f(:\n", "game.py, line 1: invalid syntax"),
        (COUNTING.replace('"counting"', '"Counting!"'), "`Counting!` is not a valid game name"),
        (COUNTING.replace('"counting"', '"sevens"'), "a game `sevens` exists already"),
        (
            COUNTING.replace("sensors=[left]", "sensors=[left, left]"),
            "two sensors of counting are called `env.left`",
        ),
        (
            COUNTING.replace("GAME =", '@fact("n")\ndef score(after):\n    return 1\n\nGAME =')
            .replace("gpkit import ", "gpkit import fact, ", 1)
            .replace("sensors=[left]", "sensors=[left], facts=[score]"),
            "every game has the fact `score`, the score of the traced program, at the end; rename the function in",
        ),
        (COUNTING.replace("0, 4, ", "4, 0, "), "line 28: the sensor left has the bounds 4 to 0"),
    ],
)
def test_a_file_that_is_no_game_says_where(text: str, told: str) -> None:
    Path("game.py").write_text(text)
    with pytest.raises(GuestError) as caught:
        name_game("game.py")
    assert told in str(caught.value)


def test_a_mistyped_file_gets_the_nearest_one_beside_it(tmp_path: Path) -> None:
    (tmp_path / "kalah.py").write_text("")
    with pytest.raises(GuestError, match=r"there is no file .*kalha\.py; did you mean .*kalah\.py\?"):
        name_game(str(tmp_path / "kalha.py"))


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(GuestError, match=r"there is no file nim.py"):
        name_game("nim.py")
    Path("nim.py").mkdir()
    with pytest.raises(GuestError, match=r"nim.py is not a file"):
        name_game("nim.py")


@pytest.mark.parametrize(
    "command",
    [
        ["check", "evil.tree"],
        ["run", "evil.tree"],
        ["draw", "evil.tree"],
        ["evolve", "evil.toml", "--out", "run"],
        ["evolve", "--resume", "--out", "stored"],
        ["report", "stored"],
    ],
)
def test_headers_configurations_and_run_folders_import_nothing(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("evil.py").write_text(EVIL)
    Path("evil.tree").write_text("// game: ./evil.py\nplay: 1.0\n")
    Path("evil.toml").write_text('game = "./evil.py"\n')
    Path("stored").mkdir()
    Path("stored/run.json").write_text(
        '{"schema": "gpkit.run/2", "config": {"game": "./evil.py"}, "seed": 1, "versions": {}, "argv": []}'
    )
    assert main(command) in (EXIT_FINDINGS, EXIT_USAGE)
    assert not Path("touched").exists()
    captured = capsys.readouterr()
    assert "there is no game `./evil.py`" in captured.out + captured.err


def test_another_process_reads_the_same_file_or_none() -> None:
    Path("counting.py").write_text(COUNTING)
    name_game("counting.py")
    stored = pickle.dumps(game_of("counting"))
    plugins.here = plugins.Discovery()
    assert pickle.loads(stored).name == "counting"  # noqa: S301
    plugins.here = plugins.Discovery()
    Path("counting.py").write_text(COUNTING + "\nLATER = 1\n")
    with pytest.raises(GuestError, match=r"counting.py has changed since the run began"):
        pickle.loads(stored)  # noqa: S301


def _installed(folder: Path, group: str, points: str) -> None:
    """A distribution with entry points."""
    info = folder / "brought-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{points}\n")


COMMANDS = """
def winner(numbers: int, *, last: int = 2) -> str:
    '''Show who says the last number.

    Args:
        numbers: that are left.
    '''
    return f"{'AB'[numbers % (last + 1) == 0]}\\n"


COMMANDS = (winner,)
"""


def test_a_package_brings_commands_with_its_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "brought_package").mkdir()
    for name, text in (("__init__", ""), ("game", COUNTING), ("commands", COMMANDS)):
        (tmp_path / "brought_package" / f"{name}.py").write_text(text)
    _installed(tmp_path, "gpkit.games", "counting = brought_package.game:GAME")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["counting:winner", "6"]) == 0
    assert main(["counting:winner", "6", "--last", "3"]) == 0
    assert capsys.readouterr().out == "B\nA\n"
    assert main(["counting:winner", "--help"]) == 0
    assert "NUMBERS: That are left." in capsys.readouterr().out
    assert main(["counting:winner", "x"]) == EXIT_USAGE
    assert "`x`: expected a whole number" in capsys.readouterr().err
    assert main(["counting:wimmer", "6"]) == EXIT_USAGE
    assert "there is no command `counting:wimmer`" in capsys.readouterr().err


def test_distributions_bring_games_and_a_broken_one_harms_nobody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "brought_counting.py").write_text(COUNTING)
    _installed(
        tmp_path, "gpkit.games", "counting = brought_counting:GAME\nbroken = not_there:GAME\nsevens = x:GAME"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert [entry.name for entry in all_games() if entry.origin] == ["broken", "counting"]
    assert main(["list", "rules", "--game", "counting"]) == 0
    assert "opening  counting" in capsys.readouterr().out
    assert main(["run", "champion", "--game", "broken"]) == EXIT_USAGE
    assert "`broken` of brought 1.0 cannot be imported: ModuleNotFoundError" in capsys.readouterr().err
    assert main(["check", "champion", "--game", "sevens"]) == 0
    plugins.here = plugins.Discovery()
    assert main(["list", "games"]) == 0
    captured = capsys.readouterr()
    assert "from brought 1.0" in captured.out
    assert "`sevens` of brought 1.0 is left out of gpkit.games: the name is taken" in captured.err


TABLES = {
    "none": None,
    "other": "[console_scripts]\nx = x:main\n",
    "ours": "[gpkit.games]\ngame = brought:GAME\n",
    "unreadable": "[gpkit.games]\ngame = brought:GAME\n",
    "damaged": "[gpkit.games]\ngame\n",
}
"""Tables of entry points; the last two are of distributions that are left out."""


@pytest.mark.release
@given(st.lists(st.tuples(st.sampled_from(["a.b", "A_b", "c"]), st.sampled_from(list(TABLES))), max_size=5))
def test_of_distributions_of_one_name_the_first_readable_one_counts(found: list[tuple[str, str]]) -> None:
    wanted, seen = [], set()
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        for number, (name, table) in enumerate(found):
            info = Path(place, str(number), f"{name}-{number}.dist-info")
            info.mkdir(parents=True)
            damage = b"\xff" * (table == "unreadable")
            (info / "METADATA").write_bytes(f"Name: {name}\nVersion: {number}\n".encode() + damage)
            if (text := TABLES[table]) is not None:
                (info / "entry_points.txt").write_text(text)
            plain = name.lower().replace(".", "_")
            if table not in ("unreadable", "damaged") and plain not in seen:
                seen.add(plain)
                wanted += [str(number)] * (table == "ours")
        patch.setattr(sys, "path", [str(Path(place, str(number))) for number in range(len(found))])
        points = list(points_of("gpkit.games"))
        assert [point.dist.version for point in points if point.dist is not None] == wanted


def test_names_of_distributions_that_bring_nothing_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take ten times as long as tables, at the start of every command."""

    read: list[Distribution] = []
    monkeypatch.setattr(Distribution, "metadata", property(read.append))
    assert list(points_of("gpkit.nothing_of_this_name")) == []
    assert read == []


@pytest.mark.parametrize("body", ["raise SystemExit(0)", "class Q(BaseException): pass\nraise Q"])
def test_a_hostile_distribution_neither_shadows_nor_ends_anything(
    body: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of a shipped name is never imported; any other is told when it is asked for."""
    (tmp_path / "shadow.py").write_text(f"open('touched', 'a').close()\n{body}\n")
    (tmp_path / "hostile.py").write_text(f"{body}\n")
    _installed(tmp_path, "gpkit.games", "sevens = shadow:GAME\nother = hostile:GAME")
    monkeypatch.syspath_prepend(tmp_path)
    Path("p.tree").write_text("// game: sevens\nplay: env.rank\nsend: env.rank\n")
    for line in ("run p.tree --opponent random --games 1", "trace p.tree --opponent random", "check p.tree"):
        assert main([*line.split(), "--game", "sevens"]) == 0, line
    assert not Path("touched").exists()
    capsys.readouterr()
    for line in ("run p.tree", "trace p.tree", "play other", "evolve other --out run", "doctor"):
        given = [] if "other" in line else ["--game", "other"]
        assert main([*line.split(), *given]) == EXIT_USAGE, line
        assert "`other` of brought 1.0 cannot be imported: " in capsys.readouterr().err, line


def test_unknown_games_name_the_way_to_ones_own() -> None:
    with pytest.raises(UsageError, match=r"for a game of your own, give its file, such as ./mygame\.py"):
        game_of("nim")


TEXT = b"""import math
def f(x):
    return (x,
        '''# no comment
 a
''')
"""


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        (b"# note\n\n" + TEXT + b"\n\n", True),
        (TEXT.replace(b"(x,", b"(x,  # \xc3\xa4 note\n\n"), True),
        (TEXT + b'if __name__ == "__main__":\n    # note\n    f(2)\n', True),
        (TEXT + b'if __name__ == "__main__":\n    f(2)\nelse:\n    f(3)\n', False),
        (TEXT + b"if 1:\n    f(2)\n", False),
        (TEXT.replace(b"# no comment", b"# a comment"), False),
        (TEXT.replace(b" a\n", b""), False),
        (TEXT.replace(b" a\n", b" a\n\n"), False),
        (TEXT + b"not Python\n", False),
        (b"\xff" + TEXT, False),
    ],
)
def test_comments_and_the_main_block_are_no_code(text: bytes, is_same: bool) -> None:
    assert (plugins.code_of(text) == plugins.code_of(TEXT)) is is_same
