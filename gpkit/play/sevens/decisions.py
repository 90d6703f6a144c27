"""Decisions of programs on cards, in readable form: every candidate with its sensors and its value."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gpkit.games.players import Player, ProgramPlayer, SearchPlayer
from gpkit.games.sevens.cards import Pack
from gpkit.games.sevens.decisions import Chooser, choose, random_numbers
from gpkit.games.sevens.primitives import PRIMITIVES
from gpkit.games.sevens.rules import State
from gpkit.games.sevens.search import search
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.interpreter import evaluate
from gpkit.play.trace import Evaluation, Table


@dataclass(frozen=True, slots=True)
class Decision:
    """The candidates of one decision, ascending, what a program made of each, and the index of the one it chose."""

    cards: tuple[int, ...]
    evaluations: tuple[Evaluation, ...]
    chosen: int

    @property
    def card(self) -> int:
        """The card that was chosen."""
        return self.cards[self.chosen]

    @property
    def margin(self) -> float | None:
        """Margin of the chosen card's value above the best of the others; None where it is not above any."""
        others = [e.value for k, e in enumerate(self.evaluations) if k != self.chosen and e.value == e.value]
        return self.evaluations[self.chosen].value - max(others) if others else None


def decide(state: State, program: TreeProgram, deal_key: int) -> Decision:
    """Decision of a program: its value of every card that the current player may choose, and the card chosen."""
    tree = program.tree(state.decision)
    evaluations: list[Evaluation] = []

    def utility(sensors: dict[str, float], card: int) -> float:
        random = partial(random_numbers, deal_key, state.actions, card)
        value = evaluate(tree, sensors, random())
        evaluations.append(Evaluation(state.decision, tree, sensors, random, value))
        return value

    card = choose(state, utility)
    cards = state.legal_actions()
    return Decision(cards, tuple(evaluations), cards.index(card))


def program_chooser(program: TreeProgram, deal_key: int) -> Chooser:
    """Chooses, for whoever is to choose, as a program does."""
    return lambda state: decide(state, program, deal_key).card


def player_chooser(player: Player, deal_key: int) -> Chooser:
    """Chooses, for whoever is to choose, as a player does."""
    if isinstance(player, ProgramPlayer):
        return program_chooser(player.program, deal_key)
    assert isinstance(player, SearchPlayer), "nothing is laid out, and no other strategy is built in"
    plain = program_chooser(player.policy.program, deal_key)
    return lambda state: search(state, worlds=player.worlds, deal_key=deal_key, policy=plain)


def table_chooser(players: Sequence[Player], deal_key: int) -> Chooser:
    """Chooses as the player does who is to choose; players are given by seat."""
    choosers = [player_chooser(player, deal_key) for player in players]
    return lambda state: choosers[state.current_player](state)


def decision_table(decision: Decision, pack: Pack) -> Table:
    """The candidates with their values, and the sensors that the formula reads."""
    read = sensors_read(decision.evaluations[0].tree)
    rows: list[tuple[str | float, ...]] = [
        (pack.name(card), each.value, *(each.sensors[name] for name in read))
        for card, each in zip(decision.cards, decision.evaluations, strict=True)
    ]
    columns = ("card", "value", *(name.removeprefix("env.") for name in read))
    return Table(columns, tuple(rows), decision.chosen)


def sensors_read(tree: Tree) -> tuple[str, ...]:
    """The sensors that a formula reads, in the order in which the game lists them."""
    symbols = frozenset(tree.symbols)
    return tuple(name for name in PRIMITIVES.sensor_names if name in symbols)
