"""Pools of rules: all that some files hold."""

from collections.abc import Sequence

from gpkit.app.named import Named, read_named
from gpkit.app.shipped import program_file
from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.learner.config import GAME
from gpkit.genomes.graph import NamedRule, RuleList
from gpkit.languages.rulegraph.language import LANGUAGE as RULES
from gpkit.matching.plan import asks_for_score, plan


def rule_list_of(named: Named) -> RuleList:
    """The rule list of what was named.

    Raises:
        UsageError: it is no rule list.
    """
    if named.source is None or named.source.program.language != RULES.name:
        raise UsageError(f"{named.spec}: expected a rule list (.rules)")
    rules: RuleList = named.source.program
    return rules


def read_pool(programs: Sequence[str]) -> RuleList:
    """All rules of some files, each once.

    Raises:
        UsageError: a file holds no rules, or one that looks at the score.
    """
    found: dict[object, NamedRule] = {}
    for named in read_named([program_file(program, GAME) for program in programs], None):
        for each in rule_list_of(named).rules:
            if asks_for_score(plan([each.rule])):
                raise UsageError(f"{named.spec}: lists are chosen from rules that do not look at the score")
            found.setdefault(each.rule, each)
    return RuleList(tuple(found.values()))
