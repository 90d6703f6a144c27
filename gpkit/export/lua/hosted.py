"""Lua parts of players whose rules and sensors a host brings: what the sensors mean, and whole games to compare."""

from collections.abc import Sequence
from typing import Any

from gpkit.core.primitives import PrimitiveSet, Sensor
from gpkit.export.lua.functions import Inputs
from gpkit.export.lua.layout import key, number, quoted, table
from gpkit.export.transcripts import Transcript

USE = (
    "The host brings the rules and the sensors, see Host and M.SENSORS below: P = M.new(host); action = "
    "M.choose(P, state)."
)
"""Use of such a player, for its header."""

COMPARISON = "M.selftest(host) compares them with those of recorded games."
"""Sentence besides on one that carries recorded games."""

HOST_OF_TEST = [
    "--- With a host, recorded games are played with its rules and sensors, too, which must be those of the game.",
    "---@param host? Host",
]
"""Comment on the host that a player's own test takes."""


def meanings(program: Any, primitives: PrimitiveSet) -> str:
    """The table of the sensors that formulas read: what each means and its bounds."""
    inputs = Inputs.of(program)
    lines = ["--- What the formulas read of a candidate: from where to where it goes, and what it means."]
    lines += ["---@type table<string, { low: number, high: number, integer: boolean, meaning: string }>"]
    items: list[str] = []
    for name in dict.fromkeys(name for tree in program.trees for name in tree.reads):
        sensor = primitives.sensor(name)
        assert sensor is not None, "a program for a game reads its sensors"
        items += _item(inputs.field(name), sensor)
    return "\n".join([*lines, *(["M.SENSORS = {", *items, "}"] if items else ["M.SENSORS = {}"])])


def _item(field: str, sensor: Sensor) -> list[str]:
    """The lines of a sensor in the table of meanings."""
    whole = "true" if sensor.integer else "false"
    bounds = [f"low = {number(sensor.low)}", f"high = {number(sensor.high)}", f"integer = {whole}"]
    return table(f"\t{key(field)} = ", [*bounds, f"meaning = {quoted(sensor.meaning)}"], ",")


def course_words(transcripts: Sequence[Transcript]) -> list[str]:
    """Whole games action by action, as ``own_replay.lua`` reads them."""
    words: list[str] = []
    for transcript in transcripts:
        decisions = {decision.index: decision for decision in transcript.decisions}
        words += [str(transcript.key), str(len(transcript.actions))]
        for index, action in enumerate(transcript.actions):
            decision = decisions.get(index)
            words += [str(action), str(len(decision.candidates) if decision else 0)]
            if decision is None:
                continue
            words += [decision.section, str(decision.actions)]
            for candidate in decision.candidates:
                words += [str(candidate.action), *map(number, candidate.sensors.values())]
    return words
