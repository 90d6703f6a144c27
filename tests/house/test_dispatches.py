"""Tests of the number of dispatches on types of node, which may only fall."""

import ast

import pytest
from house.dispatches import ROOT, counted, dispatches

MOST = 54
"""The number of dispatches in ``gpkit``; lower it when you remove one. Before the tables of nodes, there were 168."""


@pytest.mark.release
def test_kinds_of_nodes_are_asked_for_in_few_places() -> None:
    found = dispatches(ROOT)
    assert found.total() == MOST, found


def test_each_question_counts_once() -> None:
    text = """
from gpkit.genomes.plan import Chance as Luck, Do, steps
from elsewhere import Use
def f(step, Do=Do):
    match step:
        case Do() | Luck(probability=1.0):
            return isinstance(step, Do | Use)
        case Use():
            return isinstance(step, (str, Luck)) or type(step) is Do
    return isinstance(step, Use) or isinstance(step, str) or Do(step)
"""
    assert counted(ast.parse(text), "gpkit.some") == 5
    assert counted(ast.parse("isinstance(1, Do)"), "gpkit.genomes.plan") == 1
