"""The compiled game is the readable game: the same actions, hands, tables and scores, under every option."""

from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only
from sevens_strategies import random_numbers
from strategies import trees

from gpkit.gamekit.players import Player
from gpkit.games.sevens import game as compiled
from gpkit.games.sevens.game import DOUBTS, GAME, PackDeals, log_game, rules_vector, total_scores
from gpkit.games.sevens.kernel import rules as at
from gpkit.games.sevens.primitives import SENSORS
from gpkit.games.sevens.rules import OPTIONS, SevensRules, SevensState, deal
from gpkit.genomes.tree import Tree, TreeProgram, leaf, node
from gpkit.langkit.formulas import evaluate
from gpkit.playing.players import player_of_program, shipped_player
from gpkit_experiments.readable import sevens as readable
from gpkit_experiments.readable.sevens import choose, play

NAMES = [sensor.name for sensor in SENSORS]
KINDS = {"play": at.PLAY, "send": at.SEND, "pass": at.PASS}


def readable_chooser(programs: list[TreeProgram], key: int) -> Callable[[SevensState], int]:
    """Seat s chooses by program s, through the interpreter."""

    def chosen(state: SevensState) -> int:
        tree = programs[state.current_player].parts[state.decision]
        return choose(state, lambda env, card: evaluate(tree, env, random_numbers(key, state.actions, card)))

    return chosen


def readable_log(
    deals: PackDeals, rules: SevensRules, programs: list[TreeProgram]
) -> tuple[list[tuple[int, ...]], SevensState]:
    """The actions of the first deal's game as the rules play it, in the form of the kernel's log, and the end."""
    state = deal([int(card) for card in deals.decks[0]], rules)
    log = []
    for after in play(state, readable_chooser(programs, int(deals.keys[0]))):
        log.extend((KINDS[event.kind], event.actor, event.card, event.receiver) for event in after.events)
        state = after
    return log, state


def rule_options() -> st.SearchStrategy[dict[str, str]]:
    """Any combination of options; few laps, so that stalls are met."""
    fields = {}
    for option in OPTIONS:
        words = option.choices or tuple(str(n) for n in range(option.low, min(option.high, 9) + 1))
        fields[option.name] = st.sampled_from(words)
    return st.fixed_dictionaries({}, optional={**fields, "laps": st.sampled_from(["1", "3", "20", "100"])})


def check_equal(options: dict[str, str], seed: int, formulas: list[Tree]) -> None:
    """One game, played both ways."""
    rules = SevensRules.from_options(options)
    programs = [
        TreeProgram(
            ("play", "send"), (formulas[2 * seat % len(formulas)], formulas[(2 * seat + 1) % len(formulas)])
        )
        for seat in range(rules.players)
    ]
    agents = [player_of_program(program, GAME, f"seat {seat}") for seat, program in enumerate(programs)]
    deals = GAME.deal(np.random.default_rng(seed), 1, rules)
    log = log_game(agents, deals, rules)
    expected, end = readable_log(deals, rules, programs)
    assert [tuple(int(word) for word in row[:4]) for row in log] == expected
    scores = GAME.play(agents, deals, rules)
    assert scores.values[0, 0] == end.returns()[0]
    assert scores.invalid == 0


@settings(max_examples=60, deadline=None)
@given(rule_options(), st.integers(0, 2**32), st.lists(trees(NAMES, max_leaves=8), min_size=2, max_size=6))
def test_kernel_is_rules(options: dict[str, str], seed: int, formulas: list[Tree]) -> None:
    check_equal(options, seed, formulas)


@pytest.mark.slow
@settings(max_examples=5_000, deadline=None)
@given(rule_options(), st.integers(0, 2**32), st.lists(trees(NAMES, max_leaves=20), min_size=2, max_size=14))
def test_kernel_is_rules_at_length(options: dict[str, str], seed: int, formulas: list[Tree]) -> None:
    check_equal(options, seed, formulas)


SOME = {f"env.{name}" for name in ("dist", "left", "opened", "players", "receiver")}
"""Sensors of a card, of the hand, of the table, of the rules and of sending."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.release] * (name not in SOME)) for name in NAMES]
)
def test_every_sensor_is_compiled(name: str) -> None:
    """Each sensor alone decides eight games as the readable one does, in both sections, also with its sign turned."""
    options = {"gates": "yes", "end": "ranks", "players": "4"}
    for seed in range(8):
        check_equal(options, seed, [leaf(name), node("neg", leaf(name)), leaf(name)])


def test_hands_and_tables_state_by_state() -> None:
    """After every action the log's masks are the readable hand of the actor and the cards on the table."""
    rules = SevensRules.from_options({"players": "4"})
    simple = TreeProgram(
        ("play", "send"), (node("+", leaf("env.depth"), leaf("env.selfblock")), leaf("env.dist"))
    )
    agents = [player_of_program(simple, GAME, "simple")] * 4
    for seed in range(5):
        deals = GAME.deal(np.random.default_rng(seed), 1, rules)
        log = log_game(agents, deals, rules)
        state = deal([int(card) for card in deals.decks[0]], rules)
        place = 0
        for after in play(state, readable_chooser([simple] * 4, int(deals.keys[0]))):
            first = after.events[0]
            assert int(log[place, at.LOG_HAND]) == mask(after.hands[first.actor])
            held = mask([card for hand in after.hands for card in hand])
            assert int(log[place, at.LOG_PLAYED]) == (1 << 52) - 1 & ~held
            place += len(after.events)
        assert place == len(log)


