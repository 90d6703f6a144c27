"""Players: programs, searches, learners, a game's own strategies, and those that only lay out what is hidden."""

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
class LearningPlayer:
    """A player that carries memory from each game of a series to the next.

    Attributes:
        name: in results.
        learner: its name among the game's ``builtins``.
        policy: who decides, where memory does not; without memory it decides alone.
        is_slow: whether a game of it takes long.
    """

    name: str
    learner: str
    policy: ProgramPlayer
    is_slow: bool = False


@dataclass(frozen=True, slots=True)
class BuiltinPlayer:
    """A strategy of the game's own.

    Attributes:
        name: its name among the game's ``builtins``, then its number and its placement, if any, after colons.
        number: what it takes, such as samples; 0 if it takes none.
        placement: how it lays out what is hidden; empty for the game's default.
        is_slow: whether a game of it takes long.
    """

    name: str
    number: int = 0
    placement: str = ""
    is_slow: bool = False

    @property
    def strategy(self) -> str:
        """Its name among the game's ``builtins``."""
        return self.name.partition(":")[0]


@dataclass(frozen=True, slots=True)
class PlacementPlayer:
    """A player that lays out what is hidden, and decides nothing; an empty ``placement`` is the game's default."""

    name: str
    placement: str = ""


Player = ProgramPlayer | SearchPlayer | LearningPlayer | BuiltinPlayer | PlacementPlayer


_WITH_POLICY = SearchPlayer | LearningPlayer  # made once, as making a union takes longer than asking for it


def decider(player: Player) -> ProgramPlayer | None:
    """The player whose program decides: itself, or the policy of a search or learner; None where no program does."""
    player = player.policy if isinstance(player, _WITH_POLICY) else player
    return player if isinstance(player, ProgramPlayer) else None


def machine_programs(players: Sequence[Player]) -> list[Program]:
    """Programs of the deciders of players one after another, in a game whose languages compile to machine code."""
    found: list[Program] = []
    for deciding in map(decider, players):
        if deciding is not None:
            found += [program for program in deciding.programs if isinstance(program, Program)]
    return found


def by_program(player: Player) -> ProgramPlayer:
    """The decider of a player that is known to have one."""
    deciding = decider(player)
    assert deciding is not None, player.name
    return deciding


def worlds_of(player: Player) -> int:
    """The worlds that a player samples for a decision; 0 unless it searches."""
    return player.worlds if isinstance(player, SearchPlayer) else 0


def is_slow(player: Player) -> bool:
    """Whether a game of a player takes so long that it is played by itself."""
    return worlds_of(player) > 0 or (isinstance(player, BuiltinPlayer | LearningPlayer) and player.is_slow)
