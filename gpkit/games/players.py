"""Players: programs, searches, a game's own strategies, and those that only lay out what is hidden."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpkit.matching.plan import Plan
from gpkit.vm.program import Program

Compiled = Program | Plan
"""Compiled form of programs: code of the machine, or searches of rules for the matcher."""


@dataclass(frozen=True, slots=True)
class ProgramPlayer:
    """A player that decides by a program.

    Attributes:
        name: in results.
        programs: compiled, as many as the game asks for, and of the kind that its language compiles to.
        placement: how it lays out what is hidden, in games where players do that; empty for the game's default.
        program: the same program to be read.
        header: the lines of its file, which say in which dialect it is meant.
        source: the file as its language has parsed it; None for a program without a file.
    """

    name: str
    programs: tuple[Compiled, ...]
    placement: str = ""
    program: Any = None
    header: Mapping[str, str] = field(default_factory=dict)
    source: Any = None


@dataclass(frozen=True, slots=True)
class SearchPlayer:
    """A player that plays sampled worlds out, each by a program.

    Attributes:
        name: in results.
        search: its name among the game's ``builtins``.
        worlds: how many it samples for a decision.
        policy: who plays them out.
    """

    name: str
    search: str
    worlds: int
    policy: ProgramPlayer


@dataclass(frozen=True, slots=True)
class BuiltinPlayer:
    """A strategy of the game's own, by its name among the game's ``builtins``."""

    name: str


@dataclass(frozen=True, slots=True)
class PlacementPlayer:
    """A player that lays out what is hidden, and decides nothing; an empty ``placement`` is the game's default."""

    name: str
    placement: str = ""


Player = ProgramPlayer | SearchPlayer | BuiltinPlayer | PlacementPlayer


def machine_programs(players: Sequence[Player]) -> list[Program]:
    """The programs of players one after another, in a game whose languages compile to code of the machine.

    Those of a search are its policy's.
    """
    found: list[Program] = []
    for player in players:
        deciding = player.policy if isinstance(player, SearchPlayer) else player
        if isinstance(deciding, ProgramPlayer):
            found += [program for program in deciding.programs if isinstance(program, Program)]
    return found


def by_program(player: Player) -> ProgramPlayer:
    """The player, which is known to decide by a program."""
    assert isinstance(player, ProgramPlayer), player.name
    return player


def worlds_of(player: Player) -> int:
    """The worlds that a player samples for a decision; 0 unless it searches."""
    return player.worlds if isinstance(player, SearchPlayer) else 0
