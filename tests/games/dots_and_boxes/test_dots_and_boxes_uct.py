"""Tree search in Dots and Boxes: compiled and readable choices are the same, and more simulations play better."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.cli.main import main
from gpkit.core.rng import stream
from gpkit.gamekit.players import strategy_player
from gpkit.gamekit.uct import SEARCHES, Stakes, choose
from gpkit.games.dots_and_boxes.exact import margins, searched_edge
from gpkit.games.dots_and_boxes.game import GAME
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.vm.keyed import HALF, KeyedDraws


def readable_edge(simulations: int, state: DotsAndBoxesState, key: int) -> int:
    """The edge that the readable search draws."""
    stakes = Stakes(GAME.metric(state.rules), 2, state.rules.edges)
    return choose(state, simulations, stakes, KeyedDraws(key, SEARCHES + len(state.drawn)))


@settings(max_examples=25, deadline=None)
@given(
    st.builds(DotsAndBoxesRules, st.integers(1, 4), st.integers(1, 3)),
    st.randoms(use_true_random=False),
    st.integers(0, HALF - 1),
    st.integers(1, 80),
)
def test_choices_are_those_of_the_readable_search(
    rules: DotsAndBoxesRules, random, key: int, number: int
) -> None:  # type: ignore[no-untyped-def]
    state = DotsAndBoxesState.begin(rules)
    for _ in range(random.randrange(rules.edges)):
        state = state.apply(random.choice(state.legal_actions()))
    assert searched_edge(number, state, key) == readable_edge(number, state, key)


def test_games_ask_each_player_in_each_of_its_positions() -> None:
    rules, key = DotsAndBoxesRules(2, 2), 12_345
    numbers = 30, 7
    found, log = margins([strategy_player("mcts", number) for number in numbers], np.array([key]), rules)
    for rotation in range(2):
        state = DotsAndBoxesState.begin(rules)
        for edge in log[rotation].tolist():
            assert searched_edge(numbers[state.current_player ^ rotation], state, key) == edge
            state = state.apply(edge)
        assert found[0, rotation] == state.lead(rotation)


@compiled_only
@pytest.mark.parametrize(("more", "less"), [pytest.param(400, 20, marks=pytest.mark.release), (20, 1)])
def test_more_simulations_play_better(more: int, less: int) -> None:
    keys = (stream(1, "uct").random(150) * HALF).astype(np.int64)
    found, _ = margins(
        [strategy_player("mcts", number) for number in (more, less)], keys, DotsAndBoxesRules()
    )
    assert (np.sign(found).mean() + 1) / 2 > 0.6


def test_a_game_against_a_search_can_be_traced(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "double-dealer", "--opponent", "mcts:20", "--rules", "board=2x2"]) == 0
    assert "mcts" in capsys.readouterr().out
