"""Positions of Sevens: made by hand, or reached at random under random rules."""

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from sevens_strategies import positions

from gpkit.gamekit.state import NOBODY
from gpkit.games.sevens.cards import Tableau
from gpkit.games.sevens.rules import OPTIONS, SevensRules, SevensState


def _rules() -> st.SearchStrategy[SevensRules]:
    """Rules of every kind, with few laps more often than with many."""
    options = {
        o.name: st.sampled_from(o.choices) if o.choices else st.integers(o.low, min(o.high, 40)).map(str)
        for o in OPTIONS
    }
    return st.fixed_dictionaries(options).map(SevensRules.from_options)


@pytest.fixture(scope="session")
def any_rules() -> st.SearchStrategy[SevensRules]:
    """A strategy for rules with every option."""
    return _rules()


@pytest.fixture(scope="session")
def any_position(any_rules: st.SearchStrategy[SevensRules]) -> st.SearchStrategy[SevensState]:
    """A strategy for states, not terminal, under any rules."""
    return positions(any_rules)


@pytest.fixture(scope="session")
def position() -> Callable[..., SevensState]:
    """Makes a state by hand.

    ``hands`` are texts such as ``"7h 10s"``, one for each seat; ``runs`` are the lowest and highest rank on the table
    for hearts, diamonds, clubs, spades, such as ``"5-8 . 7-7 ."``. Player 0 is to play unless said otherwise.
    """

    def make(
        hands: list[str],
        runs: str,
        *,
        turn: int = 30,
        player: int = 0,
        decision: str = "play",
        receiver: int = NOBODY,
        senders: tuple[int, ...] = (),
        finished: tuple[int, ...] = (),
        **options: str,
    ) -> SevensState:
        rules = SevensRules.from_options({"players": str(len(hands)), **options})
        ends = [(0, 0) if run == "." else tuple(map(int, run.split("-"))) for run in runs.split()]
        tableau = Tableau(tuple(low for low, _ in ends), tuple(high for _, high in ends))
        cards = tuple(tuple(sorted(rules.pack.parse(word) for word in hand.split())) for hand in hands)
        return SevensState(
            rules,
            cards,
            tableau,
            turn=turn,
            decision=decision,
            current_player=player,
            receiver=receiver,
            senders=senders,
            finished=finished,
        )

    return make
