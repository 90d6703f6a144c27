"""The cases of ``tests/cases/sinking``: text files, each a source and what is expected of it.

A case is the source, then parts that start with a line of dashes and a title:

    ---- program            canonical text
    ---- format             the text after formatting
    ---- findings           the findings as they are shown, for Battleship
    ---- matters k=v        canonical text of the program without the lines that cannot matter, with these switches
    ---- rows k=v           the listing of the compiled program, with these switches
    ---- steps k=v          the first 25 steps with a scripted host and these switches: count, place, word, what changed
    ---- error              the whole message of the error
"""

import re
from collections.abc import Callable
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import pytest
from scripted_host import ScriptedHost

from gpkit.core.errors import GpkitError
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.checks import check
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.dialect import dialect_of
from gpkit.languages.sinking.formatter import format_source
from gpkit.languages.sinking.interpreter import Registers, interpret
from gpkit.languages.sinking.introns import introns
from gpkit.languages.sinking.parser import Source, parse
from gpkit.languages.sinking.printer import print_program
from gpkit.vm.disassembler import disassemble

CASES = Path(__file__).parents[2] / "cases" / "sinking"

Part = tuple[str, str, str]


def read_case(path: Path) -> tuple[str, list[Part]]:
    """The source of a case, and its parts: title, rest of the title line, expected text."""
    source, *rest = re.split(r"^---- (\w+) ?(.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return source, list(zip(rest[0::3], rest[1::3], rest[2::3], strict=True))


def dialect_for(source: Source, switches: str) -> dict[str, str]:
    """The dialect of a source with some switches set."""
    pairs = dict(word.split("=") for word in switches.split())
    return dialect_of({**source.header, **pairs}, PRIMITIVES)


def findings_of(source: Source, _: str) -> str:
    return "".join(
        d.render(source.text, source.filename) + "\n" for d in check(source, {"sinking": PRIMITIVES})
    )


def matters(source: Source, switches: str) -> str:
    skipped = introns(source.program, dialect_for(source, switches), PRIMITIVES)
    blocks = tuple(
        tuple(word for k, word in enumerate(block) if (b, k) not in skipped)
        for b, block in enumerate(source.program.blocks)
    )
    return print_program(LinearProgram(source.program.names, blocks))


def rows(source: Source, switches: str) -> str:
    dialect = dialect_for(source, switches)
    return disassemble(compile_program(source.program, dialect, PRIMITIVES)) + "\n"


def steps(source: Source, switches: str) -> str:
    """One step a line."""
    host = ScriptedHost([(5 * k + 2) % 16 for k in range(16)])
    taken = interpret(source.program, dialect_for(source, switches), PRIMITIVES, host, budget=20)
    lines = []
    before = asdict(Registers())
    for step in islice(taken, 25):
        block, line = step.place
        now = asdict(step.registers)
        changed = " ".join(f"{name}={value}" for name, value in now.items() if value != before[name])
        before = now
        word = (step.word or "(end)") + (" *" if step.ends_turn else "")
        lines.append(f"{step.count:3} {source.program.names[block]} {line + 1} {word}  {changed}".rstrip())
    return "\n".join(lines) + "\n"


PARTS: dict[str, Callable[[Source, str], str]] = {
    "program": lambda source, _: print_program(source.program),
    "format": lambda source, _: format_source(source),
    "findings": findings_of,
    "matters": matters,
    "rows": rows,
    "steps": steps,
}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    text, parts = read_case(path)
    assert parts, "a case expects something"
    if parts[0][0] == "error":
        with pytest.raises(GpkitError) as caught:
            parse(text, f"{path.stem}.sink")
        assert str(caught.value) + "\n" == parts[0][2]
        return
    source = parse(text, f"{path.stem}.sink")
    for title, arguments, expected in parts:
        assert PARTS[title](source, arguments) == expected, title
    # what holds for every program
    formatted = format_source(parse(text))
    assert format_source(parse(formatted)) == formatted
    assert parse(formatted).program == parse(print_program(source.program)).program == source.program
