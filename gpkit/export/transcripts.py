"""Whole games in which one program makes every decision, recorded: what proves an exported player equal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gpkit.core.registry import Entry
from gpkit.genomes.tree import TreeProgram


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that could be chosen, what the program saw of it, and what the program made of that."""

    action: int
    sensors: Mapping[str, float]
    random: tuple[float, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice between at least two candidates.

    Attributes:
        section: which formula decides.
        actions: how many actions the game had before.
        state: what the chooser knew, as plain JSON values.
        candidates: in the order in which they are compared; of those that are alike to the program, the first.
        action: the one chosen.
    """

    section: str
    actions: int
    state: Mapping[str, Any]
    candidates: tuple[Candidate, ...]
    action: int


@dataclass(frozen=True, slots=True)
class Transcript:
    """One game.

    Attributes:
        key: of its random numbers and its deal.
        deal: what the game began with, as plain JSON values.
        actions: every action chosen, forced ones included.
        turns: how many turns it took.
        returns: the score of every player.
        decisions: those that were not forced.
    """

    key: int
    deal: Mapping[str, Any]
    actions: tuple[int, ...]
    turns: int
    returns: tuple[float, ...]
    decisions: tuple[Decision, ...]


class Recorder(Protocol):
    """Recorder of whole games, which a game offers to exports.

    ``parts`` are the hand-written files, in the runtime folder of an exporter, that make up a player: rules, sensors
    and choice; ``keyed`` is the one that draws random numbers. Beside them lie ``<game>_selftest`` and
    ``<game>_driver``.
    """

    game: str
    parts: tuple[str, ...]
    keyed: str

    def record(self, program: TreeProgram, options: Mapping[str, str], key: int) -> Transcript:
        """The game of that key, played by the program in every seat."""

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """Every rule by its name."""

    def most(self, program: TreeProgram, options: Mapping[str, str]) -> int | None:
        """Largest number of games that are recorded; None: as many as are asked for."""

    def tables(self, options: Mapping[str, str]) -> Mapping[str, Sequence[int]]:
        """Tables that a player carries because hosts would compute them differently: numbers by the names of lists.

        Raises:
            UsageError: players of games under these rules are not exported.
        """


RECORDERS = (
    Entry("mastermind", "gpkit.export.mastermind", "RECORDER", "whole games of Mastermind"),
    Entry("sevens", "gpkit.export.sevens", "RECORDER", "whole games of Sevens"),
)


def recorder_of(game: str | None) -> Recorder | None:
    """Recorder of the games of that name, or None if there is none."""
    for entry in RECORDERS:
        if entry.name == game:
            recorder: Recorder = entry.load()
            return recorder
    return None


def mix(numbers: Iterable[int], start: int = 0) -> int:
    """A hash of whole numbers in 32 bits, in arithmetic that doubles compute exactly."""
    value = start
    for number in numbers:
        value = (value * 65599 + number + 1) % 4294967087
    return value
