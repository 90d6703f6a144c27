"""The evolutionary breaker: readable and compiled agree; what it does, and how strong it is."""

from dataclasses import replace

import pytest
from breaker_games import guesses
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.games.mastermind.players import (
    SCORES,
    EvolutionarySettings,
    estimate,
    evolved_guess,
    first_code,
    settings_for,
)
from gpkit.games.mastermind.rules import (
    MastermindRules,
    Turn,
    code_of_number,
    feedback,
    is_code,
    is_consistent,
    number_of_code,
)
from gpkit.games.mastermind.state import MastermindState
from gpkit.vm.keyed import KeyedDraws, keyed_word_readable
from gpkit_experiments.readable.mastermind import (
    badness,
    candidates,
    choice,
    collect,
    create,
    guess_readable,
    offer,
    total_of,
    vary,
)

GAMES = [
    MastermindRules(),
    MastermindRules(3, 5),
    MastermindRules(5, 8),
    MastermindRules(4, 6, False),
    MastermindRules(1, 4),
    MastermindRules(2, 3),
    MastermindRules(8, 12),
]

FEW = EvolutionarySettings(population=8, collected=12, patience=60, children=500, elite=5, probes=40)


@st.composite
def positions(draw: st.DrawFn) -> tuple[MastermindRules, tuple[Turn, ...]]:
    """Guesses and answers of a game: anything, with answers that some code gives."""
    rules = draw(st.sampled_from(GAMES))
    codes = st.integers(0, rules.codes - 1).map(lambda number: code_of_number(number, rules))
    secret = draw(codes)
    guesses = draw(st.lists(codes, min_size=0, max_size=5))
    return rules, tuple(Turn(code, feedback(code, secret)) for code in guesses)


@settings(max_examples=80)
@given(positions(), st.sampled_from(tuple(SCORES)), st.integers(0, 2**26 - 1), st.booleans(), st.booleans())
def test_readable_and_compiled_guesses_agree(
    position: tuple[MastermindRules, tuple[Turn, ...]],
    score: str,
    key: int,
    is_local: bool,
    has_rollouts: bool,
) -> None:
    rules, turns = position
    collected = 40 if has_rollouts else 12
    chosen = replace(
        FEW, score=score, fresh=0.1 if is_local else 0.6, rollouts=has_rollouts, collected=collected
    )
    code = guess_readable(turns, rules, chosen, key)
    assert is_code(code, rules)
    assert evolved_guess(turns, rules, chosen, key) == code


@compiled_only
def test_readable_and_compiled_games_agree_with_the_default_settings() -> None:
    rules, chosen = MastermindRules(3, 5), EvolutionarySettings(patience=400)
    state = MastermindState.begin((4, 1, 4), rules)
    while not state.is_terminal:
        code = evolved_guess(state.turns, rules, chosen, 5)
        assert guess_readable(state.turns, rules, chosen, 5) == code
        state = state.apply(number_of_code(code, rules))
    assert len(state.turns) == guesses((4, 1, 4), rules, chosen, 5) < rules.guesses


def test_the_first_guess_is_fixed() -> None:
    assert first_code(MastermindRules(5, 8)) == (0, 0, 1, 2, 3)
    assert first_code(MastermindRules(1, 2)) == (0,)
    assert first_code(MastermindRules(3, 1)) == (0, 0, 0)
    for rules in GAMES:
        assert is_code(first_code(rules), rules)
        assert evolved_guess((), rules, FEW, 1) == first_code(rules)


@given(st.sampled_from(GAMES), st.integers(0, 2**26 - 1))
def test_draws_are_those_of_the_keyed_stream(rules: MastermindRules, key: int) -> None:
    draws = KeyedDraws(key, 3)
    assert [draws.random() for _ in range(3)] == [keyed_word_readable(key, 3, k) / 2**52 for k in range(3)]
    assert is_code(create(draws, rules), rules)


def test_only_codes_that_can_be_the_secret_are_collected_and_in_a_small_game_all_of_them() -> None:
    rules = MastermindRules(3, 4)
    turns = (Turn((0, 0, 1), feedback((0, 0, 1), (2, 0, 3))),)
    population, collected = collect(KeyedDraws(1, 1), turns, rules, FEW)
    assert len(population) == FEW.population
    assert len(set(collected)) == len(collected)
    assert set(collected) <= set(candidates(turns, rules))
    patient = replace(FEW, collected=60, patience=300, children=5000)
    assert set(collect(KeyedDraws(1, 1), turns, rules, patient)[1]) == set(candidates(turns, rules))


