"""The rules of Sevens on positions made by hand, one test for each sentence of the rules."""

from collections.abc import Callable

import pytest

from gpkit.core.rng import stream
from gpkit.games.sevens.cards import CARDS
from gpkit.games.sevens.rules import Event, SevensRules, SevensState, deal
from gpkit_experiments.readable.sevens import play_out

Make = Callable[..., SevensState]

DECK = tuple(range(CARDS))


def names(state: SevensState) -> list[str]:
    """The legal actions by name."""
    return [state.rules.pack.ascii_name(card) for card in state.legal_actions()]


def act(state: SevensState, card: str) -> SevensState:
    """The state after the card of that name was chosen."""
    return state.apply(state.rules.pack.parse(card))


def event(state: SevensState, kind: str, actor: int, card: str = "", receiver: int = -1) -> Event:
    """An event with the card given by name."""
    return Event(kind, actor, state.rules.pack.parse(card) if card else -1, receiver)


# Deal and opening.


def test_cards_are_dealt_in_turn_and_hands_are_sorted() -> None:
    state = deal(tuple(reversed(DECK)), SevensRules(players=5))
    assert [len(hand) for hand in state.hands] == [11, 11, 10, 10, 10]
    assert state.hands[2] == tuple(sorted(DECK[::-1][2::5]))


@pytest.mark.parametrize(("start", "seat"), [("7h", 0), ("7d", 1), ("7c", 2), ("7s", 0)])
def test_the_holder_of_the_opening_seven_must_play_it(start: str, seat: int) -> None:
    state = deal(DECK, SevensRules(start=start))
    assert (state.current_player, state.decision, state.turn, state.actions) == (seat, "play", 0, 0)
    assert names(state) == [start]
    after = act(state, start)
    assert (after.turn, after.actions) == (1, 1)
    assert after.events[0] == event(state, "play", seat, start)


def test_any_seven_opens_by_the_first_seat_that_holds_one() -> None:
    assert deal(DECK, SevensRules(start="any")).current_player == 0
    assert names(deal(DECK, SevensRules(start="any"))) == ["7h", "7s"]
    late = [card for card in DECK if card % 13 != 6] + [6, 19, 32, 45]  # all sevens are dealt last
    state = deal(late, SevensRules(start="any", players=7))
    assert state.current_player == min(
        seat for seat in range(7) if any(c % 13 == 6 for c in state.hands[seat])
    )


def test_a_deck_must_be_a_permutation() -> None:
    with pytest.raises(AssertionError):
        deal((*DECK[:-1], 0), SevensRules())


# Playing.


def test_a_seven_or_the_card_next_to_an_end_of_a_run_may_be_played(position: Make) -> None:
    state = position(["4h 3h 9h 10h 7d 8d 6d 8c 6c 5c 5s Ks", "Kh"], "5-8 . 7-7 6-12")
    assert names(state) == ["4h", "9h", "7d", "6c", "8c", "5s", "Ks"]


def test_what_is_not_legal_is_refused(position: Make) -> None:
    state = position(["4h 3h", "Kh Qh"], "5-8 . . .")
    with pytest.raises(ValueError, match="not a legal action"):
        act(state, "3h")
    with pytest.raises(ValueError, match="not a legal action"):
        act(state, "Kh")
    with pytest.raises(ValueError, match="not a legal action"):
        state.apply(-1)


def test_a_played_card_extends_the_run_and_the_next_seat_follows(position: Make) -> None:
    state = position(["4h 9h", "Kh 7s", "Qh 3h"], "5-8 . . .")
    after = act(state, "4h")
    assert (after.tableau.low, after.tableau.high) == ((4, 0, 0, 0), (8, 0, 0, 0))
    assert after.hands[0] == (8,)
    assert (after.current_player, after.turn, after.actions) == (1, 31, 1)
    opened = act(after, "7s")
    assert (opened.tableau.low[3], opened.tableau.high[3]) == (7, 7)
    assert state.hands[0] == (3, 8)  # the earlier state is as it was


def test_gates_let_a_suit_out_by_seven_six_eight(position: Make) -> None:
    assert names(position(["6h 8h 5h 9h", "Ks"], "7-7 . . .", gates="yes")) == ["6h"]
    assert names(position(["8h 5h 9h", "Ks"], "6-7 . . .", gates="yes")) == ["8h"]
    assert names(position(["5h 9h", "Ks"], "6-8 . . .", gates="yes")) == ["5h", "9h"]
    assert names(position(["8h 5h 9h", "Ks"], "6-7 . . .")) == ["5h", "8h"]


