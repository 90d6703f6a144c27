"""Players: programs, searches, learners, built-in strategies, humans, and placements of hidden pieces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gpkit.vm.program import Program

if TYPE_CHECKING:
    from gpkit.matching.plan import Plan


@dataclass(frozen=True, slots=True)
class Player:
    """A player of any kind; different kinds of players differ in the values of the fields, not in their class.

    Attributes:
        name: the name in results.
        programs: the player's program, compiled into as many programs as the game needs.
        placement: the way in which the player places hidden pieces, in games that have them; empty for the game's
            default.
        program: the player's program in readable form.
        header: the header of the program file, which sets the dialect.
        source: the parsed file; None for a program without a file.
        strategy: the name of a built-in strategy, a search or a learner among the game's ``builtins``; otherwise empty.
        number: the parameter of a strategy, such as a number of samples; 0 if the strategy has no parameter.
        worlds: the number of worlds that a search samples for each decision; 0 for all other players.
        policy: the player whose program plays out the worlds of a search, or chooses when the memory of a learner does
            not decide.
        remembers: whether the player keeps its memory from each game of a series to the next.
        is_slow: whether the player's games take so long that they are played and reported one by one.
    """

    name: str
    programs: "tuple[Program | Plan, ...]" = ()
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
        """Whether the player's own program decides."""
        return len(self.programs) > 0

    @property
    def decides(self) -> bool:
        """Whether the player chooses actions; otherwise, it only places hidden pieces or represents a human."""
        return self.is_program or self.strategy != ""

    @property
    def decider(self) -> "Player | None":
        """The player whose program decides: this player, or the policy of a search or learner; None if none does."""
        return self if self.programs else self.policy


def strategy_player(name: str, number: int = 0, placement: str = "", is_slow: bool = False) -> Player:
    """A player that uses one of the game's strategies; a number and a placement may follow the name after colons."""
    return Player(name, placement=placement, strategy=name.partition(":")[0], number=number, is_slow=is_slow)


def by_program(player: Player) -> Player:
    """The decider of a player, which must have one."""
    deciding = player.decider
    assert deciding is not None, player.name
    return deciding


def machine_programs(players: Sequence[Player]) -> list[Program]:
    """The programs of the deciders of all players in a single list, for languages that compile to machine code."""
    deciders = (player.decider for player in players)
    programs = (program for each in deciders if each is not None for program in each.programs)
    return [program for program in programs if isinstance(program, Program)]
