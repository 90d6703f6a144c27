"""Decisions in games: the choice of a player among candidate actions, and the value that it gives each candidate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

from gpkit.core.errors import UsageError
from gpkit.core.registry import language_entry
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import Candidate, ObservableState, best_place
from gpkit.langkit.language import Valuing

if TYPE_CHECKING:  # so that commands that only check programs do not load NumPy
    from gpkit.gamekit.game import Deals

SHOWN = 12
"""The maximum number of candidates in a table, which shows only the best candidates."""


@dataclass(frozen=True, slots=True)
class StepTable:
    """A table of strings and numbers with column headings.

    Attributes:
        chosen: the index of the chosen row.
        note: a remark about the table; empty if there is no remark.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]
    chosen: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of one part of a program, such as a formula, for one candidate.

    Attributes:
        section: the name of the part in the program.
        tree: the program part, in any language whose programs score candidates.
        sensors: the value of each sensor.
        random: a function that returns a new source of the values of ``math.random()``.
        value: the value of the candidate.
    """

    section: str
    tree: Any
    sensors: Mapping[str, float]
    random: Callable[[], Callable[[], float]]
    value: float

    def node_values(self) -> dict[int, float]:
        """The value of every evaluated node, by position."""
        return meaning_of(self.tree.language).node_values(self.tree, self.sensors, self.random())

    def executed(self) -> frozenset[int]:
        """The positions of the nodes that affected the value."""
        return meaning_of(self.tree.language).executed(self.tree, self.node_values())


def meaning_of(language: str) -> Valuing:
    """The readable interpreter of a language whose programs score candidates."""
    found = valuing(language)
    assert found is not None, f"programs in {language} do not score candidates"
    return found


def valuing(language: str) -> Valuing | None:
    """The readable interpreter of a language; None if its programs do not score candidates."""
    found: Valuing | None = language_entry(language).load().valuing
    return found


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice among candidates.

    Attributes:
        actions: the candidates; if the program cannot distinguish several actions, the first one represents them all.
        evaluations: the program's evaluation of each candidate.
        chosen: the index of the chosen candidate.
        counts: the number of actions that each candidate represents; empty if each candidate represents only itself.
    """

    actions: tuple[int, ...]
    evaluations: tuple[Evaluation, ...]
    chosen: int
    counts: tuple[int, ...] = ()

    @property
    def action(self) -> int:
        """The chosen action."""
        return self.actions[self.chosen]

    @property
    def section(self) -> str:
        """The name of the part that made the decision."""
        return self.evaluations[self.chosen].section

    @property
    def margin(self) -> float | None:
        """The difference between the chosen candidate's value and the best other value; None if there is no other."""
        others = [e.value for k, e in enumerate(self.evaluations) if k != self.chosen and e.value == e.value]
        return self.evaluations[self.chosen].value - max(others) if others else None

    @property
    def values(self) -> dict[int, float]:
        """The value of each candidate."""
        return dict(zip(self.actions, (each.value for each in self.evaluations), strict=True))

    def telling(self) -> tuple[str, int] | None:
        """The sensor that contributes most to the chosen candidate's lead, and the action of the best other candidate.

        A sensor's share of the lead is the amount by which the chosen candidate's value would fall if this sensor alone
        had the value that it has for the other candidate. The result is None if no sensor would lower the value.
        """
        mine = self.evaluations[self.chosen]
        others = [
            k for k, each in enumerate(self.evaluations) if k != self.chosen and each.value == each.value
        ]
        if not others:
            return None
        other = max(others, key=lambda k: self.evaluations[k].value)
        falls: dict[str, float] = {}
        for name in sensors_read(mine):
            sensors = {**mine.sensors, name: self.evaluations[other].sensors[name]}
            falls[name] = mine.value - evaluation(mine.section, mine.tree, sensors, mine.random).value
        name = max(falls, key=falls.__getitem__, default="")
        return (name, self.actions[other]) if name and falls[name] > 0 else None

    def record(self, noun: str, text: Callable[[int], str]) -> dict[str, object]:
        """The decision as JSON values; each candidate's action is a string under the key ``noun``."""
        candidates = [
            {
                noun: text(action),
                **({"alike": self.counts[k]} if self.counts else {}),
                "value": evaluation.value,
                "sensors": evaluation.sensors,
            }
            for k, (action, evaluation) in enumerate(zip(self.actions, self.evaluations, strict=True))
        ]
        return {"section": self.section, "chosen": text(self.action), "candidates": candidates}

    def table(self, noun: str, text: Callable[[int], str]) -> StepTable:
        """A table of the candidates, their values, and the sensors that the program reads.

        The first column has the heading ``noun``. If there are more than ``SHOWN`` candidates, the table shows only the
        best candidates, with the chosen one first.
        """
        read = sensors_read(self.evaluations[0])
        shown, note = best_of([each.value for each in self.evaluations], self.chosen)
        rows: list[tuple[str | float, ...]] = []
        for place in shown:
            each = self.evaluations[place]
            count = (float(self.counts[place]),) if self.counts else ()
            rows.append(
                (text(self.actions[place]), *count, each.value, *(each.sensors[name] for name in read))
            )
        if self.counts:
            note = "; ".join(filter(None, (note, f"alike: {noun}s that are the same to the program")))
        alike = ("alike",) if self.counts else ()
        columns = (noun, *alike, "value", *(name.removeprefix("env.") for name in read))
        return StepTable(columns, tuple(rows), shown.index(self.chosen), note)


