"""The options of the build order, one value ``Rules``, and their text form ``KEY=VALUE``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gpkit.core.errors import UsageError
from gpkit.gamekit.options import Option, OptionRules, Value, bad_value, options_of, rule, written_rule
from gpkit.games.build_order.kernel.layout import NUMBER_NAMES
from gpkit.games.build_order.kernel.things import (
    ATTACK_SIZES,
    ATTACK_TICKS,
    MOST_HATCHERIES,
    MOST_HORIZON,
    MOST_SUPPLY,
    THINGS,
)

NONE, RANDOM = "none", "random"

_GOAL = Option(
    "goal",
    "what must be finished and present at the same time",
    form=f"things such as zerglings=6 or drone=16,queen=1, of {', '.join(THINGS)}, at most {MOST_SUPPLY} each",
)
_EITHER = " or ".join(f"{size} at tick {tick}" for tick, size in zip(ATTACK_TICKS, ATTACK_SIZES, strict=True))
_ATTACK = Option(
    "attack",
    f"enemy zerglings and the tick of their arrival; random: {_EITHER}, by chance",
    form="none, random, or TICK:SIZE such as 180:8",
)


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack: the tick in which so many enemy zerglings arrive; never where the tick is 0."""

    tick: int = 0
    size: int = 0


RANDOM_ATTACKS = tuple(map(Attack, ATTACK_TICKS, ATTACK_SIZES))
"""The attacks of which ``attack=random`` takes one, all equally likely."""


