"""The cases of ``tests/cases/rulegraph``: text files, each a source and what is expected of it.

A case is the source, then parts that start with a line of dashes and a title:

    ---- program            canonical text
    ---- format             the text after formatting
    ---- findings           the findings as they are shown, for no game in particular
    ---- lenient            the same of lenient reading, where strict reading is refused
    ---- error              the whole message of the error
"""

import re
from pathlib import Path

import pytest

from gpkit.core.errors import GpkitError
from gpkit.genomes.graph import faults
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.checks import check
from gpkit.languages.rulegraph.formatter import format_source
from gpkit.languages.rulegraph.parser import Source, parse
from gpkit.languages.rulegraph.printer import print_program

CASES = Path(__file__).parents[2] / "cases" / "rulegraph"

Part = tuple[str, str]


def read_case(path: Path) -> tuple[str, list[Part]]:
    """The source of a case, and its parts: title and expected text."""
    source, *rest = re.split(r"^---- (\w+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return source, list(zip(rest[0::2], rest[1::2], strict=True))


def findings_of(source: Source) -> str:
    return "".join(d.render(source.text, source.filename) + "\n" for d in check(source, None))


PARTS = {
    "program": lambda source: print_program(source.program),
    "format": lambda source: format_source(source),
    "findings": findings_of,
}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    text, parts = read_case(path)
    assert parts, "a case expects something"
    filename = f"{path.stem}.rules"
    expected = dict(parts)
    if "error" in expected:
        with pytest.raises(GpkitError) as caught:
            parse(text, filename)
        assert str(caught.value) + "\n" == expected["error"]
        if "lenient" in expected:
            assert findings_of(parse(text, filename, lenient=True)) == expected["lenient"]
        return
    source = parse(text, filename)
    for title, words in parts:
        assert PARTS[title](source) == words, title
    # what holds for every rule list
    assert [list(faults(named.rule)) for named in source.program.rules] == [[]] * len(source.program.rules)
    formatted = format_source(parse(text))
    assert format_source(parse(formatted)) == formatted
    assert parse(formatted).program == source.program
    printed = print_program(source.program)
    assert [n.rule for n in parse(printed).program.rules] == [canonical(n.rule) for n in source.program.rules]
