"""Programs are values: equal, hashed, pickled as text, called on numbers and tables, simplified, exported."""

import copy
import pickle
import pickletools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import doubles, trees

import gpkit
from gpkit.analysis.values import BuiltSource, function_of
from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import UsageError
from gpkit.core.registry import language_entry
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.playing.named import Named

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
    others = [gpkit.parse("x * x - c"), gpkit.parse("// game: elsewhere\nx * x + c"), "x * x + c"]
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


@settings(max_examples=40, deadline=None)
@given(
    formulas=st.tuples(*[trees(("x", "env.y"), random=False, max_leaves=8)] * 2),
    rows=st.lists(st.tuples(doubles(), st.one_of(doubles(), st.integers(-9, 9))), min_size=1, max_size=3),
)
def test_fast_calls_give_what_slow_ones_give_bit_for_bit(
    formulas: tuple[Tree, ...], rows: list[tuple[float, float]]
) -> None:
    language, program = language_entry("arithmetic").load(), TreeProgram(("one", "two"), formulas)
    function = function_of(Named("program", BuiltSource(program, language, {}), language))
    call, columns = (
        function.resolved(),
        [np.array(each, dtype=np.float64) for each in zip(*rows, strict=True)],
    )
    names = [name.rpartition(".")[2] for name in function.inputs]
    read = dict(zip(("x", "y"), columns, strict=True))
    slow = function.of({name: read[name].tolist() for name in names} or {"none": [0.0] * len(rows)})
    fast = call({name: read[name] for name in names})
    one = [call({name: dict(zip(("x", "y"), row, strict=True))[name] for name in names}) for row in rows]
    more = [call({"x": x, "y": y, "other": 1}) for x, y in rows]
    for section, values in slow.items():
        bits = [np.float64(each).tobytes() if each == each else b"NaN" for each in values]
        for found in (
            np.broadcast_to(fast[section], len(rows)),
            *[[each[section] for each in ones] for ones in (one, more)],
        ):
            assert [np.float64(each).tobytes() if each == each else b"NaN" for each in found] == bits


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"x": True, "c": 1}, 2.0),
        ({"x": np.float32(0.1), "c": 0}, float(np.float32(0.1)) ** 2),
        ({"x": np.array([2, 3]), "c": np.array([True, False])}, [5.0, 9.0]),
        ({"x": np.array([0.1], dtype=np.float32), "c": 0}, [float(np.float32(0.1)) ** 2]),
        ({"x": np.array([1, 2], dtype=object), "c": 0}, [1.0, 4.0]),
        ({"x": 2.0, "c": 1, "z": np.zeros(2)}, [5.0, 5.0]),
        ({"env.x": 2.0, "c": 1, "x": 2.0}, 5.0),
        ({"x": np.array([[1.0, 2.0]]), "c": 0}, [[1.0, 4.0]]),
        ({"x": np.array(3.0), "c": 0.0}, 9.0),
    ],
)
def test_other_numbers_are_those_that_they_stand_for(values: dict[str, object], expected: object) -> None:
    found = PARABOLA(**values)
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == expected


def test_a_full_name_counts_more_than_its_end() -> None:
    for _ in range(2):
        assert gpkit.parse("env.x + 1")(**{"env.x": 2.0, "x": 5.0}) == 3.0
        assert gpkit.parse("env.x + sea.x")(**{"x": 1.0, "sea.x": 5.0}) == 6.0


@pytest.mark.parametrize("value", [10**400, "1", None, 1j])
def test_what_is_no_number_is_refused_at_every_call(value: object) -> None:
    for _ in range(2):
        with pytest.raises(UsageError, match=r"x=.* is not a number"):
            PARABOLA(x=value, c=1)


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
    with pytest.raises(UsageError, match=r"compute no value: gpkit.actions gives the actions of ant"):
        gpkit.parse("do left\n", language="execution", name="ant")(food=1)
    with pytest.raises(
        UsageError, match=r"reads `sex_is_male`, a word of `sex`: gpkit.predict reads rows with words"
    ):
        gpkit.parse("2 * sex_is_male").evaluate({"sex": ["male"]})
    with pytest.raises(UsageError, match="text=3: expected a string or a SymPy expression"):
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


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("play: env.dept\nsend: env.dist", "sevens"),
        ("// game: sevens\nplay: env.dept\nsend: env.dist", None),
        ("x + 1", "dots_and_boxes"),
    ],
)
def test_a_text_with_an_error_for_its_game_is_refused_where_it_is_read(text: str, game: str | None) -> None:
    with pytest.raises(
        SourceError, match=r"has no sensor `env\.dept`|takes programs in the language `rulegraph`"
    ):
        gpkit.parse(text, game=game)


def test_a_text_is_checked_without_a_file() -> None:
    found = gpkit.check(text="play: env.dept +\nsend: env.dit", game="sevens")
    assert [(each.code, each.line) for each in found] == [("E001", 1)]
    with pytest.raises(UsageError, match="a text and files are two things to check"):
        gpkit.check("champion", text="x", game="sevens")
    with pytest.raises(UsageError, match="name its language"):
        gpkit.check(text="x + 1")
