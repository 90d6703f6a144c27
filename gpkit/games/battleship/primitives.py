"""What Battleship offers to sinking programs: the instructions that it carries out, and their switches."""

from types import MappingProxyType

from gpkit.core.primitives import Alphabet, HostInstruction, Offers, PrimitiveSet, Switch
from gpkit.games.battleship.patterns import PATTERNS

TARGETS = ("checkerboard", "uniform", "filter", "raster", "diagonal", "hunt", "density")
"""The players that can answer ``Target``."""

SWITCHES = (
    Switch(
        "edge",
        ("leave", "clamp", "torus"),
        "MoveFwd at the edge leaves the board, stays, or comes in opposite",
    ),
    Switch(
        "off-board", ("free", "turn"), "a shot off the board costs nothing or a turn; it is a miss either way"
    ),
    Switch(
        "known",
        ("free", "blind", "turn"),
        "a shot at a square shot before: free, with what is known there; or free and a miss; or it costs a turn",
    ),
    Switch(
        "sunk", ("silent", "reset"), "when a ship sinks the program goes on, or starts again with targeting"
    ),
    Switch(
        "direction",
        ("unshot", "unused", "any", "unshot-all"),
        "directions are drawn from those that lead to unshot squares (if there are none, from all of the kind; with "
        "-all, from all four), those not yet drawn since Target, or all of the kind",
    ),
    Switch("target", TARGETS, "who answers Target"),
)
"""What the source leaves open about shooting and moving."""

_TURNING = ("TargetPos",)

INSTRUCTIONS = (
    HostInstruction(
        "Target",
        "TargetPos = a square to shoot at",
        (),
        ("TargetPos",),
        ("target",),
        acts_with=("direction", "unused"),
    ),
    HostInstruction(
        "Shoot",
        "shoot at TargetPos; TargetHit = whether it hit",
        ("TargetPos",),
        ("TargetHit", "Sunk"),
        ("off-board", "known", "sunk"),
        acts=True,
        shoots=True,
        restarts_with=("sunk", "reset"),
    ),
    HostInstruction(
        "MoveFwd",
        "TargetPos goes one square in TargetDir",
        ("TargetPos", "TargetDir"),
        ("TargetPos",),
        ("edge",),
    ),
    HostInstruction(
        "RandDir", "TargetDir = one at random", _TURNING, ("TargetDir",), ("direction",), acts=True
    ),
    HostInstruction(
        "VertDir", "TargetDir = north or south at random", _TURNING, ("TargetDir",), ("direction",), acts=True
    ),
    HostInstruction(
        "HorzDir", "TargetDir = east or west at random", _TURNING, ("TargetDir",), ("direction",), acts=True
    ),
    HostInstruction("OppDir", "TargetDir turns round", ("TargetDir",), ("TargetDir",)),
    HostInstruction(
        "IfEdge",
        "go on with the next line if the square ahead is off the board",
        ("TargetPos", "TargetDir"),
        is_condition=True,
        level=1,
    ),
    HostInstruction(
        "IfKnown",
        "go on with the next line if the square ahead has been shot at",
        ("TargetPos", "TargetDir"),
        is_condition=True,
        level=1,
    ),
)
"""In the order of their opcodes, from ``HOST`` on."""

_SOURCE = (
    *("Target", "Shoot", "MoveFwd", "RandDir", "VertDir", "HorzDir", "OppDir"),
    *("SavePos", "LoadPos", "SetTrue", "SetFalse", "IfHit", "IfMiss", "IfTrue", "IfFalse", "Jump", "Nop"),
)

PRIMITIVES = PrimitiveSet(
    game="battleship",
    sections=("targeting", "locking", "sinking"),
    sensors=(),
    alphabets=(
        Alphabet("bridon", constants=False, instructions=_SOURCE),
        Alphabet(
            "level-1",
            constants=False,
            instructions=(*_SOURCE, "IfSunk", "IfEdge", "IfKnown", "Reset", "Up", "Down", "IfZero"),
        ),
    ),
    instructions=INSTRUCTIONS,
    switches=SWITCHES,
    capacities=(10, 20, 20),
    placements=tuple(PATTERNS),
)

OFFERS: Offers = MappingProxyType({"sinking": PRIMITIVES})
