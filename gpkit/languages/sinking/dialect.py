"""Dialects: one answer to every question that the source leaves open about the meaning of programs."""

from collections.abc import Mapping

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet, Switch
from gpkit.languages.sinking.words import SWITCHES

PRESETS: Mapping[str, Mapping[str, str]] = {
    "bridon": {},
    "literal": {"if": "one-line", "known": "blind"},
}
"""Named dialects by what differs from the defaults: one under which Figure 8's comments hold, and the letter."""

DEFAULT = "bridon"


def switches(primitives: PrimitiveSet | None) -> tuple[Switch, ...]:
    """The questions: those of the language, then those of the game."""
    return SWITCHES if primitives is None else (*SWITCHES, *primitives.switches)


def dialect_of(header: Mapping[str, str], primitives: PrimitiveSet | None) -> dict[str, str]:
    """The value of every switch: what the header says, else what its preset says (``dialect``), else the default.

    Header keys that are no switches mean nothing here.

    Raises:
        UsageError: there is no such preset, or a switch has no such value.
    """
    for key, value in header.items():
        known = values(key, primitives)
        if known and value not in known:
            raise UsageError(f"{wrong_value(key, value)}; {suggestion(value, known)}")
    preset = PRESETS[header.get("dialect", DEFAULT)]
    return {
        switch.name: header.get(switch.name, preset.get(switch.name, switch.values[0]))
        for switch in switches(primitives)
    }


def values(key: str, primitives: PrimitiveSet | None) -> tuple[str, ...]:
    """Possible values of the header line of a key: values of a switch, names of presets; empty for any other key."""
    if key == "dialect":
        return tuple(PRESETS)
    return next((switch.values for switch in switches(primitives) if switch.name == key), ())


def wrong_value(key: str, value: str) -> str:
    """The message about a value that a switch does not have."""
    return (
        f"there is no dialect `{value}`" if key == "dialect" else f"the switch `{key}` has no value `{value}`"
    )