def test_the_search_ends_with_enough_candidates_or_children() -> None:
    rules = MastermindRules(4, 6)
    turns = (Turn((0, 0, 1, 2), feedback((0, 0, 1, 2), (3, 4, 5, 5))),)
    assert len(collect(KeyedDraws(2, 1), turns, rules, FEW)[1]) == FEW.collected
    nothing = feedback((0, 0, 0, 0), (1, 1, 1, 1))
    contradiction = tuple(Turn((colour,) * 4, nothing) for colour in range(6))
    population, collected = collect(KeyedDraws(2, 6), contradiction, rules, FEW)
    assert collected == []
    least_bad = min(badness(code, contradiction) for code in population)
    assert badness(evolved_guess(contradiction, rules, FEW, 2), contradiction) == least_bad > 0


@given(positions(), st.integers(0, 1295))
def test_badness_is_zero_for_what_can_be_the_secret(
    position: tuple[MastermindRules, tuple[Turn, ...]], number: int
) -> None:
    rules, turns = position
    code = code_of_number(number % rules.codes, rules)
    assert (badness(code, turns) == 0) == is_consistent(code, turns)


def test_badness_counts_black_pegs_and_both_together() -> None:
    turns = (Turn((0, 0, 1, 2), feedback((0, 0, 1, 2), (0, 0, 1, 2))),)
    assert badness((0, 1, 0, 3), turns) == (4 - 1) + (4 - 3)


def test_the_elite_has_room_for_the_best() -> None:
    rules, turns = MastermindRules(2, 4), (Turn((0, 1), feedback((0, 1), (2, 3))),)
    collected = candidates(turns, rules)
    assert collected == ((2, 2), (2, 3), (3, 2), (3, 3))
    elite: list[tuple[tuple[int, ...], int]] = []
    chosen = EvolutionarySettings(score="parts", elite=2)
    for code in ((2, 2), (0, 2), (2, 3), (0, 1), (3, 2)):
        offer(elite, code, collected, turns, chosen)
    assert elite == [((2, 2), -6), ((2, 3), -6)], "three parts each; (0, 2) made three, too, but cannot be it"


@pytest.mark.parametrize("fresh", [0.0, 1.0])
def test_children_come_from_a_member_or_a_new_code(fresh: float) -> None:
    rules, chosen = MastermindRules(5, 8), replace(FEW, fresh=fresh, scramble=0.0, swap=0.0, next=0.0)
    draws, found = KeyedDraws(3, 1), set()
    for _ in range(300):
        found |= set(vary(draws, (0,) * 5, [(1,) * 5], rules, chosen))
    assert found == ({0, 1} if fresh == 0.0 else set(range(8)))


@settings(max_examples=60)
@given(positions(), st.sampled_from(tuple(SCORES)), st.data())
def test_a_total_is_that_of_playing_on_for_every_candidate(
    position: tuple[MastermindRules, tuple[Turn, ...]], score: str, data: st.DataObject
) -> None:
    rules, turns = position
    if rules.codes > 2000:
        rules, turns = MastermindRules(3, 5), ()
    left = list(candidates(turns, rules))[:12]
    codes = st.integers(0, rules.codes - 1).map(lambda number: code_of_number(number, rules))
    pool = data.draw(st.lists(codes, max_size=8))
    guess = data.draw(codes)

    def played(secret: tuple[int, ...]) -> int:
        known, asked, count = left, guess, 1
        while asked != secret:
            told = feedback(asked, secret)
            known = [code for code in known if feedback(asked, code) == told]
            asked, count = choice(known, pool, SCORES[score]), count + 1
        return count

    assert total_of(guess, left, pool, SCORES[score]) == sum(map(played, left))


def test_rollouts_decide_only_where_all_candidates_may_be_collected() -> None:
    rules, turns = MastermindRules(4, 6), (Turn((0, 0, 1, 2), feedback((0, 0, 1, 2), (3, 1, 0, 5))),)
    patient = EvolutionarySettings(
        population=40, collected=400, patience=2000, children=20_000, elite=6, probes=200
    )
    few = replace(patient, collected=50)
    assert len(collect(KeyedDraws(0, 1), turns, rules, patient)[1]) == len(candidates(turns, rules)) > 50
    changed = [
        key
        for key in range(12)
        if evolved_guess(turns, rules, patient, key)
        != evolved_guess(turns, rules, replace(patient, rollouts=False), key)
    ]
    assert changed
    for key in range(12):
        assert evolved_guess(turns, rules, few, key) == evolved_guess(
            turns, rules, replace(few, rollouts=False), key
        )


def test_only_the_score_of_this_project_is_followed_by_rollouts() -> None:
    assert [score for score in SCORES if settings_for(MastermindRules(5, 8), score).rollouts] == ["guesses"]
    assert settings_for(MastermindRules(8, 12), "guesses").rollouts


def test_an_estimate_is_what_strategy_trees_need() -> None:
    assert estimate([1]) / 2**16 == 1.0
    assert estimate([2, 2]) / 2**16 == pytest.approx(4 * (1.21 + 0.27), abs=1e-4)
