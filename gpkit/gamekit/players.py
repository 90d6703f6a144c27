"""Players: programs, searches, learners, a game's own strategies, people, and placements of hidden pieces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gpkit.vm.program import Program

if TYPE_CHECKING:
    from gpkit.matching.plan import Plan


@dataclass(frozen=True, slots=True)
class Player:
    """A player of any kind; kinds of players differ in the values of their fields, not in their class.

    Attributes:
        name: the name in results.
        programs: its program, compiled into as many programs as the game needs.
        placement: the way it places hidden pieces, in games that have them; empty for the game's default.
        program: its program in readable form.
        header: the header of its file, which sets the dialect.
        source: the parsed file; None for a program without a file.
        strategy: for a strategy of the game, a search or a learner, its name among the game's ``builtins``.
        number: the number that a strategy takes, such as a number of samples; 0 if it takes none.
        worlds: the number of worlds that a search samples for each decision; 0 for all other players.
        policy: the player whose program plays out a search's worlds, or chooses when a learner's memory does not
            decide.
        remembers: whether it carries memory from each game of a series to the next.
        is_slow: whether its games take so long that they are played and reported one by one.
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
        """Whether the player chooses actions; otherwise, it only places hidden pieces or stands for a person."""
        return self.is_program or self.strategy != ""

    @property
    def decider(self) -> "Player | None":
        """The player whose program decides: this player, or the policy of a search or learner; None if none does."""
        return self if self.programs else self.policy


def strategy_player(name: str, number: int = 0, placement: str = "", is_slow: bool = False) -> Player:
    """A player for one of the game's strategies; a number and a placement may follow its name after colons."""
    return Player(name, placement=placement, strategy=name.partition(":")[0], number=number, is_slow=is_slow)


def by_program(player: Player) -> Player:
    """The decider of a player, which must exist."""
    deciding = player.decider
    assert deciding is not None, player.name
    return deciding


def machine_programs(players: Sequence[Player]) -> list[Program]:
    """The programs of all players' deciders in a single list, for languages that compile to machine code."""
    deciders = (player.decider for player in players)
    programs = (program for each in deciders if each is not None for program in each.programs)
    return [program for program in programs if isinstance(program, Program)]
