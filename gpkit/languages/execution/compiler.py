"""Compiles plans to machine code; used plans are inlined, and each loop has its own slot for its counter.

The machine stops at actions, ticks and chances. The opcodes from ``HOST`` on are the game's actions in order, then
``tick`` and ``draw``. The first slots hold the features; the game updates them before the machine continues.
"""

import numpy as np

from gpkit.core.errors import LimitError
from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.plan import (
    MAIN,
    Chance,
    PlanProgram,
    Sequence,
    Step,
    Test,
    expanded,
)
from gpkit.genomes.tree import Computed
from gpkit.langkit.formulas import code_of
from gpkit.vm import isa
from gpkit.vm.program import Program, inlined

MOST_EXPANDED = 20_000
"""The maximum number of steps in a plan, including the steps of all plans that it uses."""

MOST_ROWS = 1_000_000
"""The maximum number of machine instructions of a plan whose tests call functions."""

TICK, DRAW = "tick", "draw"


def host_instructions(primitives: PrimitiveSet) -> tuple[isa.Instruction, ...]:
    """The rows for actions, ``tick`` and ``draw`` in the machine's table, from the opcode ``HOST`` on."""
    rows = [
        isa.Instruction(isa.HOST + number, action.name, ("-",) * 4, action.meaning)
        for number, action in enumerate(primitives.instructions)
    ]
    tick = isa.HOST + len(rows)
    rows.append(isa.Instruction(tick, TICK, ("-",) * 4, "a tick passes"))
    rows.append(isa.Instruction(tick + 1, DRAW, ("result", "-", "-", "-"), "r = a random number in [0, 1)"))
    return tuple(rows)


def compile_program(program: PlanProgram, primitives: PrimitiveSet) -> Program:
    """The machine code of a program that runs downwards, has no cycles and uses only names that the game knows.

    Raises:
        KeyError: a feature, an action or a plan is unknown.
        LimitError: the plan is too large when every used plan is inlined.
    """
    if expanded(program) > MOST_EXPANDED:
        raise LimitError(
            f"the plan has more than {MOST_EXPANDED} steps, including the steps of the plans that it uses"
        )
    code = _Code(program, primitives)
    code.sequence(program.plan(MAIN))
    code.row(isa.HALT)
    memory = np.zeros(code.slots)
    for value, slot in code.constants.items():
        memory[slot] = value
    for slot, value in code.given.items():
        memory[slot] = value
    return Program(
        np.array(code.rows, dtype=np.uint32),
        memory,
        primitives.sensor_names,
        code.slots - 1,
        host_instructions(primitives),
    )


