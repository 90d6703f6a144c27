"""Ancestry: clones are one individual, missing parents are left out, long lineages are cut."""

import pytest

from gpkit.draw.lineage import LIMIT, Ancestor, Record, lineage, lineage_dot, lineage_text


def record(name: str, operator: str, *parents: str) -> Record:
    """The record of an individual called GENERATION.INDEX."""
    return Record(name, parents, operator, int(name.partition(".")[0]), 0.5)


def test_only_ancestors_are_kept_latest_first() -> None:
    records = [record("0.0", "create"), record("0.1", "create"), record("1.0", "crossover", "0.0", "0.0")]
    found = lineage([*records, record("1.1", "tree", "0.1"), record("2.0", "tree", "1.0")], "2.0")
    assert [a.record.name for a in found] == ["2.0", "1.0", "0.0"]
    assert [a.parents for a in found] == [("1.0",), ("0.0",), ()]


def test_a_clone_is_the_individual_that_lived_longer() -> None:
    clones = [record(f"{g}.0", "clone", f"{g - 1}.0") for g in range(1, 5)]
    found = lineage([record("0.0", "create"), *clones, record("3.1", "tree", "2.0")], "4.0")
    assert found == (Ancestor(record("0.0", "create"), (), 4),)
    found = lineage([record("0.0", "create"), *clones, record("3.1", "tree", "2.0")], "3.1")
    assert [(a.record.name, a.until) for a in found] == [("3.1", 3), ("0.0", 2)]


def test_parents_without_a_record_are_left_out() -> None:
    assert lineage([record("5.0", "clone", "4.0")], "5.0")[0].record.name == "5.0"
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


def test_names_are_escaped() -> None:
    odd = Record('"<i>&amp;\\N', (), "<b>", 0, 0.25)
    dot = lineage_dot(lineage([odd], odd.name))
    assert "&lt;b&gt;" in dot
    assert 'tooltip="\\"<i>&amp;amp;∖N: <b>, generation 0, fitness 0.25"' in dot