@dataclass(frozen=True, slots=True)
class Valued:
    """The decision of a search or an agent, which values each action without reading sensors.

    Attributes:
        action: the chosen action.
        values: the value of each action.
        unit: the quantity that a value measures, such as ``mean score``.
        shares: the expected score after each action, if the values measure something else.
    """

    action: int
    values: Mapping[int, float]
    unit: str
    shares: Mapping[int, float] = field(default_factory=dict)

    def record(self, noun: str, text: Callable[[int], str]) -> dict[str, object]:
        """The decision as JSON values; each candidate's action is a string under the key ``noun``."""
        candidates = [{noun: text(action), "value": value} for action, value in self.values.items()]
        return {"chosen": text(self.action), "candidates": candidates}

    def table(self, noun: str, text: Callable[[int], str]) -> StepTable:
        """A table of the best actions (at most ``SHOWN``) and their values; the actions have the heading ``noun``."""
        actions = list(self.values)
        chosen = actions.index(self.action)
        shown, note = best_of(list(self.values.values()), chosen)
        rows = tuple((text(actions[place]), self.values[actions[place]]) for place in shown)
        return StepTable((noun, self.unit), rows, shown.index(chosen), note)


def best_of(values: Sequence[float], chosen: int) -> tuple[list[int], str]:
    """The indices of all values, or of the best ``SHOWN`` with the chosen one first, and a note if any are left out."""
    places = list(range(len(values)))
    if len(values) <= SHOWN:
        return places, ""
    places.sort(key=lambda place: (place != chosen, values[place] != values[place], -values[place]))
    return places[:SHOWN], f"the best {SHOWN} of {len(values):,}"


def decide(
    state: ObservableState, program: Any, sensors: Callable[[int], Mapping[str, float]], key: int
) -> Decision:
    """Let a program score every candidate, and choose the first one with the highest value; NaN counts as the lowest.

    The candidates are the legal actions, unless the state has a method ``candidates``. The state's ``random_numbers``
    provides the values of ``math.random()``; a tree whose leaves name actions uses the numbers of action 0 for every
    candidate. If the state has a method ``best_place``, that method chooses the winner instead.

    Args:
        state: a state before the end of the game.
        program: a program in a language whose programs score candidates; its section named ``state.decision`` decides.
        sensors: a function that returns the sensor values of an action.
        key: the key of the random numbers.
    """
    tree = program.parts[state.decision]
    found = (
        state.candidates(tree, key)
        if hasattr(state, "candidates")
        else [Candidate(action, sensors(action)) for action in state.legal_actions()]
    )
    names_actions = any(isinstance(node, str) for node in getattr(tree, "leaves", ()))
    random = getattr(state, "random_numbers", lambda *_: lambda: nan)
    evaluations = tuple(
        evaluation(
            state.decision,
            tree,
            each.sensors,
            partial(random, key, 0 if names_actions else each.action),
        )
        for each in found
    )
    counts = tuple(each.count for each in found)
    return Decision(
        tuple(each.action for each in found),
        evaluations,
        getattr(state, "best_place", best_place)([each.value for each in evaluations]),
        counts if any(counts) else (),
    )


def follow(
    state: ObservableState, program: object, sensors: Callable[[int], Mapping[str, float]], key: int
) -> tuple[int, Decision | None]:
    """A program's action, and its decision as in ``decide``; the decision is None if only one action was legal."""
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0], None
    found = decide(state, program, sensors, key)
    return found.action, found if max(sum(found.counts), len(found.actions)) > 1 else None


def evaluation(
    section: str, tree: Any, sensors: Mapping[str, float], random: Callable[[], Callable[[], float]]
) -> Evaluation:
    """Evaluate a part of a program for one candidate."""
    value = meaning_of(tree.language).evaluate(tree, sensors, random())
    return Evaluation(section, tree, sensors, random, value)


def sensors_read(evaluation: Evaluation) -> tuple[str, ...]:
    """The sensors that the evaluated part reads, in the game's order."""
    read = frozenset(evaluation.tree.reads)
    return tuple(name for name in evaluation.sensors if name in read)


def decider_of(player: Player) -> Player | None:
    """The player whose program decides: the player itself, or the policy of a learner; None for other players."""
    return player.decider if player.is_program or player.remembers else None


def explain(game: Game, player: Player, state: ObservableState, deals: "Deals") -> tuple[int, Any]:
    """The legal action that a player chooses in a state of the game on the first deal, and its decision.

    A decision has the methods ``table`` and ``record``; for a program that scores actions, it is a ``Decision``. The
    decision is None if the player gives no reasons or had only one legal action.

    Raises:
        UsageError: the game has no ``choose``.
    """
    deciding = decider_of(player)
    if deciding is not None and _can_value(deciding.program, state):
        sensors = partial(game.view.sensors, state)
        return follow(state, deciding.program, sensors, deals.key(state.current_player))
    if game.choose is None:
        raise UsageError(f"games of {game.name} cannot be traced: the game has no function `choose`")
    choice = game.choose(player, state, deals)
    return (choice.action, choice) if hasattr(choice, "action") else (choice, None)


def choose(game: Game, player: Player, state: ObservableState, deals: "Deals") -> int:
    """The legal action that a player chooses, as in ``explain``, without its decision."""
    if game.is_of_states and game.choose is not None:  # faster, because it runs compiled programs
        action: int = game.choose(player, state, deals)
        return action
    return explain(game, player, state, deals)[0]


def _can_value(program: Any, state: ObservableState) -> bool:
    """Whether a program scores candidates, and the state provides the random numbers that the program draws, if any."""
    if valuing(program.language) is None:
        return False
    return hasattr(state, "random_numbers") or not any(tree.draws for tree in program.trees)
