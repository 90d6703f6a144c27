"""A traced game is the game of the compiled engine, and every number in it is what it says."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM, Alphabet
from gpkit.core.rng import stream
from gpkit.games.mastermind.game import GAME, SecretDeals
from gpkit.games.mastermind.primitives import FULL
from gpkit.games.mastermind.rules import MastermindRules, code_of_text, code_text
from gpkit.games.mastermind.sensors import sense
from gpkit.genomes.tree import Tree, TreeProgram, random_tree
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.contest import deal_of
from gpkit.playing.decisions import Decision
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.trace import Step, Trace, coverage, read_condition, trace_game, until
from gpkit_experiments.readable.mastermind import candidates

FORMULAS = Alphabet("formulas", (*FULL.sensors, RANDOM), FULL.operators)
MAKER = player_of_name("codemaker", GAME)


def trace_of(tree: Tree, rules: MastermindRules, seed: int = 1) -> Trace:
    program = TreeProgram(("guess",), (tree,))
    players = [player_of_program(program, GAME, "program"), MAKER]
    return trace_game("mastermind", players, deal_of(GAME, rules, seed, 0), rules)


def traced(tree: Tree, rules: MastermindRules, seed: int = 1) -> list[Step]:
    return list(trace_of(tree, rules, seed).steps)


def tree_of(text: str) -> Tree:
    return parse(text).program.parts["guess"]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([MastermindRules(3, 3), MastermindRules(2, 5), MastermindRules(3, 4, False)]),
)
def test_traced_game_is_the_compiled_game(seed: int, rules: MastermindRules) -> None:
    tree = random_tree(stream(seed, "formula"), FORMULAS, 4, "grow")
    steps = traced(tree, rules, seed)
    program = TreeProgram(("guess",), (tree,))
    agents = [player_of_program(program, GAME, "program"), MAKER]
    played = GAME.play(agents, deal_of(GAME, rules, seed, 0), rules).values[0, 0]
    state = steps[-1].after
    assert state.is_terminal
    assert state.returns()[0] == played == steps[-1].values["score"]
    assert [step.number for step in steps] == list(range(len(steps)))


@pytest.mark.parametrize(
    "formula",
    [
        "1e308 * 1e308 - 1e308 * 1e308",
        "ifle(env.possible, 0.0, 0.0 - 1e308 * 1e308, 1e308 * 1e308 - 1e308 * 1e308)",
        "ifle(env.possible, 0.0, 1e308 * 1e308 - 1e308 * 1e308, 0.0 - 1e308 * 1e308)",
    ],
)
def test_values_that_choose_nothing_leave_the_first_code_that_can_be_the_secret(formula: str) -> None:
    rules = MastermindRules(3, 3)
    program = TreeProgram(("guess",), (tree_of(f"guess: {formula}"),))
    players = [player_of_program(program, GAME, "program"), MAKER]
    for number in range(rules.codes):
        deals = SecretDeals(np.zeros(1, dtype=np.int64), np.array([number]))
        steps = list(trace_game("mastermind", players, deals, rules).steps)
        assert steps[-1].values["score"] == GAME.play(players, deals, rules).values[0, 0]
        for before, step in pairwise(steps):
            left = candidates(before.after.turns, rules)
            assert step.values["action"] == code_text(left[0], rules)


def test_every_number_is_what_it_says() -> None:
    rules = MastermindRules(3, 4)
    steps = traced(tree_of("guess: env.entropy * 2 - env.possible"), rules, 3)
    for before, step in pairwise(steps):
        turns = before.after.turns
        left, after = candidates(turns, rules), candidates(step.after.turns, rules)
        turn = step.after.turns[-1]
        assert (step.values["left"], step.values["after"]) == (len(left), len(after))
        assert step.values["action"] == code_text(turn.guess, rules)
        assert (step.values["black"], step.values["white"]) == (turn.feedback.black, turn.feedback.white)
        assert step.values["settled"] == (len(left) <= 2)
        assert bool(step.evaluations) == (len(left) > 2)
        if step.winner is None:
            continue
        assert step.winner.sensors == sense(turn.guess, left, turns, rules)
        assert step.winner.value == max(each.value for each in step.evaluations)
        assert step.winner.node_values()[0] == step.values["value"]
        table = step.table()
        assert table is not None
        assert table.rows[table.chosen][0] == step.values["action"]
        assert table.columns == ("code", "alike", "value", "possible", "entropy")
        decision = step.decision
        assert isinstance(decision, Decision)
        left_out = f"the best 12 of {len(decision.actions)}; " * (len(decision.actions) > 12)
        assert table.note == f"{left_out}alike: codes that are the same to the program"
        assert sum(decision.counts) == rules.codes


def test_a_formula_to_which_all_codes_are_the_same_shows_its_value() -> None:
    _, step, *_ = traced(tree_of("guess: env.possible"), MastermindRules(3, 4), 3)
    table = step.table()
    assert table is not None
    assert (table.rows, table.chosen) == ((("111", 64.0, 1.0, 1.0),), 0)
    assert (step.values["groups"], step.values["value"], step.values["settled"]) == (1.0, 1.0, 0.0)


def test_the_code_is_shown_and_records_are_plain() -> None:
    rules = MastermindRules(2, 3)
    steps = traced(tree_of("guess: env.parts"), rules)
    first, *_, last = (step.record() for step in steps)
    assert (first["action"], first["decision"], steps[0].values["after"]) == (None, None, 9)
    assert last["action"] == last["secret"] == first["secret"]
    assert code_of_text(str(last["secret"]), rules) == steps[0].after.secret
    assert last["scores"] == [float(len(steps) - 1)]
    assert "".join(str(first["secret"])[:1]) in steps[0].board()
    assert steps[-1].picture().startswith("<svg")
    assert steps[0].words() == "a code is hidden, one of 9"
    assert steps[-1].words().endswith("found")


def test_conditions_and_coverage() -> None:
    trace = trace_of(tree_of("guess: ifle(env.left, 20, env.possible, env.entropy)"), MastermindRules(3, 4))
    steps, condition = list(trace.steps), read_condition("left < 20 and entropy > 0.1", trace.vocabulary)
    *_, found = until(steps, condition)
    assert condition.holds(found.values)
    ((executed, _),) = coverage(steps).values()
    assert executed == set(range(5))
    ((executed, _),) = coverage(steps[:2]).values()
    assert 3 not in executed, "with many codes left it does not count what is possible"


def test_breakers_that_are_no_programs_are_followed_in_games_of_any_size() -> None:
    for name, rules in (
        ("consistent-random", MastermindRules(2, 3)),
        ("evolutionary-parts", MastermindRules(8, 14)),
    ):
        deals = deal_of(GAME, rules, 1, 0)
        players = [player_of_name(name, GAME), MAKER]
        steps = list(trace_game("mastermind", players, deals, rules).steps)
        assert steps[-1].values["score"] == GAME.play(players, deals, rules).values[0, 0]
        assert not any(step.decision for step in steps)
        assert ("left" in steps[-1].values) == (rules.codes < 1000)
        assert steps[1].words().endswith("codes left" if rules.codes < 1000 else "not found")


def test_what_cannot_be_followed() -> None:
    rules, deals = MastermindRules(2, 3), deal_of(GAME, MastermindRules(2, 3), 1, 0)
    knuth = player_of_name("knuth", GAME)
    for players, seat, message in (
        ([knuth, MAKER], 1, "--seat 1: in mastermind only seat 0 plays"),
        ([MAKER, MAKER], 0, "codemaker only hides a code"),
        ([knuth, knuth], 0, "knuth breaks codes; name a player that hides them"),
    ):
        with pytest.raises(UsageError, match=message):
            trace_game("mastermind", players, deals, rules, seat=seat)