class _Code:
    """Machine code under construction.

    Attributes:
        program: the plans.
        rows: the rows so far.
        constants: the slots of the constants.
        given: the memory of formulas, by slot.
        slots: the number of slots.
    """

    def __init__(self, program: PlanProgram, primitives: PrimitiveSet) -> None:
        self.program, self.slots = program, len(primitives.sensors)
        self.rows: list[list[int]] = []
        self.constants: dict[float, int] = {}
        self.given: dict[int, float] = {}
        self.features = {sensor.name: slot for slot, sensor in enumerate(primitives.sensors)}
        self.actions = {action.name: isa.HOST + k for k, action in enumerate(primitives.instructions)}
        self.tick = isa.HOST + len(self.actions)
        self.scratch = self.slot(), self.slot()

    def slot(self) -> int:
        """A new slot."""
        self.slots += 1
        return self.slots - 1

    def constant(self, value: float) -> int:
        """The slot of a constant."""
        if value not in self.constants:
            self.constants[value] = self.slot()
        return self.constants[value]

    def row(self, opcode: int, *columns: int) -> int:
        """Add a row and return its index."""
        self.rows.append([opcode, *columns, *([0] * (isa.WIDTH - 1 - len(columns)))])
        return len(self.rows) - 1

    def land(self, *places: int) -> None:
        """Make the jumps in these rows lead to the row after the last one."""
        for place in places:
            self.rows[place][1] = len(self.rows)

    def sequence(self, sequence: Sequence) -> None:
        """Add the rows of a sequence, including its branches and the plans that it uses, by recursion."""
        for step in sequence:
            if step.asks:
                self.row(self.actions[step.asks])
            elif step.uses:
                self.sequence(self.program.plan(step.uses))
            elif step.COUNT:
                self.loop(step)
            elif step.asked is not None:
                self.branches(self.unless(step.asked), *step.held)
            elif isinstance(step, Chance) and step.probability in (0.0, 1.0):
                self.sequence(step.yes if step.probability else step.no)
            elif isinstance(step, Chance):
                drawn, probability = self.scratch[0], self.constant(step.probability)
                self.row(self.tick + 1, drawn)
                self.row(isa.AT_MOST, drawn, probability, drawn)
                self.branches(self.row(isa.JUMP_UNLESS_ZERO, 0, drawn), step.yes, step.no)

    def branches(self, jump: int, yes: Sequence, no: Sequence) -> None:
        """Add two branches; the jump in the row ``jump`` leads to ``no``."""
        self.sequence(yes)
        over = self.row(isa.JUMP, 0)
        self.land(jump)
        self.sequence(no)
        self.land(over)

    def loop(self, step: Step) -> None:
        """Add a loop that counts down; it repeats the step's body, or ``tick`` until the test holds."""
        count = self.slot()
        self.row(isa.MOVE, count, self.constant(float(step.count)))
        top = len(self.rows)
        leave = [self.row(isa.JUMP_IF_ZERO, 0, count)]
        unmet = [] if step.asked is None else [self.unless(step.asked)]
        if step.held:
            leave += unmet
        else:
            leave.append(self.row(isa.JUMP, 0))
            self.land(*unmet)
            self.row(self.tick)
        self.row(isa.SUB, count, count, self.constant(1.0))
        for body in step.held:
            self.sequence(body)
        self.row(isa.JUMP, top)
        self.land(*leave)

    def unless(self, test: Test) -> int:
        """Add a test and a jump that is taken if the test fails; return the row of the jump."""
        for comparison, target in zip(test.comparisons, self.scratch, strict=False):
            self.compare(comparison, target)
        first, second = self.scratch
        if test.join:
            self.row(isa.MIN if test.join == "and" else isa.MAX, first, first, second)
        return self.row(isa.JUMP_IF_ZERO, 0, first)

    def feature(self, feature: str) -> int:
        """The slot of a feature; if a formula computes it, this adds the rows of the formula.

        Raises:
            LimitError: there are too many rows.
        """
        if not isinstance(feature, Computed):
            return self.features[feature]
        code = code_of(feature)
        inputs = [self.features[name] for name in code.inputs]
        rows, slot = inlined(code, inputs, self.slots)
        rest = code.memory[len(inputs) :].tolist()
        self.given |= dict(enumerate(rest, self.slots))
        self.slots += len(rest)
        self.rows += rows
        if len(self.rows) > MOST_ROWS:
            raise LimitError(
                f"the plan has more than {MOST_ROWS} instructions, with all functions that it calls"
            )
        return slot

    def compare(self, comparison: Comparison, target: int) -> None:
        """Add a comparison, which writes 1 to the slot ``target`` if it holds, and 0 otherwise."""
        value, threshold = self.feature(comparison.feature), self.constant(comparison.threshold)
        one = self.constant(1.0)
        match comparison.sign:
            case "<=" | ">":
                self.row(isa.AT_MOST, target, value, threshold)
            case ">=" | "<":
                self.row(isa.AT_MOST, target, threshold, value)
            case "==" | "!=":  # |value - threshold| <= 0
                self.row(isa.SUB, target, value, threshold)
                self.row(isa.ABS, target, target)
                self.row(isa.AT_MOST, target, target, self.constant(0.0))
        if comparison.sign in (">", "<", "!="):
            self.row(isa.SUB, target, one, target)