@dataclass(frozen=True, slots=True)
class Rules(OptionRules):
    """The rules of one game.

    >>> Rules.from_options({"goal": "drone=16,queen=1"}).goal
    (16, 0, 0, 0, 1, 0)

    Attributes:
        goal: of every thing in the order of ``THINGS`` how many are to be there; 0 where it does not matter.
        attack: the one that all know of.
        is_hidden: whether it is one of ``RANDOM_ATTACKS`` instead, known to who has scouted.
    """

    title = "The build order"

    goal: tuple[int, ...] = written_rule((0, 0, 0, 6, 0, 0), _GOAL)
    attack: Attack = written_rule(Attack(), _ATTACK)  # noqa: RUF009  (a field)
    is_hidden: bool = False
    horizon: int = rule(600, "ticks after which the game is over", low=1, high=MOST_HORIZON)
    drone_cost: int = rule(50, "minerals for a drone", low=0, high=1000)
    drone_ticks: int = rule(17, "ticks until a drone mines", low=1, high=1000)
    overlord_cost: int = rule(100, "minerals for an overlord", low=0, high=1000)
    overlord_ticks: int = rule(25, "ticks until an overlord is finished", low=1, high=1000)
    overlord_supply: int = rule(8, "supply of an overlord", low=1, high=20)
    pool_cost: int = rule(200, "minerals for the spawning pool", low=0, high=1000)
    pool_ticks: int = rule(65, "ticks until the spawning pool is finished", low=1, high=1000)
    zerglings_cost: int = rule(50, "minerals for two zerglings", low=0, high=1000)
    zerglings_ticks: int = rule(24, "ticks until the zerglings are finished", low=1, high=1000)
    queen_cost: int = rule(150, "minerals for a queen", low=0, high=1000)
    queen_ticks: int = rule(50, "ticks until a queen is finished", low=1, high=1000)
    queen_larvae: int = rule(3, "larvae that a queen gives at a time", low=0, high=10)
    queen_every: int = rule(40, "ticks from one gift of a queen to the next", low=1, high=1000)
    hatchery_cost: int = rule(300, "minerals for a hatchery", low=0, high=1000)
    hatchery_ticks: int = rule(100, "ticks until a hatchery is finished", low=1, high=1000)
    hatchery_supply: int = rule(2, "supply of a hatchery", low=0, high=20)
    scout_ticks: int = rule(25, "ticks until a scout is back", low=1, high=1000)
    larva_every: int = rule(15, "ticks that a hatchery takes for a larva", low=1, high=1000)
    larvae_most: int = rule(3, "larvae at which a hatchery stops making more", low=1, high=10)
    trip: int = rule(7, "ticks from one load of a drone to the next", low=1, high=30)
    load: int = rule(5, "minerals per load", low=1, high=100)
    crowded_load: int = rule(2, "minerals per load for each drone beyond `crowded`", low=0, high=100)
    crowded: int = rule(16, "drones of a hatchery that bring full loads", low=1, high=100)
    full: int = rule(
        24, "drones of a hatchery that bring anything, including `crowded` ones", low=1, high=100
    )
    minerals: int = rule(50, "minerals at the start", low=0, high=1000)
    drones: int = rule(6, "drones at the start", low=1, high=30)
    larvae: int = rule(3, "larvae at the start", low=0, high=10)
    overlords: int = rule(1, "overlords at the start", low=1, high=20)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers from ``horizon`` on, in the order of the fields."""
        return tuple(getattr(self, name) for name in NUMBER_NAMES)

    @property
    def costs(self) -> tuple[int, ...]:
        """By action its minerals."""
        return (
            *(self.drone_cost, self.overlord_cost, self.pool_cost),
            *(self.zerglings_cost, self.queen_cost, self.hatchery_cost, 0, 0),
        )

    @property
    def ticks(self) -> tuple[int, ...]:
        """By action the ticks until it is done."""
        return (
            *(self.drone_ticks, self.overlord_ticks, self.pool_ticks),
            *(self.zerglings_ticks, self.queen_ticks, self.hatchery_ticks, self.scout_ticks, 1),
        )

    @property
    def is_attacked(self) -> bool:
        """Whether an enemy comes."""
        return self.is_hidden or self.attack.tick > 0

    @classmethod
    def fields_of(cls, values: Mapping[str, Value]) -> Mapping[str, object]:
        """The fields that options set: of the attack two.

        Raises:
            UsageError: the text of a goal or an attack is none.
        """
        named: dict[str, object] = dict(values)
        if "goal" in values:
            named["goal"] = _goal(str(values["goal"]))
        if "attack" in values:
            named |= {"attack": _attack(str(values["attack"])), "is_hidden": values["attack"] == RANDOM}
        return named

    def check(self) -> None:
        """Check that the attack comes before the end, the goal is not there, and supply is enough for all drones.

        Raises:
            UsageError: it is not so.
        """
        last = max(each.tick for each in RANDOM_ATTACKS) if self.is_hidden else self.attack.tick
        if last > self.horizon:
            raise UsageError(
                f"horizon={self.horizon}: the attack comes at tick {last}; the horizon must be at least that"
            )
        there = (self.drones, self.overlords, 0, 0, 0, 1)
        if all(wanted <= count for wanted, count in zip(self.goal, there, strict=True)):
            raise bad_value(_GOAL, goal_text(self.goal), "; that is already there at the start")
        if self.drones > 2 * (self.overlords * self.overlord_supply + self.hatchery_supply):
            raise UsageError(f"drones={self.drones}: there is not enough supply for them")

    def to_options(self) -> dict[str, str]:
        """Every option as text; ``from_options`` gives the rules back."""
        attack = f"{self.attack.tick}:{self.attack.size}" if self.attack.tick else NONE
        return OptionRules.to_options(self) | {
            "goal": goal_text(self.goal),
            "attack": RANDOM if self.is_hidden else attack,
        }


assert tuple(each.name for each in options_of(Rules)[2:]) == NUMBER_NAMES, (
    "the kernel has the numbers in their order"
)


def goal_text(goal: tuple[int, ...]) -> str:
    """A goal as its option has it.

    >>> goal_text((0, 0, 0, 6, 1, 0))
    'zerglings=6,queen=1'
    """
    return ",".join(f"{name}={count}" for name, count in zip(THINGS, goal, strict=True) if count)


def _goal(text: str) -> tuple[int, ...]:
    """The counts of a goal."""
    counts = dict.fromkeys(THINGS, 0)
    for word in text.split(","):
        found = re.fullmatch(r"\s*([a-z_]+)\s*=\s*([0-9]{1,3})\s*", word)
        if found is None or found[1] not in counts or not 1 <= int(found[2]) <= MOST_SUPPLY:
            raise bad_value(_GOAL, text)
        counts[found[1]] = int(found[2])
    if counts["spawning_pool"] > 1 or counts["hatchery"] > MOST_HATCHERIES:
        raise bad_value(
            _GOAL, text, f"; there is one spawning pool, and {MOST_HATCHERIES} hatcheries at most"
        )
    return tuple(counts.values())


def _attack(text: str) -> Attack:
    """The attack that is known to all."""
    if text in (NONE, RANDOM):
        return Attack()
    found = re.fullmatch(r"([0-9]{1,4}):([0-9]{1,3})", text)
    if found is None or not (1 <= int(found[1]) <= MOST_HORIZON and 1 <= int(found[2]) <= MOST_SUPPLY):
        raise bad_value(_ATTACK, text)
    return Attack(int(found[1]), int(found[2]))
