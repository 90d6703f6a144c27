"""Decisions in games: a player's choice between candidates, with its value of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

from gpkit.core.errors import UsageError
from gpkit.core.registry import language_entry
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import Candidate, ObservableState, best_place
from gpkit.gamekit.view import view_of
from gpkit.langkit.language import Valuing

if TYPE_CHECKING:  # commands that only check programs load no arrays
    from gpkit.gamekit.deals import Deals

SHOWN = 12
"""Most candidates that a table shows; if there are more, the best."""

RandomNumbers = Callable[[], float]
"""The values of ``math.random()``, one at each call."""


@dataclass(frozen=True, slots=True)
class StepTable:
    """Rows of texts and numbers under headings.

    Attributes:
        chosen: the index of the row that was chosen.
        note: what is to be said of the table, or empty.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]
    chosen: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A part of a program, such as a formula, and what it was evaluated for; every node's value can be had again.

    Attributes:
        section: the name of the part in its program.
        tree: the part, of any language whose programs value candidates.
        sensors: what each sensor said.
        random: makes the source of ``math.random()`` anew.
        value: what it is worth.
    """

    section: str
    tree: Any
    sensors: Mapping[str, float]
    random: Callable[[], Callable[[], float]]
    value: float

    def node_values(self) -> dict[int, float]:
        """The value of every node that was evaluated, by its position."""
        return meaning_of(self.tree.language).node_values(self.tree, self.sensors, self.random())

    def executed(self) -> frozenset[int]:
        """The positions of the nodes that counted."""
        return meaning_of(self.tree.language).executed(self.tree, self.node_values())


def meaning_of(language: str) -> Valuing:
    """The readable meaning of programs that value candidates, by the name of their language."""
    found = valuing(language)
    assert found is not None, f"programs in {language} do not score candidates"
    return found


def valuing(language: str) -> Valuing | None:
    """The readable meaning of programs of a language, if these value candidates."""
    found: Valuing | None = language_entry(language).load().valuing
    return found


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice between candidates.

    Attributes:
        actions: the candidates; of those that a program cannot tell apart, the first.
        evaluations: what the program made of each.
        chosen: the index of the one that it took.
        counts: how many actions each candidate stands for; empty where that is one.
    """

    actions: tuple[int, ...]
    evaluations: tuple[Evaluation, ...]
    chosen: int
    counts: tuple[int, ...] = ()

    @property
    def action(self) -> int:
        """The action that was taken."""
        return self.actions[self.chosen]

    @property
    def section(self) -> str:
        """The name of the part that was asked."""
        return self.evaluations[self.chosen].section

    @property
    def margin(self) -> float | None:
        """Margin of the chosen candidate's value above the best of the others; None where it is not above any."""
        others = [e.value for k, e in enumerate(self.evaluations) if k != self.chosen and e.value == e.value]
        return self.evaluations[self.chosen].value - max(others) if others else None

    @property
    def values(self) -> dict[int, float]:
        """The value of each candidate."""
        return dict(zip(self.actions, (each.value for each in self.evaluations), strict=True))

    def telling(self) -> tuple[str, int] | None:
        """The sensor to which the chosen candidate owes most of its lead, and the best other candidate's action.

        The lead is what its value falls by if the sensor alone had the other's reading; None where nothing falls.
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
        """The decision for programs to read, its actions under ``noun`` as texts."""
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
        """The candidates under ``noun`` as texts with their values, and the sensors that the program reads.

        If there are more than ``SHOWN``, only the best, the chosen one first.
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
    """A choice of a search or an agent, which gives a value for each action and nothing else.

    Attributes:
        action: the one that it took.
        values: of the actions.
        unit: what a value is, such as ``mean score``.
    """

    action: int
    values: Mapping[int, float]
    unit: str

    def record(self, noun: str, text: Callable[[int], str]) -> dict[str, object]:
        """The decision for programs to read, its actions under ``noun`` as texts."""
        candidates = [{noun: text(action), "value": value} for action, value in self.values.items()]
        return {"chosen": text(self.action), "candidates": candidates}

    def table(self, noun: str, text: Callable[[int], str]) -> StepTable:
        """The actions under ``noun`` as texts with their values; only the best ``SHOWN`` if there are more."""
        actions = list(self.values)
        chosen = actions.index(self.action)
        shown, note = best_of(list(self.values.values()), chosen)
        rows = tuple((text(actions[place]), self.values[actions[place]]) for place in shown)
        return StepTable((noun, self.unit), rows, shown.index(chosen), note)