def test_every_seat_meets_every_deal() -> None:
    """With three equal programs the seats share each deal's win, so the scores of a deal sum to one."""
    rules = SevensRules()
    simple = TreeProgram(("play", "send"), (leaf("env.depth"), leaf("env.dist")))
    agents = [player_of_program(simple, GAME, "far")] * 3
    scores = GAME.play(agents, GAME.deal(np.random.default_rng(1), 500, rules), rules)
    assert (scores.values.sum(axis=1) == 1.0).all()


def test_deals_are_a_prefix_of_more_deals() -> None:
    few, many = (GAME.deal(np.random.default_rng(3), n, SevensRules()) for n in (5, 50))
    assert (few.decks == many.decks[:5]).all()
    assert (few.keys == many[:5].keys).all()
    assert (np.sort(many.decks, axis=1) == np.arange(52)).all()


def test_a_higher_utility_of_nan_loses() -> None:
    """x / 0 is protected, so NaN needs inf − inf; the readable and the compiled choice agree on it."""
    huge = node("*", leaf(1e300), node("*", leaf(1e300), leaf("env.rank")))
    nan_for_low = node("-", node("*", huge, leaf("env.isend")), node("*", huge, leaf("env.isend")))
    for seed in range(20):
        check_equal({}, seed, [nan_for_low, node("*", nan_for_low, leaf("env.rank"))])


def test_rules_vector_tells_every_option_apart() -> None:
    vectors = {tuple(rules_vector(SevensRules()))}
    count = 1
    for option in OPTIONS:
        default = SevensRules().to_options()[option.name]
        words = option.choices or ("4", "5")
        for word in words:
            if word != default:
                vectors.add(tuple(rules_vector(SevensRules.from_options({option.name: word}))))
                count += 1
    assert len(vectors) == count


@pytest.mark.release
@compiled_only
def test_search_is_better_than_its_playouts_on_more_worlds() -> None:
    """``pimc`` with 50 worlds beats the program that plays its worlds out; the sign, not the size, is asserted."""
    rules = SevensRules()
    simple = TreeProgram(
        ("play", "send"), (node("+", leaf("env.depth"), leaf("env.selfblock")), leaf("env.dist"))
    )
    policy = player_of_program(simple, GAME, "simple")
    search = Player("pimc:50", strategy="pimc", worlds=50, policy=policy)
    scores = GAME.play([search, policy, policy], GAME.deal(np.random.default_rng(5), 150, rules), rules)
    assert scores.values.mean() > 1 / 3


@pytest.mark.parametrize(
    ("name", "cards", "options"),
    [
        pytest.param("pimc", 12, {}, marks=pytest.mark.release),
        pytest.param(
            "pimc", 20, {"players": "5", "sender": "all", "play_received": "yes"}, marks=pytest.mark.release
        ),
        pytest.param(
            "pimc-certain",
            20,
            {"players": "4", "start": "any", "end": "ranks"},
            marks=pytest.mark.release,
        ),
        pytest.param("pimc-blind", 40, {}, marks=pytest.mark.release),
    ],
)
def test_search_is_the_readable_search(name: str, cards: int, options: dict[str, str]) -> None:
    """The first cards of games of ``pimc`` against its own playout program, one by one."""
    rules = SevensRules.from_options(options)
    program = TreeProgram(
        ("play", "send"), (node("-", leaf("env.selfblock"), leaf("math.random")), leaf("env.dist"))
    )
    policy = player_of_program(program, GAME, "policy")
    worlds = 2
    search_agent = Player(name, strategy=name, worlds=worlds, policy=policy)
    deals = GAME.deal(np.random.default_rng(1), 1, rules)
    key = int(deals.keys[0])
    programs = [program] * rules.players
    plain = readable_chooser(programs, key)

    def chosen(state: SevensState) -> int:
        if state.current_player == 0:
            totals = readable.total_scores(
                state,
                worlds=worlds,
                deal_key=key,
                policy=lambda other: readable_chooser(programs, other),
                doubt=DOUBTS[name],
            )
            assert total_scores(search_agent, state, key) == totals
            return max(totals, key=totals.__getitem__)
        return plain(state)

    states = play(deal([int(card) for card in deals.decks[0]], rules), chosen)
    events = [
        (KINDS[event.kind], event.actor, event.card, event.receiver)
        for after in islice(states, cards)
        for event in after.events
    ]
    log = log_game([search_agent, *[policy] * (rules.players - 1)], deals, rules)
    assert [tuple(int(word) for word in row[:4]) for row in log[: len(events)]] == events


def mask(cards: list[int] | tuple[int, ...]) -> int:
    return sum(1 << card for card in cards)


@pytest.mark.parametrize("nodes", [30, 40, 16_384])
def test_games_that_share_their_beginnings_score_as_alone(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players in turn on the same deals, with room in the tree for no choice, for some, and for all."""
    deals, rules = GAME.deal(np.random.default_rng(11), 10, SevensRules()), SevensRules()
    names = ("env.rank", "env.depth", "math.random", "env.block", "env.rank")
    firsts = [
        player_of_program(TreeProgram(("play", "send"), (leaf(name), leaf("math.random"))), GAME, name, {})
        for name in names
    ]
    for other in ("simple", "random"):
        players = [[first, *[shipped_player(other, GAME)] * 2] for first in firsts]
        monkeypatch.setattr(compiled, "MOST_ROOTS", 0)
        alone = [GAME.play(each, deals, rules) for each in players]
        monkeypatch.setattr(compiled, "MOST_ROOTS", 1_000)
        monkeypatch.setattr(compiled, "NODES", nodes)
        together = [GAME.play(each, deals, rules) for each in players]
        for one, same in zip(alone, together, strict=True):
            assert (one.values == same.values).all()
            assert (one.stalled, one.invalid) == (same.stalled, same.invalid)
