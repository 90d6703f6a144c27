"""A small stand-in for a game that carries out the host instructions of the sinking language by a script.

The board has 3 x 3 squares; a script of numbers says where targets are, what hits, and which directions are drawn. What
it answers depends on what was shot and drawn before, not on how often it was asked, as in the real game.
"""

from collections.abc import Iterator, Mapping, Sequence

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.linear import Place
from gpkit.languages.sinking.interpreter import Outcome, Position, Registers
from gpkit.languages.sinking.text import DIRECTIONS, PITCH, TARGET_HIT
from gpkit.vm import isa
from gpkit.vm.machine import run_readable
from gpkit.vm.program import Program

SIZE = 3
STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
KINDS = {"RandDir": DIRECTIONS, "VertDir": ("north", "south"), "HorzDir": ("east", "west")}


class ScriptedHost:
    """The game: what it was asked to do that cannot be taken back is in ``actions``."""

    def __init__(self, script: Sequence[int]) -> None:
        self.script = tuple(script)
        self.known: dict[Position, bool] = {}
        self.draws = 0
        self.used: tuple[str, ...] = ()
        self.actions: list[tuple[str, Position, str, bool]] = []

    def execute(self, word: str, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Carry out one word, by the switches that belong to it."""
        x, y = registers.target_pos
        ahead = x + STEPS[registers.target_dir][0], y + STEPS[registers.target_dir][1]
        outcome = Outcome(registers)
        match word:
            case "Target":
                self.used = ()
                number = self._number(len(self.known)) + len(dialect["target"])
                outcome = _with(registers, target_pos=(number % SIZE, number // SIZE % SIZE))
            case "Shoot":
                outcome = self._shoot(registers, dialect)
                self._note(word, outcome)
            case "MoveFwd":
                if dialect["edge"] == "clamp":
                    ahead = min(max(ahead[0], 0), SIZE - 1), min(max(ahead[1], 0), SIZE - 1)
                elif dialect["edge"] == "torus":
                    ahead = ahead[0] % SIZE, ahead[1] % SIZE
                outcome = _with(registers, target_pos=ahead)
            case "RandDir" | "VertDir" | "HorzDir":
                chosen = self._candidates(KINDS[word], registers, dialect)
                direction = chosen[self._number(self.draws) % len(chosen)]
                self.draws += 1
                self.used += (direction,)
                outcome = _with(registers, target_dir=direction)
                self._note(word, outcome)
            case "OppDir":
                back = DIRECTIONS[(DIRECTIONS.index(registers.target_dir) + 2) % 4]
                outcome = _with(registers, target_dir=back)
            case "IfEdge":
                outcome = Outcome(registers, holds=not _is_on_board(ahead))
            case "IfKnown":
                outcome = Outcome(registers, holds=ahead in self.known)
            case _:
                raise KeyError(word)
        return outcome

    def _note(self, word: str, outcome: Outcome) -> None:
        after = outcome.registers
        self.actions.append((word, after.target_pos, after.target_dir, outcome.ends_turn))

    def _number(self, place: int) -> int:
        return self.script[place % len(self.script)]

    def _shoot(self, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        at = registers.target_pos
        if not _is_on_board(at):
            return _with(registers, dialect["off-board"] == "turn", target_hit=False, sunk=False)
        if at in self.known:
            hit = self.known[at] and dialect["known"] != "blind"
            return _with(registers, dialect["known"] == "turn", target_hit=hit, sunk=False)
        number = self._number(7 * len(self.known) + at[0] + SIZE * at[1])
        self.known[at] = number % 2 == 1
        if len(self.known) == SIZE * SIZE:
            self.known.clear()  # a new board, so that programs never run dry
        return _with(registers, True, target_hit=number % 2 == 1, sunk=number % 4 == 3)

    def _candidates(
        self, kind: tuple[str, ...], registers: Registers, dialect: Mapping[str, str]
    ) -> tuple[str, ...]:
        x, y = registers.target_pos
        chosen = kind
        if dialect["direction"] in ("unshot", "unshot-all"):
            ahead = {d: (x + dx, y + dy) for d, (dx, dy) in STEPS.items()}
            chosen = tuple(d for d in kind if _is_on_board(ahead[d]) and ahead[d] not in self.known)
        elif dialect["direction"] == "unused":
            chosen = tuple(d for d in kind if d not in self.used)
        return chosen or (DIRECTIONS if dialect["direction"] == "unshot-all" else kind)


def _is_on_board(at: Position) -> bool:
    return 0 <= at[0] < SIZE and 0 <= at[1] < SIZE


def _with(
    registers: Registers,
    ends_turn: bool = False,
    *,
    target_pos: Position | None = None,
    target_dir: str | None = None,
    target_hit: bool | None = None,
    sunk: bool | None = None,
) -> Outcome:
    """An outcome with some registers changed."""
    after = Registers(
        registers.target_pos if target_pos is None else target_pos,
        registers.temp_pos,
        registers.target_dir if target_dir is None else target_dir,
        registers.target_hit if target_hit is None else target_hit,
        registers.temp_hit,
        registers.sunk if sunk is None else sunk,
        registers.count,
    )
    return Outcome(after, ends_turn)


def registers_of(slots: Sequence[float]) -> Registers:
    """The registers that the machine holds in these slots."""

    def position(number: float) -> Position:
        row = int((number + PITCH / 2) // PITCH)
        return int(number) - row * PITCH, row

    hits = [slot != 0.0 for slot in slots[TARGET_HIT : TARGET_HIT + 3]]
    return Registers(position(slots[0]), position(slots[1]), DIRECTIONS[int(slots[2])], *hits, int(slots[6]))


def run_machine(
    program: Program, places: Sequence[Place], primitives: PrimitiveSet, host: ScriptedHost
) -> Iterator[tuple[Place, tuple[float, ...], bool]]:
    """The steps of machine code whose host instructions are carried out here: place, register slots, end of a turn."""
    memory = program.memory.copy()
    size = len(program.inputs)
    pc = 0
    while True:
        row = pc
        opcode, pc, _ = run_readable(program.code, memory, pc, 1)
        ends_turn = False
        if opcode != isa.OUT_OF_STEPS:
            words = program.code[row].tolist()
            instruction = program.instruction(opcode)
            game = primitives.instructions[opcode - isa.HOST]
            assert instruction is not None
            assert instruction.name == game.name
            numbers = [w for w, kind in zip(words[1:], instruction.columns, strict=True) if kind == "number"]
            by_name = {switch.name: switch for switch in primitives.switches}
            dialect = {n: by_name[n].values[number] for n, number in zip(game.switches, numbers, strict=True)}
            outcome = host.execute(game.name, registers_of(memory[:size].tolist()), dialect)
            memory[:size] = outcome.registers.slots()
            ends_turn = outcome.ends_turn
            pc += 1
            if outcome.holds is False:
                pc = words[1]
            elif dialect.get("sunk") == "reset" and outcome.registers.sunk:
                pc = 0
        yield places[row], tuple(memory[:size].tolist()), ends_turn
