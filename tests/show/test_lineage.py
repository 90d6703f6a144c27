"""Ancestry: clones are one individual, missing parents are left out, long lineages are cut."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.show.lineage import LIMIT, LineageRecord, lineage, lineage_dot, lineage_text, marked_change


def record(name: str, operator: str, *parents: str) -> LineageRecord:
    """The record of an individual called GENERATION.INDEX."""
    return LineageRecord(name, parents, operator, int(name.partition(".")[0]), 0.5)


def test_only_ancestors_are_kept_latest_first() -> None:
    records = [record("0.0", "create"), record("0.1", "create"), record("1.0", "crossover", "0.0", "0.0")]
    found = lineage([*records, record("1.1", "tree", "0.1"), record("2.0", "tree", "1.0")], "2.0")
    assert [a.name for a in found] == ["2.0", "1.0", "0.0"]
    assert [a.parents for a in found] == [("1.0",), ("0.0",), ()]


def test_a_clone_is_the_individual_that_lived_longer() -> None:
    clones = [record(f"{g}.0", "clone", f"{g - 1}.0") for g in range(1, 5)]
    found = lineage([record("0.0", "create"), *clones, record("3.1", "tree", "2.0")], "4.0")
    assert found == (replace(record("0.0", "create"), until=4),)
    found = lineage([record("0.0", "create"), *clones, record("3.1", "tree", "2.0")], "3.1")
    assert [(a.name, a.until) for a in found] == [("3.1", 3), ("0.0", 2)]


def test_parents_without_a_record_are_left_out() -> None:
    assert lineage([record("5.0", "clone", "4.0")], "5.0")[0].name == "5.0"
    assert lineage([record("5.0", "crossover", "4.0", "4.1")], "5.0")[0].parents == ()


def test_an_unknown_champion_is_an_error() -> None:
    with pytest.raises(KeyError):
        lineage([record("0.0", "create")], "0.1")


def test_a_long_lineage_is_cut_in_the_picture_and_whole_in_the_text() -> None:
    count = 3 * LIMIT
    records = [record("0.0", "create"), *(record(f"{g}.0", "tree", f"{g - 1}.0") for g in range(1, count))]
    found = lineage(records, f"{count - 1}.0")
    dot = lineage_dot(found)
    assert dot.count("shape=box") == LIMIT
    assert dot.count("shape=plain") == 1
    assert len(lineage_text(found).splitlines()) == count + 1


def test_the_legend_names_every_operator_with_a_look_of_its_own() -> None:
    operators = ["create", *(f"operator-{k}" for k in range(8))]
    records = [record(f"{g}.0", name, *[f"{g - 1}.0"] * (g > 0)) for g, name in enumerate(operators)]
    dot = lineage_dot(lineage(records, "8.0"))
    legend = re.findall(
        r'bgcolor="(\S+)" color="(\S+)"( style="dashed")?></td><td align="left">([^<]*?) *<', dot
    )
    assert [words for *_, words in legend] == [*(f"by {name}" for name in operators), "thick: the champion"]
    boxes = re.findall(
        r'color="(\S+)" fillcolor="(\S+)" penwidth=\S+ shape=box style="rounded,filled(,dashed)?"', dot
    )
    assert len(set(boxes)) == len(operators)
    assert [(fill, line, bool(d)) for line, fill, d in boxes] == [
        (f, c, bool(d)) for f, c, d, _ in legend[:-1]
    ]


def test_the_legend_says_what_stands_for_older_ancestors_where_there_are_any() -> None:
    records = [
        record("0.0", "create"),
        *(record(f"{g}.0", "tree", f"{g - 1}.0") for g in range(1, LIMIT + 2)),
    ]
    assert "older ancestors, not shown" in lineage_dot(lineage(records, f"{LIMIT + 1}.0"))
    assert "older" not in lineage_dot(lineage(records, "4.0"))


def test_names_are_escaped() -> None:
    odd = LineageRecord('"<i>&amp;\\N', (), "<b>", 0, 0.25)
    dot = lineage_dot(lineage([odd], odd.name))
    assert "&lt;b&gt;" in dot
    assert 'tooltip="\\"<i>&amp;amp;∖N: <b>, generation 0, fitness 0.25"' in dot


@pytest.mark.parametrize(
    ("before", "after", "sentence", "marked"),
    [
        ("a + 3.6812", "a + 3.7391", "A number changed from 3.68 to 3.74.", ["3.7391"]),
        ("a + 3.6812", "a + 3.6813", "A number changed from 3.6812 to 3.6813.", ["3.6813"]),
        ("a + 1", "a + 1.0", "A number changed from 1 to 1.0.", ["1.0"]),
        ("a + b", "a * b", "`+` became `*`.", ["*"]),
        ("a", "a + b", "`+ b` was added.", [" + b"]),
        ("a + b", "a", "`+ b` was removed.", []),
        ("a + b", "a + max(b, b)", "`b` became `max(b, b)`.", ["max(b, b)"]),
        ("a", "a\n", "Only the layout changed.", []),
        ("x" * 50 + " + 1", "x" * 50 + " + y", "`1` became `y`.", ["y"]),
    ],
)
def test_a_change_is_marked_and_said_in_words(
    before: str, after: str, sentence: str, marked: list[str]
) -> None:
    said, parts = marked_change(before, after)
    assert said == sentence
    assert [text for text, is_new in parts if is_new] == marked
    assert "".join(text for text, _ in parts) == after.strip()


@given(st.text("ab1. +*()", max_size=30), st.text("ab1. +*()", max_size=30))
def test_marked_texts_are_the_new_texts(before: str, after: str) -> None:
    assert "".join(text for text, _ in marked_change(before, after)[1]) == after.strip()


def test_long_texts_without_changes_are_shortened() -> None:
    _, parts = marked_change("a + " * 100 + "b", "a + " * 100 + "c")
    assert len(parts[0][0]) < 130
    assert parts[1] == ("c", True)
