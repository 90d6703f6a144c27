"""The shape of the house: nothing below names a slice, arrows point down, files and functions are short.

And names that it does not hold: hosts of package registries, from which only the tools of whoever installs load.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from house import parts, picture
from house.structure import House, circles

import gpkit
from gpkit.core.plugins import Entry
from gpkit.core.registry import GAMES, LANGUAGES

PACKAGE = Path(gpkit.__file__).parent

pytestmark = pytest.mark.release

FILE_LINES, FUNCTION_LINES = 900, 60

MOST_OF_A_NAME = 2
"""Modules that have a class of one name, at most; who reads one of these classes elsewhere has to know which."""

ROOT = Path(__file__).resolve().parents[1]
TREE = (".ci", "docs", "editors", "experiments", "gpkit", "grammars", "programs", "tests")
MADE = {"__pycache__", "node_modules"}
"""Folders that tools make below those of the tree."""

REGISTRIES = {
    "org": "pypi pythonhosted npmjs open-vsx luarocks anaconda rubygems",
    "com": "npmjs yarnpkg unpkg",
    "net": "jsdelivr",
    "io": "crates quay ghcr",
}
"""Names of hosts by their ending, apart, so that this file does not hold them."""


@pytest.fixture(scope="module")
def house() -> House:
    """This checkout, counted."""
    return House(PACKAGE.parent)


PLAYING = {
    "playing/contest.py": {"game.play", "memory.play_on"},
    "evolution/game_subject.py": {"self.game.play"},
    "api/health.py": {"game.play"},
}
"""Files that play games: contests, the fitness of games, and what compares games with their rules and times them."""


DOORS = (("user_games/declare.py", "game"), ("user_languages/declare.py", "language"))
"""Functions whose docstrings explain every keyword."""


def is_command(function: ast.FunctionDef) -> bool:
    """Whether a function is a command, of the command line or in Python."""
    marks = [ast.unparse(each) for each in function.decorator_list]
    return "command" in marks or "click.command" in " ".join(marks)


def test_no_function_is_long(house: House) -> None:
    large: dict[str, set[str]] = {}
    for module, function in house.functions:
        lines = (function.end_lineno or 0) - function.lineno + 1
        is_estimator = module.path.startswith("sklearn/") and function.name == "__init__"
        is_door = (module.path, function.name) in DOORS
        if lines > FUNCTION_LINES and not (is_command(function) or is_estimator or is_door):
            large.setdefault(module.path, set()).add(function.name)
    assert large == {}


def test_games_are_played_by_contests_fitness_and_doctor(house: House) -> None:
    found: dict[str, set[str]] = {}
    for module in house.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.Attribute) and node.attr in ("play", "play_on"):
                owner = ast.unparse(node.value).split(".")[-1].strip("_").lower()
                if owner in ("game", "memory", "known", "meant"):
                    found.setdefault(module.path, set()).add(ast.unparse(node))
    assert found == PLAYING


def test_no_file_is_long() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE.rglob("*.py")}
    assert {path.name: count for path, count in lines.items() if count > FILE_LINES} == {}


SMALL = 40
"""Lines below which a module has to be worth more than one importer."""

SMALL_MODULES = {
    "gpkit.games.dots_and_boxes.primitives": "found by its name, as in every game",
    "gpkit.games.build_order.facts": "the facts of a game, as in every game",
}
"""Small modules with one importer, each with the reason why it stands alone."""


def test_no_small_module_has_a_single_importer(house: House) -> None:
    assert set(house.doors(SMALL)) == SMALL_MODULES.keys()


def tree_files() -> Iterator[Path]:
    """The files of the tree, without what tools make."""
    yield from (path for path in ROOT.iterdir() if path.is_file() and not path.name.startswith(".coverage"))
    for path in (path for folder in TREE for path in (ROOT / folder).rglob("*")):
        if path.is_file() and MADE.isdisjoint(path.parts):
            yield path


def test_no_file_names_the_host_of_a_package_registry() -> None:
    hosts = [f"{name}.{end}".encode() for end, names in REGISTRIES.items() for name in names.split()]
    texts = {path.relative_to(ROOT).as_posix(): path.read_bytes().lower() for path in tree_files()}
    assert "pyproject.toml" in texts
    assert {path: host for path, text in texts.items() for host in hosts if host in text} == {}


PLAIN = frozenset({"decision", "execution"})
"""Names of languages that are plain words, too: texts that are those words say nothing of a language."""


def test_nothing_below_the_slices_names_one(house: House) -> None:
    assert house.imports_of_slices == []
    assert [
        each for each in house.names_of_slices if ast.literal_eval(each.split(" ", 1)[1]) not in PLAIN
    ] == []


def test_no_arrow_points_up_and_none_leads_back(house: House) -> None:
    assert house.arrows_up == []
    assert house.names_up == []
    assert circles(house.arrows) == []
    assert circles(house.imports_that_run) == []


@pytest.mark.parametrize("entry", [*GAMES, *LANGUAGES], ids=lambda entry: entry.name)
def test_a_slice_lies_in_one_room(house: House, entry: Entry) -> None:
    rooms = {house.room_of(path) for path in house.own(entry.name)}
    assert rooms - {"genomes"} == {house.slices[entry.name]}, "beside its kind of program"


@pytest.mark.parametrize("room", ["games", "languages"])
def test_who_looks_at_a_slice_imports_nothing_of_it(room: str) -> None:
    for path in [PACKAGE / room / "__init__.py", *sorted((PACKAGE / room).glob("*/__init__.py"))]:
        (statement,) = ast.parse(path.read_text(encoding="utf-8")).body
        assert isinstance(statement, ast.Expr), f"{path} holds a docstring alone"


def part_of(module: str) -> str:
    """The name of a module in the folder of its slice, such as ``forms.draw``."""
    return ".".join(module.split(".")[3:])


PARTS = {
    "commands": "asked before any game is loaded",
    "learning": "asked before any game is loaded",
    "primitives": "asked before any game is loaded",
}
"""The parts of shipped games that code looks up by a string, each with the reason."""


def test_only_these_parts_are_looked_up_by_a_string_and_mypy_checks_them(house: House) -> None:
    calls = (node for each in house.modules.values() for node in each.nodes if isinstance(node, ast.Call))
    asked = {
        each.value
        for call in calls
        if getattr(call.func, "attr", "") == "part"
        for each in call.args
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    assert asked == PARTS.keys()
    assert parts.__file__ is not None
    tree = ast.parse(Path(parts.__file__).read_text(encoding="utf-8"))
    nodes = (node for each in tree.body if isinstance(each, ast.AnnAssign) for node in ast.walk(each))
    assigned = {house.known(ast.unparse(node)) for node in nodes if isinstance(node, ast.Attribute)}
    offered = {name for name in house.modules if house.slices.get(house.slice_of(name)) == "games"}
    assert {name for name in offered if part_of(name) in asked} - assigned == set()
    assert parts.__name__ in house.project["tool"]["mypy"]["modules"]


def test_the_page_about_the_architecture_shows_the_house(house: House) -> None:
    """Sizes may differ by a tenth before somebody has to make the picture again; all else is equal."""
    rows = picture.parts_of(picture.PAGE.read_text(encoding="utf-8"))[1].splitlines()[2:]
    drawn = [[each.strip() for each in row.split("|")[1:-1]] for row in rows]
    built = [[each.strip() for each in str(room).split("|")[1:-1]] for room in picture.rooms(house)]
    assert [row[:2] + row[4:] for row in drawn] == [row[:2] + row[4:] for row in built]
    for old, new in zip(drawn, built, strict=True):
        for size, count in (
            (int(a.replace(",", "")), int(b.replace(",", "")))
            for a, b in zip(old[2:4], new[2:4], strict=True)
        ):
            assert abs(size - count) <= max(0.1 * count, 100), f"{new[1]}: make the picture again"


def test_every_form_is_named_by_its_package_or_used_in_its_slice(house: House) -> None:
    forms = {name for name in house.modules if house.slice_of(name) and part_of(name).startswith("forms.")}
    used = {b for a, b in house.imports if b in forms and house.slice_of(a) == house.slice_of(b)}
    assert forms - used == set()


def test_protocols_have_several_implementers(house: House) -> None:
    assert {name for name, found in house.implementers.items() if len(found) < 2} == set()


def test_few_modules_have_a_class_of_the_same_name(house: House) -> None:
    where = defaultdict(set)
    for module in house.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                where[node.name].add(module.path)
    assert {name: sorted(paths) for name, paths in where.items() if len(paths) > MOST_OF_A_NAME} == {}
