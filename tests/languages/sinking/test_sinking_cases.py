"""The cases of ``tests/cases/sinking``, with these parts:

---- program            canonical text
---- format             the text after formatting
---- findings           the findings as they are shown, for Battleship
---- matters k=v        canonical text of the program without the lines that have no effect, with these switches
---- rows k=v           the listing of the compiled program, with these switches
---- steps k=v          the first 25 steps with a scripted host and these switches: count, place, word, what changed
---- error              the whole message of the error
"""

from dataclasses import asdict
from itertools import islice
from pathlib import Path

from language_cases import Shown, cases, findings, held
from scripted_host import ScriptedHost

from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.interpreter import Registers, interpret
from gpkit.languages.sinking.introns import introns
from gpkit.languages.sinking.language import LANGUAGE
from gpkit.languages.sinking.parser import Source, parse
from gpkit.languages.sinking.printer import print_program
from gpkit.languages.sinking.words import dialect_of
from gpkit.vm.disassembler import disassemble


def dialect_for(source: Source, switches: str) -> dict[str, str]:
    """The dialect of a source with some switches set."""
    pairs = dict(word.split("=") for word in switches.split())
    return dialect_of({**source.header, **pairs}, PRIMITIVES)


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


PARTS: dict[str, Shown] = {
    "findings": lambda source, _: findings(LANGUAGE, source, {"sinking": PRIMITIVES}),
    "matters": matters,
    "rows": rows,
    "steps": steps,
}


@cases("sinking")
def test_case(path: Path) -> None:
    if source := held(path, LANGUAGE, PARTS):
        assert parse(print_program(source.program)).program == source.program