def test_a_high_ace_lies_beyond_the_king(position: Make) -> None:
    state = position(["Ah As 2s", "Kc Ks"], "2-13 . . 3-12", ace_high="yes")
    assert names(state) == ["Ah", "2s"]
    assert act(state, "Ah").tableau.high[0] == 14
    assert names(position(["Ah As", "Kc Ks"], "2-13 . . 3-12")) == ["Ah"]


# Sending.

UNABLE = ["Kh Kd", "Kc 9s", "2c 3c"]
"""With the run 7-7 of hearts on the table nobody can play but who holds 6h or 8h."""


def unable(position: Make, hands: list[str] | None = None, **options: str) -> SevensState:
    """Seat 0 has played a card and seat 1 cannot; what follows depends on the rules."""
    hands = hands or ["8h 2d 9d", *UNABLE[1:]]
    return act(position(hands, "7-7 . . .", **options), "8h")


def test_the_previous_player_sends_a_card_and_the_turn_ends(position: Make) -> None:
    state = unable(position)
    assert (state.decision, state.current_player, state.receiver, state.senders) == ("send", 0, 1, (0,))
    assert names(state) == ["2d", "9d"]
    after = act(state, "2d")
    assert after.hands[:2] == ((21,), tuple(sorted((14, 38, 47))))
    assert after.events == (event(state, "send", 0, "2d", 1),)
    assert (after.turn, after.receiver, after.decision) == (32, 2, "send")  # seat 2 cannot play either
    assert after.current_player == 1


def test_a_player_keeps_the_last_card_so_the_one_before_sends(position: Make) -> None:
    assert unable(position, ["8h 2d", "Kc 9s", "2c 3c"]).current_player == 2


def test_where_nobody_can_send_the_turn_is_passed(position: Make) -> None:
    state = unable(position, ["8h 2d", "Kc", "9h"])
    assert state.events == (event(state, "play", 0, "8h"), event(state, "pass", 1))
    assert (state.current_player, state.decision, state.turn, state.actions) == (2, "play", 32, 2)


def test_the_next_player_sends(position: Make) -> None:
    assert unable(position, sender="next").senders == (2,)
    assert unable(position, ["8h 2d 3d", "Kc 9s", "2c"], sender="next").senders == (0,)


def test_all_others_send_from_the_previous_one_on(position: Make) -> None:
    state = unable(position, ["8h 2d 9d", "Kc 9s", "2c 3c", "2s", "Qd Jd"], sender="all")
    assert state.senders == (0, 4, 2)
    for card in ("2d", "Qd"):
        state = act(state, card)
        assert (state.decision, state.receiver, state.turn) == ("send", 1, 31)
    state = act(state, "2c")
    assert (state.receiver, state.turn) == (2, 32)
    assert len(state.hands[1]) == 5


def test_nobody_sends_without_a_sender(position: Make) -> None:
    state = unable(position, ["8h 2d 9d", "Kc 9s", "9h 2c"], sender="none")
    assert (state.current_player, state.decision) == (2, "play")


def test_in_the_first_lap_sending_may_be_off(position: Make) -> None:
    hands = ["8h 2d 9d", "Kc 9s", "9h 2c"]
    early = act(position(hands, "7-7 . . .", turn=1, send_first_lap="no"), "8h")
    assert (early.current_player, early.turn, early.actions) == (2, 3, 2)
    late = act(position(hands, "7-7 . . .", turn=2, send_first_lap="no"), "8h")
    assert (late.decision, late.turn) == ("send", 3)


def test_the_last_card_may_be_sent_and_wins(position: Make) -> None:
    state = unable(position, ["8h 2d", "Kc 9s", "2c 3c"], send_last="yes")
    assert (state.current_player, state.decision) == (0, "send")
    over = act(state, "2d")
    assert (over.is_terminal, over.current_player, over.finished, over.returns()) == (
        True,
        -1,
        (0,),
        (1.0, 0.0, 0.0),
    )


def test_unplayable_cards_are_sent_first(position: Make) -> None:
    hands = ["8h 9h 2d 6h", "Kc 9s", "2c 3c"]
    assert names(unable(position, hands)) == ["6h", "9h", "2d"]
    assert names(unable(position, hands, send_unplayable_first="yes")) == ["2d"]
    playable = ["8h 9h 6h", "Kc 9s", "2c 3c"]
    assert names(unable(position, playable, send_unplayable_first="yes")) == ["6h", "9h"]


