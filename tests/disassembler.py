"""Machine code as text, one instruction a line, with the names of inputs and the values of constants."""

from gpkit.vm.isa import HOST, INSTRUCTIONS
from gpkit.vm.program import Program


def disassemble(program: Program) -> str:
    """The listing of a program: place, instruction, result or target, operands."""
    names = _slot_names(program)
    lines = [_line(place, [int(w) for w in row], names, program) for place, row in enumerate(program.code)]
    return "\n".join([*lines, f"      result {names[program.result]}"])


def _slot_names(program: Program) -> list[str]:
    written = {
        int(row[1])
        for row in program.code
        if int(row[0]) < HOST and INSTRUCTIONS[int(row[0])].columns[0] == "result"
    }
    names = list(program.inputs)
    registers = 0
    for slot in range(len(program.inputs), len(program.memory)):
        if slot in written:
            names.append(f"r{registers}")
            registers += 1
        else:
            names.append(repr(float(program.memory[slot])))
    return names


def _line(place: int, row: list[int], names: list[str], program: Program) -> str:
    instruction = program.instruction(row[0])
    assert instruction is not None, "the program is verified"
    words = []
    for word, kind in zip(row[1:], instruction.columns, strict=True):
        if kind in ("result", "slot"):
            words.append(names[word])
        elif kind == "target":
            words.append(f"@{word}")
        elif kind == "number":
            words.append(str(word))
    return f"{place:4}  {instruction.name:8}{', '.join(words)}".rstrip()
