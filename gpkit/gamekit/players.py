"""Players: programs, searches, learners, a game's own strategies, people, and those that only lay something out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpkit.matching.plan import Plan
from gpkit.vm.program import Program

Compiled = Program | Plan
"""Compiled form of programs: code of the machine, or searches of rules for the matcher."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of any kind; kinds differ in what they have, so nobody asks for a class.

    Attributes:
        name: in results.
        programs: its own program, compiled: as many as the game asks for, as its language compiles them.
        placement: how it lays out what is hidden, in games where players do that; empty for the game's default.
        program: the same program to be read.
        header: the lines of its file, which say in which dialect it is meant.
        source: the file as its language has parsed it; None for a program without a file.
        strategy: of a strategy of the game's own, a search or a learner: its name among the game's ``builtins``.
        number: what a strategy takes, such as samples; 0 if it takes none.
        worlds: how many a search samples for a decision; 0 for all others.
        policy: whose program plays a search's worlds out, or decides where a learner's memory does not.
        remembers: whether it carries memory from each game of a series to the next.
        is_slow: whether a game of it takes so long that games are played and reported one by one.
    """

    name: str
    programs: tuple[Compiled, ...] = ()
    placement: str = ""
    program: Any = None
    header: Mapping[str, str] = field(default_factory=dict, hash=False)
    source: Any = None
    strategy: str = ""
    number: int = 0
    worlds: int = 0
    policy: "Player | None" = None
    remembers: bool = False
    is_slow: bool = False

    @property
    def is_program(self) -> bool:
        """Whether its own program decides."""
        return len(self.programs) > 0

    @property
    def decides(self) -> bool:
        """Whether it chooses actions; who does not only lays something out, or stands for a person."""
        return self.is_program or self.strategy != ""

    @property
    def decider(self) -> "Player | None":
        """The player whose program decides: itself, or the policy of a search or learner; None where none does."""
        return self if self.programs else self.policy


def strategy_player(name: str, number: int = 0, placement: str = "", is_slow: bool = False) -> Player:
    """Strategy of the game's own; its name is one of the ``builtins``, with its number and placement after colons."""
    return Player(name, placement=placement, strategy=name.partition(":")[0], number=number, is_slow=is_slow)


def by_program(player: Player) -> Player:
    """The decider of a player that is known to have one."""
    deciding = player.decider
    assert deciding is not None, player.name
    return deciding


def machine_programs(players: Sequence[Player]) -> list[Program]:
    """Programs of the deciders of players one after another, in a game whose languages compile to machine code."""
    deciders = (player.decider for player in players)
    programs = (program for each in deciders if each is not None for program in each.programs)
    return [program for program in programs if isinstance(program, Program)]
