"""Strategies for Sevens: any rules, and moments of games under them."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from gpkit.core.rng import below, stream
from gpkit.games.sevens.rules import OPTIONS, SevensRules, SevensState, deal


def some_rules() -> st.SearchStrategy[dict[str, str]]:
    """Any combination of options; few laps, so that stalls are met."""
    words = {
        o.name: st.sampled_from(o.choices or tuple(str(n) for n in range(o.low, min(o.high, 7) + 1)))
        for o in OPTIONS
    }
    return st.fixed_dictionaries({}, optional={**words, "laps": st.sampled_from(["1", "3", "20"])})


@st.composite
def positions(draw: st.DrawFn, rules: st.SearchStrategy[SevensRules]) -> SevensState:
    """Moments at which somebody chooses, reached from a random deal by random choices."""
    rng = stream(draw(st.integers(0, 2**32)), "test position")
    state = deal(rng.permutation(52).tolist(), draw(rules))
    for _ in range(draw(st.integers(0, 120))):
        legal = state.legal_actions()
        following = state.apply(legal[below(rng, len(legal))])
        if following.is_terminal:
            break
        state = following
    return state


_START = deal(list(range(52)), SevensRules())


def random_numbers(key: int, actions: int, card: int) -> Callable[[], float]:
    """A source of the values of ``math.random()`` for a card after so many actions."""
    return replace(_START, actions=actions).random_numbers(key, card)
