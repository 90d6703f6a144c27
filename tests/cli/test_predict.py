"""``gpkit predict``: how programs that people wrote are read for a target, and words that were not learned from."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.cli.main import main

ROWS = [(x, x % 3, int(x > 5), "yes" if x > 5 else "no") for x in range(12)]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["x,z,n,w", *(",".join(map(str, row)) for row in ROWS), ""]), encoding="utf-8")
    return path


def program(folder: Path, text: str, suffix: str = ".tree") -> Path:
    path = folder / f"mine{suffix}"
    path.write_text(text, encoding="utf-8")
    return path


def metrics(gpkit, *words: object) -> tuple[list[str], str]:
    """The names of the metrics, of which the first is perfect, and what was told."""
    found = gpkit("predict", *words, "--json")
    assert found.code == 0, found.err
    told = json.loads(found.out)["metrics"]
    assert told[0]["mean"] == pytest.approx(1.0 if told[0]["name"] in ("r2", "accuracy") else 0.0)
    return [each["name"] for each in told], found.err


CLASSES = ["accuracy", "balanced", "log_loss", "auc"]


@pytest.mark.parametrize("target", ["n", "w"])
def test_a_formula_for_two_classes_gives_log_odds(gpkit, table: Path, target: str) -> None:
    mine = program(table.parent, "x - 5.5\n")
    names, told = metrics(gpkit, mine, table, "--target", target)
    second = {"n": "1 and not 0", "w": "yes and not no"}[target]
    assert names == CLASSES
    assert f"is read as the log odds that `{target}` is {second}; for numbers: --task regression" in told
    names, told = metrics(gpkit, mine, table, "--target", target, "--task", "classification")
    assert (names, told) == (CLASSES, "")
    out = table.parent / "out.csv"
    assert gpkit("predict", mine, table, "--target", target, "-o", out, "--probabilities").code == 0
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("prediction,probability of ")
    assert [line.partition(",")[0] for line in lines[1:]] == [str(row["xznw".index(target)]) for row in ROWS]


def test_a_formula_is_read_as_a_number_where_it_is_asked_for(gpkit, table: Path) -> None:
    mine = program(table.parent, "ifle(x, 5, 0, 1)\n")
    names, told = metrics(gpkit, mine, table, "--target", "n", "--task", "regression")
    assert (names, told) == (["r2", "rmse", "mae"], "")
    program(table.parent, "// task: regression\nifle(x, 5, 0, 1)\n")
    assert metrics(gpkit, mine, table, "--target", "n") == (["r2", "rmse", "mae"], "")
    program(table.parent, "x - 3 * floor(x / 3)\n")
    names, told = metrics(gpkit, mine, table, "--target", "z")
    assert names == ["r2", "rmse", "mae"]
    assert "`z` has 3 classes, which one formula cannot distinguish: it is read as a number" in told
    assert metrics(gpkit, program(table.parent, "x"), table, "--target", "x") == (["r2", "rmse", "mae"], "")


def test_the_leaves_of_a_tree_are_classes(gpkit, table: Path) -> None:
    for leaves, target, note in ((("0", "1"), "n", "all leaves are numbers"), (('"no"', '"yes"'), "w", "")):
        mine = program(table.parent, f"test x <= 5\n  yes: {leaves[0]}\n  no: {leaves[1]}\n", ".decide")
        names, told = metrics(gpkit, mine, table, "--target", target)
        assert names == CLASSES[:2]
        assert (note in told) if note else not told
    names, _ = metrics(gpkit, program(table.parent, "test x <= 5 yes: 0 no: 1", ".decide"), table, "--target", "n",
                       "--task", "regression")  # fmt: skip
    assert names[0] == "r2"
    mine = program(table.parent, "test x <= 5 yes: 0.5 no: 7", ".decide")
    assert "r2" in gpkit("predict", mine, table, "--target", "n").out


@pytest.mark.parametrize(
    ("text", "suffix", "words", "told"),
    [
        ("test x <= 5 yes: 'a' no: 'b'", ".decide", ["--target", "w"], "`w` is one of no, yes, and "),
        ("x", ".tree", ["--target", "z", "--task", "classification"], "// classes: [0, 1, 2]"),
        ("x", ".tree", ["--task", "classification"], "name the target column, --target"),
        ("x", ".tree", ["--target", "w", "--task", "regression"], "predicts numbers"),
        ('// classes: ["so", "maybe"]\nx', ".tree", ["--target", "w"], "is 'no'; expected one of so, maybe"),
        (
            "// words: {}\n// classes: [[1]]\nx",
            ".tree",
            [],
            "its line classes[0] = a list: expected true, false, a number or a string",
        ),
    ],
)
def test_a_program_that_cannot_tell_the_target_is_refused(
    gpkit, table: Path, text: str, suffix: str, words: list[str], told: str
) -> None:
    mine = program(table.parent, text.replace("'a'", '"a"').replace("'b'", '"b"'), suffix)
    found = gpkit("predict", mine, table, *words)
    assert (found.code, told in found.err) == (2, True), found.err


def test_labels_and_words_of_the_table_that_was_learned_from(gpkit, tmp_path: Path) -> None:
    table, new = tmp_path / "table.csv", tmp_path / "new.csv"
    lines = [f"{x % 2},{'ab'[x % 2]},{x % 5},{bool(x % 2)}" for x in range(40)]
    table.write_text("\n".join(["n,word,z,t", *lines, ""]), encoding="utf-8")
    for target, labels, answers in (("n", "[0, 1]", {"0", "1"}), ("t", "[false, true]", {"False", "True"})):
        out = tmp_path / target
        words = ("--inputs", "word,z", "--generations", 1, "--population", 20, "--out", out)
        found = gpkit("fit", table, "--target", target, *words)
        assert found.code == 0, found.err
        champion = (out / "best" / "champion.tree").read_text(encoding="utf-8")
        assert f"// classes: {labels}\n" in champion
        assert '// words: {"word": ["a", "b"]}\n' in champion
        predicted = gpkit("predict", out, table)
        assert {*predicted.out.split()[1:]} == answers
        assert predicted.err == ""
    new.write_text("word,z\na,1\nc,2\nd,2\nc,3\n,3\n", encoding="utf-8")
    mine = tmp_path / "mine.tree"
    mine.write_text('// words: {"word": ["a", "b"]}\nz + word_is_a\n', encoding="utf-8")
    told = gpkit("predict", mine, new)
    assert (
        "3 rows of `word` have words that were not learned from: `c`, `d`; all `word_is_...` are 0 there"
        in told.err
    )
    assert told.out.split() == ["prediction", "2", "2", "2", "3", "3"]
    mine.write_text('// words: {"word": ["a", "b"]}\nz\n', encoding="utf-8")
    assert gpkit("predict", mine, new).err == "", "which the formula does not read"


def test_the_chosen_program_of_a_run_is_exported(gpkit, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("\n".join(["x,y", *(f"{x},{x * 2.5}" for x in range(40)), ""]), encoding="utf-8")
    run = tmp_path / "run"
    assert (
        gpkit("fit", table, "--target", "y", "--generations", 1, "--population", 20, "--out", run).code == 0
    )
    for to in ("c", "lua", "python", "latex"):
        exported = gpkit("export", run, "--to", to)
        assert exported.code == 0, exported.err
        assert exported.out == gpkit("export", run / "best" / "champion.tree", "--to", to).out
    checked = gpkit("export", run, "--to", "python", "--check", "--evaluations", 20, "--json")
    assert json.loads(checked.out)["results"][0]["equal"]


CUT = "test x <= 3 yes: no no: yes"


def test_a_tree_among_formulas_is_told(gpkit, table: Path) -> None:
    mine = table.with_name("mine.tree")
    for text in ("test x <= 1\n  yes: a\n  no: b\n", '// target: y\nplay: test "x" <= 1 yes: a no: b\n'):
        mine.write_text(text, encoding="utf-8")
        for words in (("predict", mine, table), ("check", mine)):
            told = gpkit(*words)
            assert "a decision tree belongs in a file that ends in .decide" in told.out + told.err


def test_the_confusion_of_classes(gpkit, table: Path) -> None:
    mine = program(table.parent, CUT, ".decide")
    out = gpkit("predict", mine, table, "--target", "w").out
    assert out.split("\n\n")[1].splitlines() == ["true \\ predicted  no  yes", "no                 4    2",
                                                 "yes                0    6"]  # fmt: skip
    found = json.loads(gpkit("predict", mine, table, "--target", "w", "--json").out)
    assert found["confusion"] == {"no": {"no": 4, "yes": 2}, "yes": {"yes": 6}}
    table.write_text(table.read_text(encoding="utf-8").replace(",yes", ","), encoding="utf-8")
    lines = gpkit("predict", mine, table, "--target", "w").out.splitlines()
    assert lines[-2:] == ["true \\ predicted  no  yes", "no                 4    2"], "rows without a target"


def test_classes_of_numbers(gpkit, table: Path) -> None:
    words = (table, "--target", "n", "--task", "classification", "--json")
    for text, suffix in (("test x <= 3 yes: 0 no: 1", ".decide"), ("x - 3.5", ".tree")):
        found = json.loads(gpkit("predict", program(table.parent, text, suffix), *words).out)
        assert found["confusion"] == {"0": {"0": 4, "1": 2}, "1": {"1": 6}}
    table.write_text("x,y\n1,-1\n2,100\n3,20\n4,b\n", encoding="utf-8")
    mine = program(table.parent, "test x <= 1 yes: -1 no: test x <= 2 yes: 100 no: 20", ".decide")
    out = gpkit("predict", mine, table, "--target", "y", "--words", "y").out
    assert "true \\ predicted  -1  20  100  b" in out, "in the order of numbers"
    table.write_text("n,z\n1,2\n2,5\n3,1\n", encoding="utf-8")
    found = gpkit("predict", program(table.parent, "n"), table, "--target", "z", "--json")
    assert json.loads(found.out)["confusion"] == {}, "of numbers"


def test_many_classes_have_no_table(gpkit, table: Path) -> None:
    table.write_text("x,y\n" + "".join(f"{x},c{x}\n" for x in range(12)), encoding="utf-8")
    mine = program(table.parent, "test x < 3 yes: c1 no: c7", ".decide")
    found = gpkit("predict", mine, table, "--target", "y")
    assert "true" not in found.out
    assert "12 classes are too many for a table of their confusion; --json has it" in found.err
    confusion = json.loads(gpkit("predict", mine, table, "--target", "y", "--json").out)["confusion"]
    assert confusion["c2"] == {"c1": 1}
    assert len(confusion) == 12


def test_standard_input_is_called_so(gpkit, table: Path) -> None:
    mine = program(table.parent, CUT, ".decide")
    found = gpkit("predict", mine, "-", "--target", "w", stdin=table.read_bytes())
    assert found.out.splitlines()[1].startswith("rows of standard input  accuracy")
    assert "standard input is empty: the first line" in gpkit("predict", mine, "-").err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_to_and_a_link_followed(gpkit, tmp_path: Path) -> None:
    (tmp_path / "mine.tree").write_text("2 * x\n")
    (tmp_path / "t.csv").write_text("x\n1\n2\n")
    pipe, link, real = tmp_path / "pipe", tmp_path / "link.csv", tmp_path / "real.csv"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert gpkit("predict", tmp_path / "mine.tree", tmp_path / "t.csv", "-o", pipe).code == 0
        written = os.read(reader, 1000).decode()
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    link.symlink_to(real)
    assert gpkit("predict", tmp_path / "mine.tree", tmp_path / "t.csv", "-o", link).code == 0
    assert link.is_symlink()
    assert real.read_text() == written
    assert written.split() == ["prediction", "2", "4"]


@pytest.mark.skipif(os.name != "posix", reason="permissions and links are those of POSIX")
@given(mode=st.sampled_from((0o600, 0o640, 0o444, 0o755)), is_there=st.booleans(), fails=st.booleans())
@settings(max_examples=12)
def test_predictions_take_the_place_of_their_file_and_of_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, mode: int, is_there: bool, fails: bool
) -> None:
    folder = tmp_path_factory.mktemp("written")
    (folder / "mine.tree").write_text("2 * x\n")
    (folder / "t.csv").write_text("x\n1\n2\n" + ("?\n" if fails else ""))
    (folder / "precious").write_text("precious")
    for name in ("out.csv.part", ".out.csv.tmp", ".out.csv.new"):
        (folder / name).symlink_to("precious")
    if is_there:
        (folder / "out.csv").write_text("old")
        (folder / "out.csv").chmod(mode)
    before = {path.name: path.lstat().st_ino for path in folder.iterdir()}
    assert main(
        ["predict", str(folder / "mine.tree"), str(folder / "t.csv"), "-o", str(folder / "out.csv")]
    ) == (2 if fails else 0)
    assert (folder / "precious").read_text() == "precious"
    after = {path.name: path.lstat().st_ino for path in folder.iterdir()}
    assert {name: number for name, number in after.items() if name != "out.csv"} == {
        name: number for name, number in before.items() if name != "out.csv"
    }
    if is_there or not fails:
        assert (folder / "out.csv").read_text() == ("old" if fails else "prediction\n2\n4\n")
    if is_there:
        assert (folder / "out.csv").stat().st_mode & 0o777 == mode


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="this system has no /dev/fd")
def test_pipes_that_the_shell_has_opened_are_written_to(gpkit, tmp_path: Path) -> None:
    (tmp_path / "mine.tree").write_text("2 * x\n")
    (tmp_path / "t.csv").write_text("x\n1\n2\n")
    reading, writing = os.pipe()
    try:
        found = gpkit("predict", tmp_path / "mine.tree", tmp_path / "t.csv", "-o", f"/dev/fd/{writing}")
        assert (found.code, os.read(reading, 1000).split()) == (0, [b"prediction", b"2", b"4"])
    finally:
        os.close(reading)
        os.close(writing)