def test_a_received_card_is_played_at_once_if_so_agreed(position: Make) -> None:
    hands = ["8h 9h 2d", "Kc 9s", "2c 3c"]
    state = act(unable(position, hands, play_received="yes"), "9h")
    assert (state.decision, state.current_player, names(state), state.turn) == ("play", 1, ["9h"], 31)
    assert act(state, "9h").turn == 32
    unplayable = act(unable(position, hands, play_received="yes"), "2d")
    assert (unplayable.turn, unplayable.decision) == (32, "send")
    assert act(unable(position, hands), "9h").turn == 32


def test_of_several_received_cards_the_receiver_chooses_among_the_playable_ones(position: Make) -> None:
    hands = ["8h 9h 2d", "Kc 9s", "6h 3c"]
    state = unable(position, hands, play_received="yes", sender="all")
    state = act(act(state, "9h"), "6h")
    assert (state.current_player, state.decision, names(state)) == (1, "play", ["6h", "9h"])


# Extra turns.


def test_no_extra_turn_after_an_end_card(position: Make) -> None:
    state = act(position(["Kh 9s", "6h", "2c"], "7-12 . . 7-8"), "Kh")
    assert (state.current_player, state.turn) == (1, 31)


@pytest.mark.parametrize("extra", ["may", "must"])
def test_after_an_end_card_the_same_player_goes_on(position: Make, extra: str) -> None:
    for card, runs in (("Kh", "7-12 . . 7-8"), ("Ah", "2-7 . . 7-8")):
        state = act(position([f"{card} 9s 2d", "10s 2c", "3c"], runs, extra_turn=extra), card)
        assert (state.current_player, state.decision, state.turn, names(state)) == (0, "play", 30, ["9s"])
        assert act(state, "9s").turn == 31


def test_who_cannot_go_on_loses_only_an_obligatory_extra_turn(position: Make) -> None:
    hands = ["Kh 9d", "9s 2d", "2c 3c"]
    may = act(position(hands, "7-12 . . 7-8", extra_turn="may"), "Kh")
    assert (may.current_player, may.turn) == (1, 31)
    must = act(position(hands, "7-12 . . 7-8", extra_turn="must"), "Kh")
    assert (must.decision, must.current_player, must.receiver, must.turn) == ("send", 2, 0, 30)
    passed = act(position(hands, "7-12 . . 7-8", extra_turn="must", sender="none"), "Kh")
    assert (passed.events[1:], passed.current_player, passed.turn) == ((Event("pass", 0),), 1, 31)


def test_who_leaves_by_an_end_card_has_no_extra_turn(position: Make) -> None:
    state = act(position(["Kh", "9s 2d", "2c 3c"], "7-12 . . 7-8", extra_turn="must", end="ranks"), "Kh")
    assert (state.current_player, state.turn) == (1, 31)


# The end.


def test_the_first_empty_hand_wins(position: Make) -> None:
    over = act(position(["8h", "9h 2c", "Kd"], "7-7 . . ."), "8h")
    assert (over.is_terminal, over.legal_actions(), over.returns()) == (True, (), (1.0, 0.0, 0.0))
    assert not over.is_stalled


def test_points_are_the_cards_that_others_have_left(position: Make) -> None:
    over = act(position(["8h", "9h 2c", "Kd"], "7-7 . . .", end="points"), "8h")
    assert over.returns() == (3.0, -2.0, -1.0)


def test_ranks_are_played_out_and_who_has_left_is_skipped(position: Make) -> None:
    state = position(["8h", "10h Qh 2c", "9h", "Jh 3c"], "7-7 . . .", end="ranks", sender="none")
    state = act(state, "8h")
    assert (state.finished, state.is_terminal, state.current_player, state.turn) == ((0,), False, 2, 32)
    assert state.returns() == (0.0, 0.0, 0.0, 0.0)
    state = act(state, "9h")  # seat 3 cannot play and seat 0 has left
    assert state.events == (event(state, "play", 2, "9h"), Event("pass", 3))
    assert (state.finished, state.current_player, state.turn) == ((0, 2), 1, 34)
    state = act(act(state, "10h"), "Jh")
    assert (state.current_player, state.turn, names(state)) == (1, 36, ["Qh"])


def test_ranks_end_when_one_player_is_left(position: Make) -> None:
    state = position(["8h", "9h", "Kd 2c"], "7-7 . . .", end="ranks")
    over = act(act(state, "8h"), "9h")
    assert (over.is_terminal, over.finished, over.returns()) == (True, (0, 1, 2), (1.0, 0.5, 0.0))


