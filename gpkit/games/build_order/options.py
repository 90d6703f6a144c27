"""The options of the build order, one value ``Rules``, and their text form ``KEY=VALUE``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields

from gpkit.core.errors import UsageError
from gpkit.gamekit.options import Option, bad_value, text_of, values_of
from gpkit.games.build_order.kernel.layout import (
    ATTACK_SIZES,
    ATTACK_TICKS,
    MOST_HATCHERIES,
    MOST_HORIZON,
    MOST_SUPPLY,
    NUMBER_NAMES,
)
from gpkit.games.build_order.kernel.things import THINGS

NONE, RANDOM = "none", "random"

_GOAL = Option(
    "goal",
    "what must be finished and present at the same time",
    form=f"things such as zerglings=6 or drone=16,queen=1, of {', '.join(THINGS)}, at most {MOST_SUPPLY} each",
)
_EITHER = " or ".join(f"{size} in tick {tick}" for tick, size in zip(ATTACK_TICKS, ATTACK_SIZES, strict=True))
_ATTACK = Option(
    "attack",
    f"enemy zerglings and the tick of their arrival; random: {_EITHER}, by chance",
    form="none, random, or TICK:SIZE such as 180:8",
)

_NUMBERS = (
    Option("horizon", "ticks after which the game is over", low=1, high=MOST_HORIZON),
    Option("drone_cost", "minerals for a drone", low=0, high=1000),
    Option("drone_ticks", "ticks until a drone mines", low=1, high=1000),
    Option("overlord_cost", "minerals for an overlord", low=0, high=1000),
    Option("overlord_ticks", "ticks until an overlord is finished", low=1, high=1000),
    Option("overlord_supply", "supply of an overlord", low=1, high=20),
    Option("pool_cost", "minerals for the spawning pool", low=0, high=1000),
    Option("pool_ticks", "ticks until the spawning pool is finished", low=1, high=1000),
    Option("zerglings_cost", "minerals for two zerglings", low=0, high=1000),
    Option("zerglings_ticks", "ticks until the zerglings are finished", low=1, high=1000),
    Option("queen_cost", "minerals for a queen", low=0, high=1000),
    Option("queen_ticks", "ticks until a queen is finished", low=1, high=1000),
    Option("queen_larvae", "larvae that a queen gives at a time", low=0, high=10),
    Option("queen_every", "ticks from one gift of a queen to the next", low=1, high=1000),
    Option("hatchery_cost", "minerals for a hatchery", low=0, high=1000),
    Option("hatchery_ticks", "ticks until a hatchery is finished", low=1, high=1000),
    Option("hatchery_supply", "supply of a hatchery", low=0, high=20),
    Option("scout_ticks", "ticks until a scout is back", low=1, high=1000),
    Option("larva_every", "ticks that a hatchery takes for a larva", low=1, high=1000),
    Option("larvae_most", "larvae at which a hatchery stops making more", low=1, high=10),
    Option("trip", "ticks from one load of a drone to the next", low=1, high=30),
    Option("load", "minerals per load", low=1, high=100),
    Option("crowded_load", "minerals per load of a drone beyond `crowded`", low=0, high=100),
    Option("crowded", "drones of a hatchery that bring full loads", low=1, high=100),
    Option("full", "drones of a hatchery that bring anything, including `crowded` ones", low=1, high=100),
    Option("minerals", "minerals at the start", low=0, high=1000),
    Option("drones", "drones at the start", low=1, high=30),
    Option("larvae", "larvae at the start", low=0, high=10),
    Option("overlords", "overlords at the start", low=1, high=20),
)

OPTIONS = (_GOAL, _ATTACK, *_NUMBERS)


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack: the tick in which so many enemy zerglings arrive; never where the tick is 0."""

    tick: int = 0
    size: int = 0


RANDOM_ATTACKS = tuple(map(Attack, ATTACK_TICKS, ATTACK_SIZES))
"""The attacks of which ``attack=random`` takes one, all equally likely."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game; ``OPTIONS`` says what each number means.

    Attributes:
        goal: of every thing in the order of ``THINGS`` how many are to be there; 0 where it does not matter.
        attack: the one that all know of.
        is_hidden: whether it is one of ``RANDOM_ATTACKS`` instead, known to who has scouted.
    """

    goal: tuple[int, ...] = (0, 0, 0, 6, 0, 0)
    attack: Attack = Attack()
    is_hidden: bool = False
    horizon: int = 600
    drone_cost: int = 50
    drone_ticks: int = 17
    overlord_cost: int = 100
    overlord_ticks: int = 25
    overlord_supply: int = 8
    pool_cost: int = 200
    pool_ticks: int = 65
    zerglings_cost: int = 50
    zerglings_ticks: int = 24
    queen_cost: int = 150
    queen_ticks: int = 50
    queen_larvae: int = 3
    queen_every: int = 40
    hatchery_cost: int = 300
    hatchery_ticks: int = 100
    hatchery_supply: int = 2
    scout_ticks: int = 25
    larva_every: int = 15
    larvae_most: int = 3
    trip: int = 7
    load: int = 5
    crowded_load: int = 2
    crowded: int = 16
    full: int = 24
    minerals: int = 50
    drones: int = 6
    larvae: int = 3
    overlords: int = 1

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
    def from_options(cls, options: Mapping[str, str]) -> "Rules":
        """The default rules with these options set.

        >>> Rules.from_options({"goal": "drone=16,queen=1"}).goal
        (16, 0, 0, 0, 1, 0)

        Raises:
            UsageError: an unknown option or value, or a goal that is reached at the beginning.
        """
        values = dict(values_of(options, OPTIONS, "The build order"))
        goal, attack = values.pop("goal", None), values.pop("attack", NONE)
        named = {} if goal is None else {"goal": _goal(str(goal))}
        is_hidden = attack == RANDOM
        rules = cls(**named, attack=_attack(str(attack)), is_hidden=is_hidden, **values)  # type: ignore[arg-type]
        last = max(each.tick for each in RANDOM_ATTACKS) if is_hidden else rules.attack.tick
        if last > rules.horizon:
            raise UsageError(
                f"horizon={rules.horizon}: the attack comes in tick {last}; the horizon must be at least that"
            )
        there = (rules.drones, rules.overlords, 0, 0, 0, 1)
        if all(wanted <= count for wanted, count in zip(rules.goal, there, strict=True)):
            raise bad_value(_GOAL, goal_text(rules.goal), "; that is there at the start")
        if rules.drones > 2 * (rules.overlords * rules.overlord_supply + rules.hatchery_supply):
            raise UsageError(f"drones={rules.drones}: there is not enough supply for them")
        return rules

    def to_options(self) -> dict[str, str]:
        """Every option as text; ``from_options`` gives the rules back."""
        attack = f"{self.attack.tick}:{self.attack.size}" if self.attack.tick else NONE
        texts = {"goal": goal_text(self.goal), "attack": RANDOM if self.is_hidden else attack}
        return texts | {name: text_of(getattr(self, name)) for name in NUMBER_NAMES}


assert tuple(each.name for each in fields(Rules)[3:]) == NUMBER_NAMES, "in the order of the fields"
assert set(NUMBER_NAMES) == {option.name for option in _NUMBERS}, "every number is an option"


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
