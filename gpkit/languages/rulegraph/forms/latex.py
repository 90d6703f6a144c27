"""Rule lists as LaTeX, in the notation of the source (Knittel, Bossomaier and Snyder, 2007)."""

import re

from gpkit.export.latex import SIGNS, aligned, escaped
from gpkit.export.registry import Document, Subject
from gpkit.genomes.graph import Rule, RuleList
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.printer import (
    absent_graphs,
    node_names,
    print_comparison,
    print_graph,
    print_rule,
)

MODES = ("equations",)

_INDEX = re.compile(r"_(\d+)")
_JOINED = r"\mid\;"
_WORDS = re.compile(r"\b(score|left)\b")


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """A line for each rule."""
    return (Document(".tex", latex_rules(subject.program)),)


def latex_rules(program: RuleList) -> str:
    """``align*`` with a line for each rule, its name before it, and before that a bar if it is joined."""
    lines = [
        rf"{_JOINED * named.joined}{_name(named.name)} & {latex_rule(named.rule)}" for named in program.rules
    ]
    notes = "% an earlier rule takes precedence\n" if len(lines) > 1 else ""
    notes += "% a rule after a bar has the precedence of the one before it\n" * (_JOINED in "".join(lines))
    return notes + aligned(lines)


def latex_rule(rule: Rule) -> str:
    r"""One rule; of level 0 it reads back.

    >>> from gpkit.genomes.graph import Action, Link, Graph, Node
    >>> graph = Graph((Node("x"), Node("l", 2, True)), (Link(0, 1, 1),), (0, 1))
    >>> print(latex_rule(Rule(graph, Action(1, 0))))
    l_{0}(2+) x_{1} n : x_{1} l_{0} \Rightarrow l_{0} - x_{1}
    """
    rule = canonical(rule)
    pattern, action = print_graph(rule.graph), print_rule(rule).rpartition(" => ")[2]
    conditions = [rf"\lnot ({print_graph(graph, first)})" for graph, first in absent_graphs(rule)]
    names = node_names(rule.graph)
    conditions += [_comparison(print_comparison(each, names)) for each in rule.comparisons]
    said = r" ;\; ".join([pattern, *conditions])
    return _INDEX.sub(r"_{\1}", rf"{said} \Rightarrow {action}")


def _comparison(text: str) -> str:
    """A comparison as the printer writes it."""
    words = (SIGNS.get(word, word) for word in text.split())
    return _WORDS.sub(r"\\mathit{\1}", " ".join(words))


def _name(name: str) -> str:
    return rf"\text{{{escaped(name)}:}}\quad" if name else ""