def test_the_sender_of_a_last_card_leaves_and_the_others_still_send(position: Make) -> None:
    hands = ["8h 2d", "Kc 9s", "2c 3c"]
    state = unable(position, hands, send_last="yes", end="ranks", sender="all")
    state = act(state, "2d")
    assert (state.finished, state.decision, state.current_player) == ((0,), "send", 2)


def test_the_cap_on_laps_makes_a_draw(position: Make) -> None:
    state = position(["8h 9h", "2c 3c", "4c 5c"], "7-7 . . .", turn=11, laps="4")
    over = act(state, "8h")
    assert (over.turn, over.is_terminal, over.is_stalled, over.returns()) == (12, True, True, (0.0, 0.0, 0.0))
    ranks = position(["8h", "2c 3c", "4c 5c"], "7-7 . . .", turn=11, laps="4", end="ranks")
    assert act(ranks, "8h").returns() == (1.0, 0.0, 0.0)


def test_a_win_in_the_last_turn_counts(position: Make) -> None:
    over = act(position(["8h", "2c 3c", "4c 5c"], "7-7 . . .", turn=11, laps="4"), "8h")
    assert (over.is_stalled, over.returns()) == (False, (1.0, 0.0, 0.0))


# What is seen.


def test_an_observation_holds_the_own_hand_and_what_is_public(position: Make) -> None:
    state = unable(position)
    seen = state.observation(1)
    assert (seen.hand, seen.sizes, seen.legal) == (state.hands[1], (2, 2, 2), ())
    assert state.observation(0).legal == state.legal_actions()


def test_a_sent_card_is_seen_by_two_only(position: Make) -> None:
    state = act(unable(position), "2d")
    shown = [state.observation(player).events[0] for player in range(3)]
    assert shown == [
        event(state, "send", 0, "2d", 1),
        event(state, "send", 0, "2d", 1),
        Event("send", 0, -1, 1),
    ]


# Counting.


def count(state: SevensState, depth: int) -> int:
    """The number of ways to go on for ``depth`` actions, or to the end."""
    if depth == 0 or state.is_terminal:
        return 1
    return sum(count(state.apply(card), depth - 1) for card in state.legal_actions())


def count_anew(hands: list[set[int]], player: int, depth: int) -> int:
    """The same under the default rules, written a second time from the sets of cards in the hands alone."""
    if depth == 0 or not all(hands):
        return 1
    held = set().union(*hands)
    inward = {card: card + (1 if card % 13 < 6 else -1) for card in hands[player] if card % 13 != 6}
    playable = [card for card in hands[player] if inward.get(card) not in held]
    if playable:
        ways = 0
        for card in playable:
            rest = [hand - {card} for hand in hands]
            ways += count_anew(rest, (player + 1) % len(hands), depth - 1)
        return ways
    following = (player + 1) % len(hands)
    for seat in [(player - k) % len(hands) for k in range(1, len(hands))]:
        if len(hands[seat]) >= 2:
            ways = 0
            for card in hands[seat]:
                sent = [hand - {card} for hand in hands]
                sent[player] = sent[player] | {card}
                ways += count_anew(sent, following, depth - 1)
            return ways
    return count_anew(hands, following, depth)


@pytest.mark.parametrize(
    ("players", "key", "depth"),
    [(2, 1, 6), pytest.param(3, 2, 9, marks=pytest.mark.release), (4, 3, 9), (7, 4, 9)],
)
def test_as_many_continuations_as_by_a_second_implementation(players: int, key: int, depth: int) -> None:
    state = deal(stream(key, "count").permutation(CARDS).tolist(), SevensRules(players=players))
    opened = state.apply(state.legal_actions()[0])
    following = (state.current_player + 1) % players
    assert count(opened, depth) == count_anew([set(hand) for hand in opened.hands], following, depth)


def test_as_many_endings_as_by_a_second_implementation(position: Make) -> None:
    state = position(["3h Jd Ks Kd", "Js 2h", "Ah Qs Qd"], "4-13 1-10 1-13 1-10")
    ways = [count(state, depth) for depth in range(1, 12)]
    assert ways == [count_anew([set(hand) for hand in state.hands], 0, depth) for depth in range(1, 12)]
    assert (ways[0], ways[-1]) == (2, 9)


def test_play_out_reaches_the_end() -> None:
    over = play_out(deal(DECK, SevensRules()), lambda state: state.legal_actions()[-1])
    assert over.is_terminal
    assert sum(over.returns()) == 1.0
