"""Primitives of Battleship: instructions and their switches for sinking programs, sensors of squares for formulas.

A formula is asked once for each square that has not been shot, and the highest value is shot at.
"""

from gpkit.core.primitives import (
    PORTABLE,
    RANDOM,
    Alphabet,
    HostInstruction,
    PrimitiveSet,
    Switch,
    operators,
)
from gpkit.core.registry import PrimitiveSets
from gpkit.games.battleship import sensors
from gpkit.games.battleship.gunnery import Gunner
from gpkit.games.battleship.patterns import PATTERNS

TARGETS = ("checkerboard", "uniform", "filter", "raster", "diagonal", "hunt", "density")
"""The players that can answer ``Target``."""

SWITCHES = (
    Switch(
        "edge", ("leave", "clamp", "torus"), "MoveFwd at the edge leaves the board, stays, or wraps around"
    ),
    Switch(
        "off-board", ("free", "turn"), "a shot off the board costs nothing or a turn; it is a miss either way"
    ),
    Switch(
        "known",
        ("free", "blind", "turn"),
        "a second shot at a square: free, with what is known there; or free and a miss; or it costs a turn",
    ),
    Switch(
        "sunk", ("silent", "reset"), "when a ship sinks, the program continues, or restarts with targeting"
    ),
    Switch(
        "direction",
        ("unshot", "unused", "any", "unshot-all"),
        "which directions can be drawn: those to unshot squares (if there are none, all of the kind, or with -all "
        "all four), those not drawn since Target, or all of the kind",
    ),
    Switch("target", TARGETS, "who answers Target"),
)
"""Switches for what the source leaves open about shooting and moving."""

_TURNING = ("TargetPos",)

INSTRUCTIONS = (
    HostInstruction(
        "Target",
        "TargetPos = a square to shoot at",
        (),
        ("TargetPos",),
        switches=("target",),
        acts_with=("direction", "unused"),
    ),
    HostInstruction(
        "Shoot",
        "shoot at TargetPos; TargetHit = whether it hit",
        ("TargetPos",),
        ("TargetHit", "Sunk"),
        switches=("off-board", "known", "sunk"),
        acts=True,
        shoots=True,
        restarts_with=("sunk", "reset"),
        repeats_with=("known", "turn"),
    ),
    HostInstruction(
        "MoveFwd",
        "TargetPos moves one square in TargetDir",
        ("TargetPos", "TargetDir"),
        ("TargetPos",),
        switches=("edge",),
    ),
    HostInstruction(
        "RandDir", "TargetDir = one at random", _TURNING, ("TargetDir",), switches=("direction",), acts=True
    ),
    HostInstruction(
        "VertDir",
        "TargetDir = north or south at random",
        _TURNING,
        ("TargetDir",),
        switches=("direction",),
        acts=True,
    ),
    HostInstruction(
        "HorzDir",
        "TargetDir = east or west at random",
        _TURNING,
        ("TargetDir",),
        switches=("direction",),
        acts=True,
    ),
    HostInstruction("OppDir", "TargetDir is reversed", ("TargetDir",), ("TargetDir",)),
    HostInstruction(
        "IfEdge",
        "run the next line only if the square ahead is off the board",
        ("TargetPos", "TargetDir"),
        is_condition=True,
        level=1,
    ),
    HostInstruction(
        "IfKnown",
        "run the next line only if the square ahead has been shot at",
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
    host=Gunner.of,
)

SENSORS = tuple(each.sensor for each in (*sensors.COUNTING, *sensors.BELIEVING))
"""Every sensor, in the order of its slot."""

BELIEFS = tuple(each.sensor.name for each in sensors.BELIEVING)
"""Sensors of the posterior."""

FORMULAS = PrimitiveSet(
    "battleship",
    ("shoot",),
    SENSORS,
    (
        Alphabet(
            "placements",
            ("env.cover", "env.cover1", "env.cover2", "env.cover3", "env.open", "env.blocked", "env.edge"),
            operators("+", "-", "*", "max"),
        ),
        Alphabet("squares", (*(each.sensor.name for each in sensors.COUNTING), RANDOM), PORTABLE),
        Alphabet(
            "posterior",
            (
                *("env.chance", "env.sinks", "env.follow", "env.fleets", "env.open", "env.near", "env.edge"),
                *("env.parity", "env.afloat", "env.left"),
            ),
            operators("+", "-", "*", "/", "max", "min"),
        ),
    ),
    placements=tuple(PATTERNS),
)

OFFERS = PrimitiveSets({"sinking": PRIMITIVES, "arithmetic": FORMULAS})