def best_of(values: Sequence[float], chosen: int) -> tuple[list[int], str]:
    """The places of all values, or of the best ``SHOWN`` with the chosen one first; and a note if some are left out."""
    places = list(range(len(values)))
    if len(values) <= SHOWN:
        return places, ""
    places.sort(key=lambda place: (place != chosen, values[place] != values[place], -values[place]))
    return places[:SHOWN], f"the best {SHOWN} of {len(values):,}"


def decide(
    state: ObservableState, program: Any, sensors: Callable[[int], Mapping[str, float]], key: int
) -> Decision:
    """Decision of a program: its value of every candidate; the first of the highest is taken, and NaN is the lowest.

    Candidates are the legal actions, unless the state has ``candidates``. The numbers of ``math.random()`` are those of
    the state's ``random_numbers``; a tree that is asked once for all candidates has those of action 0. A state that has
    ``best_place`` ranks values itself.

    Args:
        state: a state that is not the end.
        program: of a language whose programs value candidates; its section of the name of ``state.decision`` is asked.
        sensors: what the program reads of an action.
        key: of the random numbers.
    """
    tree = program.tree(state.decision)
    if hasattr(state, "candidates"):
        found = state.candidates(tree, key)
    else:
        found = [Candidate(action, sensors(action)) for action in state.legal_actions()]
    names_actions = any(isinstance(node, str) for node in getattr(tree, "leaves", ()))
    evaluations = tuple(
        evaluation(
            state.decision,
            tree,
            each.sensors,
            partial(numbers_of, state, key, 0 if names_actions else each.action),
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
    state: ObservableState, program: Any, sensors: Callable[[int], Mapping[str, float]], key: int
) -> tuple[int, Decision | None]:
    """The action that a program takes, and its decision, None where there is only one candidate; as ``decide``."""
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0], None
    found = decide(state, program, sensors, key)
    return found.action, found if len(found.actions) > 1 else None


def numbers_of(state: ObservableState, key: int, action: int) -> RandomNumbers:
    """A new source of the random numbers of an action; no program draws from it where the game has none."""
    source: RandomNumbers = (
        state.random_numbers(key, action) if hasattr(state, "random_numbers") else lambda: nan
    )
    return source


def evaluation(
    section: str, tree: Any, sensors: Mapping[str, float], random: Callable[[], RandomNumbers]
) -> Evaluation:
    """A part of a program evaluated for one candidate."""
    value = meaning_of(tree.language).evaluate(tree, sensors, random())
    return Evaluation(section, tree, sensors, random, value)


def sensors_read(evaluation: Evaluation) -> tuple[str, ...]:
    """The sensors that the part reads, in the order in which the game lists them."""
    read = frozenset(evaluation.tree.reads)
    return tuple(name for name in evaluation.sensors if name in read)


def decider_of(player: Player) -> Player | None:
    """The player whose program chooses: the player itself, or a learner's first policy; None for a search."""
    return player.decider if player.is_program or player.remembers else None


def explain(game: Game, player: Player, state: ObservableState, deals: "Deals") -> tuple[int, Any]:
    """The legal action that a player chooses in a state of the first deal's game, and its decision or None.

    A decision has ``table`` and ``record``; one of a program that values actions is a ``Decision``. Where there is only
    one candidate there is none.

    Raises:
        UsageError: the game cannot be asked for one action.
    """
    deciding = decider_of(player)
    if deciding is not None and _can_value(deciding.program, state):
        sensors = partial(view_of(game.name).sensors, state)
        return follow(state, deciding.program, sensors, deals.key(state.current_player))
    if game.choose is None:
        raise UsageError(
            f"games of {game.name} cannot be traced: the game does not say what a player chooses in a state"
        )
    choice = game.choose(player, state, deals)
    return (choice.action, choice) if hasattr(choice, "action") else (choice, None)


def choose(game: Game, player: Player, state: ObservableState, deals: "Deals") -> int:
    """The action that ``explain`` gives, without the decision."""
    if game.is_of_states and game.choose is not None:  # which asks compiled programs
        action: int = game.choose(player, state, deals)
        return action
    return explain(game, player, state, deals)[0]


def _can_value(program: Any, state: ObservableState) -> bool:
    """Whether a program values candidates, and the state gives the random numbers that it draws."""
    if valuing(program.language) is None:
        return False
    return hasattr(state, "random_numbers") or not any(tree.draws for tree in program.trees)
