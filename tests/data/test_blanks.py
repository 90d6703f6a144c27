"""Names, words and classes keep their blanks and invisible characters, from the table to every exported file."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_exports import BoxedLua, in_python, same_labels

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.header import print_header, read_header
from gpkit.core.wording import DECEPTIVE
from gpkit.data.features import facts_of, json_line
from gpkit.export.lua.hosts import Loaded
from gpkit.export.lua.module import row_literal

BLANKS = (" ", "  ", "\u00a0", "\u2003\u2003", "\u3000", "\t", "\u200e", "\u200b", "-")
MARKS = ("\u202e", "\u2066", "\u200f", "\x85", "\u2028", "\x1b", "\x7f", "\ufeff", "\r", '"', "\\u0041")


def spaced(marks: tuple[str, ...] = BLANKS) -> st.SearchStrategy[str]:
    """Words with such characters between them."""
    return st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(marks),
        st.sampled_from(" de"),
        st.sampled_from(marks),
        st.just("f"),
    ).map("".join)


lists = st.lists(st.one_of(spaced(), spaced(MARKS), st.text(min_size=1)), min_size=2, max_size=4, unique=True)


@given(lists, st.dictionaries(spaced(MARKS), lists, min_size=1))
def test_lines_of_json_read_back(classes: list[str], words: dict[str, list[str]]) -> None:
    header = {"classes": json_line(classes), "words": json_line(words), "note": "a  b\u00a0\u00a0c"}
    lines = print_header(header)
    assert DECEPTIVE.search("".join(lines)) is None
    found = read_header("\n".join(lines))
    assert found == header
    assert (list(facts_of(found, "p").labels), facts_of(found, "p").words) == (
        classes,
        {name: tuple(known) for name, known in words.items()},
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_fit_predicts_the_classes_of_its_table(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)  # noqa: S311 - draws texts
    odd = [f"{a}{rng.choice(BLANKS[1:] + MARKS)}{b}" for a, b in zip("abc", "def", strict=True)]
    words = [f"{a}{rng.choice(BLANKS[1:])}{b}" for a, b in zip("abcxyz", "def123", strict=True)]
    count = 2 + seed % 2
    place = [(x * 7 + x // 5) % count for x in range(40)]
    table: dict[str, Any] = {words[3]: [words[k] for k in place], words[4]: [x % 9 for x in range(40)]}
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    table[words[5]] = [odd[k] for k in place]
    found = gpkit.fit(table, words[5], population=30, generations=3, seed=1, test=0.0)
    found.program.save(tmp_path / "program.tree")
    program = gpkit.load(tmp_path / "program.tree")
    wanted = gpkit.predict(program, table).values.tolist()
    assert wanted == table[words[5]]
    assert same_labels(in_python([(program.export("python"), rows)])[0], wanted)
    loaded = Loaded(BoxedLua("lua54"), program.export("lua"), "module", program.named.source.program)
    assert same_labels([json.loads(each) for each in loaded.predict([*map(row_literal, rows)])], wanted)


@pytest.mark.parametrize("blank", ["  ", "\u00a0", "\u2003 "])
def test_a_check_compares_rows_of_the_table_with_predict(blank: str, tmp_path: Path) -> None:
    column, path = f"City{blank}x", tmp_path / "table.csv"
    path.write_text(f"{column},y\nNew{blank}York,1\nRome,\n", encoding="utf-8")
    lines = [
        f"// data: {path}",
        f"// words: {json_line({column: [f'New{blank}York', 'Rome']})}",
        '// fills: {"y": 2}',
    ]
    text = "\n".join([*lines, f'"{column}_is_New{blank}York" + y'])
    report = gpkit.parse(text).check_export("python", evaluations=10)
    assert (report.is_equal, report.rows[0].evaluations) == (True, 10 + 10 + 2)
    lost = text.replace(lines[1], '// words: {"City x": ["New York", "Rome"]}')
    with pytest.raises(UsageError, match=r"would look for a column .*, but .*table.csv has no such column"):
        gpkit.parse(lost).check_export("python", evaluations=10)
