"""A traced game is the game of the compiled engine, and every number in it is what it says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sevens_strategies import some_rules
from strategies import programs

from gpkit.gamekit.players import Player
from gpkit.games.sevens.game import GAME, log_game
from gpkit.games.sevens.kernel import rules as at
from gpkit.games.sevens.primitives import PRIMITIVES
from gpkit.games.sevens.rules import SevensRules
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.contest import deal_of, play_match
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.trace import (
    CachedSteps,
    Step,
    Vocabulary,
    coverage,
    facts_of_game,
    read_condition,
    trace_game,
    until,
)

KINDS = {"play": at.PLAY, "send": at.SEND, "pass": at.PASS}
CHOOSY = "play: ifle(env.rank, 7, env.depth, env.block) + math.random()\nsend: env.dist * 2 - math.random()"


VOCABULARY = Vocabulary(tuple(each for each in facts_of_game(GAME) if each.kind != "data"), ("send",))


def player_of(program: TreeProgram) -> Player:
    return player_of_program(program, GAME, "program")


def traced(
    text: str = CHOOSY, *, opponent: str = "random", seed: int = 1, seat: int = 0, **options: str
) -> list[Step]:
    rules = GAME.make_rules(options)
    players = [player_of(parse(text).program), *[player_of_name(opponent, GAME)] * (rules.players - 1)]
    return list(trace_game("sevens", players, deal_of(GAME, rules, seed, 0), rules, seat=seat).steps)


@settings(max_examples=40)
@given(
    some_rules(),
    st.integers(0, 2**32),
    st.integers(0, 6),
    st.lists(programs(sensors=PRIMITIVES.sensor_names, max_leaves=8), min_size=7, max_size=7),
)
def test_traced_game_is_the_compiled_game(
    options: dict[str, str], seed: int, seat: int, found: list[TreeProgram]
) -> None:
    rules = SevensRules.from_options(options)
    players = [player_of(program) for program in found[: rules.players]]
    seat %= rules.players
    deals = deal_of(GAME, rules, seed, 0)
    steps = list(trace_game("sevens", players, deals, rules, seat=seat).steps)
    seated = [players[(place - seat) % rules.players] for place in range(rules.players)]
    log = log_game(seated, deals, rules)
    events = [
        (KINDS[event.kind], event.actor, event.card, event.receiver)
        for step in steps
        for event in step.after.events
    ]
    assert events == [tuple(int(word) for word in row[:4]) for row in log]
    for step in steps:
        check_decision(step)


def check_decision(step: Step) -> None:
    """The winner has the highest value, and the value of a formula is that of its root."""
    values = [e.value for e in step.evaluations]
    assert (step.winner is None) == (step.chosen == -1)
    if step.winner is not None:
        best = np.array([-np.inf if np.isnan(v) else v for v in values])
        assert step.winner.value == best.max() or np.isnan(step.winner.value)
        for evaluation in step.evaluations:
            root = evaluation.node_values()[0]
            assert root == evaluation.value or np.isnan(root)


def test_traced_search_is_the_compiled_search() -> None:
    rules = SevensRules()
    players = [player_of_name(name, GAME) for name in ("simple", "pimc-blind:4", "hold")]
    deals = deal_of(GAME, rules, 5, 3)
    steps = trace_game("sevens", players, deals, rules).steps
    cards = [event.card for step in steps for event in step.after.events]
    assert cards == list(log_game(players, deals, rules)[:, at.LOG_CARD])


def test_numbered_deals_are_those_of_a_match() -> None:
    rules = SevensRules()
    simple, hold = (player_of_name(name, GAME) for name in ("simple", "hold"))
    result = play_match(GAME, simple, [hold], rules=rules, seed=3, games=3 * 1030)
    for number in (0, 1, 1023, 1024, 1029):
        deals = deal_of(GAME, rules, 3, number)
        scores = []
        for seat in range(3):
            *_, last = trace_game("sevens", [simple, hold, hold], deals, rules, seat=seat).steps
            scores.append(last.values["score"])
        assert np.mean(scores) == pytest.approx(result.by_deal[number])


def test_program_is_asked_where_there_is_a_choice() -> None:
    steps = traced()
    for step in steps[1:]:
        own = step.before.current_player == 0
        legal = step.before.legal_actions()
        assert (step.values["mine"], step.values["forced"]) == (float(own), float(len(legal) == 1))
        assert len(step.evaluations) == (len(legal) if own and len(legal) > 1 else 0)
        assert ("value" in step.values) == (step.winner is not None)
        assert ("env.rank" in step.values) == own
        assert (", its only choice" in step.words()) == (own and len(legal) == 1)
    assert any(step.values.get("decision") == "send" and step.evaluations for step in steps)


def test_every_value_has_a_name_and_its_kind() -> None:
    known = {name.name: name.kind for name in VOCABULARY.names}
    assert len(known) == len(VOCABULARY.names)
    seen = set()
    for step in traced():
        for name, value in step.values.items():
            if value is not None:
                assert isinstance(value, str if known[name] == "text" else float)
                seen.add(name)
    assert seen == {name for name in known if name not in ("hand3", "hand4", "hand5", "hand6", "mistake")}


def test_every_hand_is_counted_whoever_plays() -> None:
    for step in traced(players="5", seat=2):
        sizes = [step.values[f"hand{seat}"] for seat in range(5)]
        assert sizes == [len(hand) for hand in step.after.hands]


def test_table_shows_the_sensors_that_the_formula_reads() -> None:
    step = next(s for s in traced() if s.evaluations and s.values["decision"] == "play")
    table = step.table()
    assert table is not None
    assert table.columns == ("card", "value", "rank", "block", "depth")
    assert table.chosen == step.chosen
    for row, evaluation in zip(table.rows, step.evaluations, strict=True):
        assert row[1:] == (
            evaluation.value,
            *(evaluation.sensors[f"env.{name}"] for name in ("rank", "block", "depth")),
        )
    assert traced()[0].table() is None


def test_margin_is_the_lead_over_the_next_best() -> None:
    for step in traced("play: env.rank\nsend: 0 / 0"):
        if step.evaluations:
            values = sorted(e.value for e in step.evaluations)
            assert step.values["margin"] == values[-1] - values[-2]


def test_record_tells_the_whole_game() -> None:
    """Hands of the deal, changed by the events alone, are the hands of every step."""
    steps = traced(send_last="yes", end="ranks", sender="all", players="4")
    first = steps[0].record()
    hands = [set(hand) for hand in first["hands"]]  # type: ignore[attr-defined]
    assert (first["events"], first["decision"], first["scores"]) == ([], None, None)
    for step in steps[1:]:
        record = step.record()
        for event in record["events"]:  # type: ignore[attr-defined]
            if event["card"] is not None:
                hands[event["actor"]].remove(event["card"])
            if event["receiver"] is not None:
                hands[event["receiver"]].add(event["card"])
        assert [set(hand) for hand in record["hands"]] == hands  # type: ignore[attr-defined]
        decision = record["decision"]
        if decision is not None:
            assert decision["chosen"] == step.values["card"]  # type: ignore[index]
            assert len(decision["candidates"]) == step.values["candidates"]  # type: ignore[index]
    assert record["scores"] == list(step.after.returns())


def test_search_shows_the_mean_scores_of_its_cards() -> None:
    players = [player_of_name("pimc:3", GAME)] * 3
    steps = list(trace_game("sevens", players, deal_of(GAME, SevensRules(), 0, 0), SevensRules()).steps)
    asked = [step for step in steps[1:] if step.is_mine and len(step.before.legal_actions()) > 1]
    assert asked == [step for step in steps if step.decision is not None]
    for step in asked:
        table = step.table()
        assert table is not None
        assert table.columns == ("card", "mean score")
        assert step.action in step.worths
        assert step.worths[step.action] == max(step.worths.values())


def test_until_ends_with_the_step() -> None:
    condition = read_condition("mine and candidates > 2 and turn > 3", VOCABULARY)
    steps = list(until(traced(), condition))
    assert [condition.holds(step.values) for step in steps] == [False] * (len(steps) - 1) + [True]
    never = read_condition("rank == 15", VOCABULARY)
    assert len(list(until(traced(), never))) == len(traced())


def test_tape_makes_steps_when_they_are_asked_for() -> None:
    steps = traced()
    made = []
    walked = CachedSteps(made.append(step.number) or step for step in steps)  # type: ignore[func-returns-value]
    assert made == []
    assert walked.get(3) == steps[3]
    assert made == [0, 1, 2, 3]
    assert walked.get(1) == steps[1]
    assert walked.get(-1) is None
    over = read_condition("over", VOCABULARY)
    assert walked.find(over, 2) == steps[-1]
    assert made == list(range(len(steps)))
    assert walked.last == len(steps) - 1
    assert walked.get(len(steps)) is None
    assert walked.find(over, len(steps)) is None


def test_coverage_is_what_counted_for_any_candidate() -> None:
    found = coverage(traced("play: ifle(env.rounds, 1000, env.rank, env.dist + 1)\nsend: 1"))
    assert found["play"][0] == {0, 1, 2, 3}
    assert found["send"][0] == {0}
    both = coverage(traced())
    assert both["play"][0] == set(range(7))
    step = [s for s in traced() if s.evaluations and s.evaluations[0].section == "play"][-1]
    assert step.winner is not None
    assert both["play"][1] == step.winner.node_values()
    assert coverage([]) == {}
