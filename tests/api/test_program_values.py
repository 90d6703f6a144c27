"""Programs are values: equal, hashed, pickled as text, called on numbers and tables, simplified, exported."""

import copy
import pickle
import pickletools

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError

PARABOLA = gpkit.parse("x * x + c", name="parabola")
TREE = "test x <= 1\n  yes: red\n  no: blue\n"


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("hunt", "battleship"),
        ("champion", "sevens"),
        ("knuth", "mastermind"),
        ("double-dealer", "dots_and_boxes"),
        ("rush", "build_order"),
    ],
)
def test_programs_go_through_pickle_and_copies(name: str, game: str) -> None:
    program = gpkit.load(name, game=game)
    for again in (pickle.loads(pickle.dumps(program)), copy.deepcopy(program), copy.copy(program)):  # noqa: S301
        assert again == program
        assert len({again, program}) == 1
        assert again.size == program.size > 0
        assert (again.name, again.game, str(again)) == (program.name, program.game, str(program))
    called = {op.name: value for op, value, _ in pickletools.genops(pickle.dumps(program, protocol=0))}
    assert called["GLOBAL"] == "gpkit.api.programs _read_again"


def test_what_counts_is_the_program_its_language_and_its_game() -> None:
    assert gpkit.parse("// seed: 3\nx*x  +  c // same", name="other") == PARABOLA
    others = [gpkit.parse("x * x - c"), gpkit.parse("x * x + c", game="mastermind"), "x * x + c"]
    assert PARABOLA not in others
    hunt = "// game: battleship\n{}\ntargeting:\n  Target\n  Shoot\n"
    programs = [
        gpkit.parse(hunt.format(line), language="sinking")
        for line in ("", "// seed: 1", "// dialect: bridon")
    ]
    assert programs[0] == programs[1] != programs[2], "a dialect changes what a program does"


def test_programs_are_called_on_numbers_and_arrays() -> None:
    assert PARABOLA(x=3, c=1) == 10.0
    assert isinstance(PARABOLA(x=3, c=1), float)
    assert PARABOLA(x=np.ones((2, 1)), c=[1, 2, 3]).tolist() == [[2.0, 3.0, 4.0]] * 2
    assert PARABOLA(x=np.empty(0), c=1).shape == (0,)
    assert gpkit.parse("3")(x=[1, 2]).tolist() == [3.0, 3.0]
    assert gpkit.parse("play: env.a + 1\nsend: 2")(a=3) == {"play": 4.0, "send": 2.0}
    noisy = gpkit.parse("math.random() + x")
    assert noisy(x=[1, 2]).tolist() == noisy(x=[1, 2]).tolist()
    tree = gpkit.parse(TREE, language="decision")
    assert (tree(x=0), tree(x=[0, 3]).tolist()) == ("red", ["red", "blue"])
    assert gpkit.parse("1 / 0")() == 1.0


class Frame(dict[str, list[float]]):
    """As a data frame: it has columns, and gives each by its name."""

    columns = ("x", "c", "class")


@pytest.mark.parametrize(
    "rows",
    [
        {"x": [1, 2], "c": [3, 3], "class": ["a", "b"]},
        [{"x": 1, "c": 3}, {"x": 2, "c": 3}],
        Frame({"x": [1, 2], "c": [3, 3], "class": [0, 0]}),
    ],
)
def test_rows_of_tables_are_evaluated(rows: object) -> None:
    assert PARABOLA.evaluate(rows).tolist() == [4.0, 7.0]
    assert PARABOLA.evaluate([[3, 1], [3, 2]], columns=["c", "x"]).tolist() == [4.0, 7.0]
    assert gpkit.parse("x * 2").evaluate([1, 2]).tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"x": 1}, "the program reads `c`, which is not given: add c=..."),
        ({"x": "a", "c": 1}, "x='a' is not a number"),
        ({"x": None, "c": 1}, "x=None is not a number"),
        ({"x": [[1], [1, 2]], "c": 1}, "is not a number or an array"),
        ({"x": [1, 2], "c": [1, 2, 3]}, "do not go together"),
        ({"x": 1j, "c": 1}, "is not a number"),
    ],
)
def test_values_of_another_kind_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        PARABOLA(**values)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        (3, (), "an array of shape ()"),
        ([[1, 2]], (), "name the columns of the array"),
        ([[1, 2]], ("x",), "an array of shape (1, 2) for x"),
        ("rows", (), "is not a number"),
    ],
)
def test_tables_of_another_kind_are_refused(rows: object, columns: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        PARABOLA.evaluate(rows, columns=columns)
    assert message in str(raised.value)


def test_programs_that_act_say_what_plays_them() -> None:
    with pytest.raises(UsageError, match=r"act in a game and compute no value; gpkit.play plays hunt"):
        gpkit.load("hunt", game="battleship")(x=1)
    with pytest.raises(UsageError, match="text=3: expected a text"):
        gpkit.parse(3)  # type: ignore[arg-type]


def test_simplified_programs_compute_the_same() -> None:
    long = gpkit.parse("// score: 3\nx * 1 + y", name="long")
    short = long.simplify()
    assert (short.size, long.size, short.name) == (3, 5, "long")
    assert short(x=2, y=3) == long(x=2, y=3) == 5.0
    assert short.simplify() is short


@pytest.mark.parametrize("to", ["python", "json"])
def test_exports_are_those_of_the_command_and_checked(to: str) -> None:
    assert PARABOLA.check_export(to).is_equal
    assert "parabola" in PARABOLA.export(to)
    with pytest.raises(UsageError, match="did you mean `python`"):
        PARABOLA.export("pyton")
