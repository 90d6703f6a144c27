"""Sinking programs as JSON: the lines of every block, and the answers of the dialect."""

import re
from collections.abc import Mapping
from typing import Any

from gpkit.core.diagnostics import check_known, suggestion
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export import json as document
from gpkit.export.registry import Subject
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.words import BLOCKS, CAPACITIES, dialect_of, vocabulary

MODES = ("program",)
MEMBER = "blocks"
documents, check = document.documents, document.check

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)


def members(subject: Subject) -> dict[str, Any]:
    """The dialect and the blocks."""
    program = subject.program
    return {
        "dialect": dialect_of(subject.header, subject.primitives),
        MEMBER: dict(zip(program.names, program.blocks, strict=True)),
    }


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[LinearProgram, Mapping[str, str]]:
    """The program of the blocks, and the answers of the dialect that do not follow from the header.

    Raises:
        UsageError: there is no such switch or answer, or the blocks are no program.
        LimitError: a block holds too many lines.
    """
    said = dialect_of(header, primitives)
    dialect = document.texts(value, "dialect")
    for switch in dialect:
        check_known("switch", switch, said)
    dialect_of(dialect, primitives)  # refuses an answer that its switch does not have
    answers = {switch: answer for switch, answer in dialect.items() if said[switch] != answer}
    return _blocks(value[MEMBER], primitives), answers


def _blocks(blocks: object, primitives: PrimitiveSet | None) -> LinearProgram:
    """The program of the blocks; one that is not there is empty."""
    if not isinstance(blocks, dict) or not blocks:
        raise UsageError("a program of instructions has `blocks`, an object of at least one")
    for name, lines in blocks.items():
        check_known("block", name, BLOCKS)
        if not isinstance(lines, list) or not all(_is_instruction(line) for line in lines):
            raise UsageError(f"the block `{name}` should be a list of instructions, each of them one word")
    for name, capacity in zip(BLOCKS, CAPACITIES, strict=True):
        if (length := len(blocks.get(name, ()))) > capacity:
            raise LimitError(f"`{name}` holds at most {capacity} lines, got {length}")
    for word in dict.fromkeys(line for lines in blocks.values() for line in lines):
        if primitives is not None and word not in (known := vocabulary(primitives)):
            raise UsageError(f"`{primitives.game}` has no instruction `{word}`; {suggestion(word, known)}")
    return LinearProgram(BLOCKS, tuple(tuple(blocks.get(name, ())) for name in BLOCKS))


def _is_instruction(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None and value.lower() not in BLOCKS
