"""The cases of ``tests/cases/rulegraph``, with these parts:

---- program            canonical text
---- format             the text after formatting
---- findings           the findings as they are shown, for no game in particular
---- error              the whole message of the error
---- lenient            behind an error: the findings of lenient reading
"""

from pathlib import Path

from language_cases import Shown, cases, findings, held

from gpkit.genomes.graph import faults
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.language import LANGUAGE
from gpkit.languages.rulegraph.parser import parse
from gpkit.languages.rulegraph.printer import print_program


@cases("rulegraph")
def test_case(path: Path) -> None:
    parts: dict[str, Shown] = {
        "findings": lambda source, _: findings(LANGUAGE, source, None),
        "lenient": lambda text, _: findings(LANGUAGE, parse(text, f"{path.stem}.rules", lenient=True), None),
    }
    if source := held(path, LANGUAGE, parts):
        rules = [named.rule for named in source.program.rules]
        assert [list(faults(rule)) for rule in rules] == [[]] * len(rules)
        printed = parse(print_program(source.program)).program
        assert [named.rule for named in printed.rules] == [canonical(rule) for rule in rules]
