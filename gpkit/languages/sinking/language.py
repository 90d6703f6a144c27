"""Defines the sinking language for the registry, and the names in programs: blocks and instructions."""

import re
from collections.abc import Iterator, Mapping, Sequence

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.linear import LinearProgram
from gpkit.langkit.language import Language
from gpkit.langkit.naming import Name, Naming, Word, instruction_words
from gpkit.langkit.recovery import Lexeme, Recovery
from gpkit.languages.sinking import forms
from gpkit.languages.sinking.checks import NAME, check
from gpkit.languages.sinking.compiler import compile_program, simplify
from gpkit.languages.sinking.text import (
    BLOCKS,
    READING,
    SWITCHES,
    WORDS,
    dialect_of,
    format_source,
    parse,
    print_program,
    switches,
    vocabulary,
)
from gpkit.vm.program import Program, verify

_MEANINGS = (
    "The state of searching for a ship; programs start here.",
    "The state after a hit, searching for the ship's direction.",
    "The state of sinking a ship whose direction is known.",
)


def names(line: Sequence[Lexeme]) -> Iterator[Name]:
    """The names in the tokens of a line."""
    for token, following in zip(line, [*line[1:], None], strict=False):
        if token.terminal == "WORD":
            heads = following is not None and following.terminal in ("COLON", "STATE")
            yield Name(token.text, token.start, "section" if heads else "instruction", heads)


def words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The words for blocks, for the instructions of the language, and for the instructions of the game."""
    for name, meaning in zip(BLOCKS, _MEANINGS, strict=True):
        yield Word(name, "section", f"{name}:", meaning)
    for word in WORDS:
        yield Word(word.name, "instruction", word.name, word.meaning)
    yield from instruction_words(primitives)


NAMING = Naming(names, words, {"instruction": ("E130", "instruction")})


_EXAMPLE = """\
targeting:
  Target
  SavePos  // the next blocks come back here
  Shoot
  IfHit
  Jump  // to locking

locking:
  LoadPos
  RandDir
  MoveFwd
  Shoot
  IfHit
  Jump  // to sinking

sinking:
  MoveFwd
  Shoot
  IfMiss
  Jump  // to targeting
"""


def compile_for(
    program: LinearProgram, header: Mapping[str, str], primitives: PrimitiveSet
) -> tuple[Program, ...]:
    """The machine program, in the dialect of the header.

    Raises:
        KeyError: a word of the program is unknown.
        UsageError: the header gives a switch an invalid value.
    """
    compiled = compile_program(program, dialect_of(header, primitives), primitives)
    verify(compiled)
    return (compiled,)


def template(primitives: PrimitiveSet | None) -> str:
    """A small program with explanatory comments; it passes ``check`` for its game."""
    if primitives is None:
        return "\n".join([*_NOTATION, "", "targeting:", "  Nop", ""])
    words = vocabulary(primitives)
    width = max(map(len, words))
    own_switches = switches(primitives)
    switch_width = max(len(switch.name) for switch in own_switches)
    return "\n".join(
        [
            f"// game: {primitives.game}",
            "//",
            *_NOTATION,
            "//",
            "// Instructions (gpkit list instructions); with * beyond the language's source:",
            *(f"//   {w.name:{width}} {'*' if w.level else ' '} {w.meaning}" for w in words.values()),
            "//",
            "// Switches (gpkit list switches), set by header lines as the game is; the first value is the default:",
            *(f"//   {s.name:{switch_width}}  {' | '.join(s.values)}" for s in own_switches),
            "",
            _EXAMPLE,
        ]
    )


_NOTATION = (
    "// Three blocks hold one instruction a line. A program starts at the top of targeting; Jump leads to the",
    "// next block, and running off the end of a block returns to its top. A condition that does not "
    "hold skips",
    "// the line below; of several conditions in a row all must hold.",
)


RECOVERY = Recovery(
    reading=READING,
    local=frozenset(["E125", "E130", "E132", "E133", "E135", "E136"]),
    heading=re.compile(r"[^/\n]*(:|\bstate\b)", re.IGNORECASE),
)


def simplified(
    program: LinearProgram, header: Mapping[str, str], primitives: PrimitiveSet | None
) -> LinearProgram:
    """The program without the lines that have no effect in its dialect; unchanged if no game is given."""
    return program if primitives is None else simplify(program, dialect_of(header, primitives), primitives)


LANGUAGE = Language(
    recovery=RECOVERY,
    naming=NAMING,
    name=NAME,
    suffix=".sink",
    parse=parse,
    print_program=print_program,
    format_source=format_source,
    check=check,
    compile=compile_for,
    template=template,
    parts=lambda source: dict(zip(source.program.names, source.program.blocks, strict=True)),
    simplify=simplified,
    switches=SWITCHES,
    needs_game=True,
    listed={
        "instructions": tuple(
            {"name": word.name, "game": "any", "level": str(word.level), "meaning": word.meaning}
            for word in WORDS
        )
    },
    acting=lambda: forms.playing.ACTING,
    draw=lambda: forms.draw.DRAWING,
    evolution=lambda: forms.evolution,
    json=lambda: forms.exports.JSON,
    lua=lambda: forms.exports.EXPORTING,
    steps=lambda: forms.playing.steps,
)
