"""Games of Dots and Boxes a second on one core: policies and rule lists, compiled and by the readable rules."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player, strategy_player
from gpkit.gamekit.state import played
from gpkit.games.dots_and_boxes.decisions import decide
from gpkit.games.dots_and_boxes.opponents import POLICIES, Policy, drawn_edge
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.playing.players import player_of_program, program_of_name
from gpkit_experiments.bench.measure import Outcome, Session, Work, interleaved, measured, ratios

GAME: Game = game_of("dots_and_boxes")

POLICY, RULE_LIST, OPPONENT = "safe", "double-dealer", "chain"

RULES = Rules()


def measure(session: Session) -> Outcome:
    """Time games of a policy and of a rule list against a policy; every deal is played in both seatings."""
    rounds, many, few = (3, 200, 1) if session.quick else (9, 4_000, 4)
    session.watch(
        f"dots_and_boxes: {rounds} times {4 * many:,} games in the kernel, {4 * few} by the readable rules"
    )
    deals = GAME.deal(stream(0, "bench keys"), many, RULES)
    for name in (POLICY, RULE_LIST):
        assert np.array_equal(in_kernel(seated(name), deals[:few]), by_rules(name, deals[:few])), "same games"

    def kernel(name: str) -> Work:
        players = seated(name)
        return lambda _: float(in_kernel(players, deals).size)

    def readable(name: str) -> Work:
        return lambda number: float(by_rules(name, deals[number * few : (number + 1) * few]).size)

    works = [kernel(POLICY), readable(POLICY), kernel(RULE_LIST), readable(RULE_LIST)]
    policy, slow_policy, rules, slow_rules = interleaved(works, rounds, session.clock)
    return Outcome(
        f"`{POLICY}` and the rule list `{RULE_LIST}` against `{OPPONENT}` on {RULES.width}x{RULES.height} boxes, every "
        f"deal in both seatings; {rounds} rounds",
        (
            measured("policy", "a policy in the kernel", "games/s", [1.0 / t.each for t in policy]),
            measured(
                "policy_over_readable", "a policy, kernel / readable", "times", ratios(slow_policy, policy)
            ),
            measured("rule_list", "a rule list in the kernel", "games/s", [1.0 / t.each for t in rules]),
            measured(
                "rule_list_over_readable",
                "a rule list, kernel / readable",
                "times",
                ratios(slow_rules, rules),
            ),
        ),
    )


def seated(name: str) -> list[Player]:
    """A policy or a compiled rule list, and ``OPPONENT``."""
    if name in POLICIES:
        return [strategy_player(name), strategy_player(OPPONENT)]
    return [player_of_program(program_of_name(name, GAME), GAME, name), strategy_player(OPPONENT)]


def in_kernel(players: Sequence[Player], deals: Deals) -> NDArray[np.float64]:
    """Scores of the first of two players, in the kernel: float64 (deals, seatings)."""
    return GAME.play(players, deals, RULES).values


def by_rules(name: str, deals: Deals) -> NDArray[np.float64]:
    """Scores of a policy or a rule list against ``OPPONENT``, by the readable rules: float64 (deals, seatings)."""
    pair = (readable_policy(name), POLICIES[OPPONENT])
    scores = np.empty((len(deals), 2))
    for row, key in zip(scores, deals.keys.tolist(), strict=True):
        for seat, (first, second) in enumerate((pair, pair[::-1])):
            *_, (state, edge) = play_readable(first, second, key, RULES)
            row[seat] = state.apply(edge).returns()[seat]
    return scores


def readable_policy(name: str) -> Policy:
    """The policy of a name, or that of a rule list, in plain Python."""
    if name in POLICIES:
        return POLICIES[name]
    program = program_of_name(name, GAME)
    return lambda state: decide(program, state).edges


def play_readable(first: Policy, second: Policy, key: int, rules: Rules) -> Iterator[tuple[State, int]]:
    """Every position of a game in which the first policy draws first, with the edge that is drawn next."""

    def choose(state: State) -> int:
        return drawn_edge((first, second)[state.current_player](state), state, key)

    yield from ((before, edge) for before, edge, _ in played(State.begin(rules), choose))
