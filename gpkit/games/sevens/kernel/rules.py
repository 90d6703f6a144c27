"""The rules compiled: from the deal to the scores, one decision at a time."""

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import ones
from gpkit.games.sevens.kernel import layout as at


@inlined
def deal(hands, deck, rules):  # type: ignore[no-untyped-def]
    """Deal a deck.

    Args:
        hands: int64 (MOST_PLAYERS,), written: a mask for each seat.
        deck: int64 (52,): card ids in the order of dealing, one at a time, from seat 0 on.
        rules: int64 (RULES_SIZE,).
    """
    hands[:] = 0
    for k in range(at.CARDS):
        hands[k % rules[at.PLAYERS]] |= 1 << deck[k]


@inlined
def begin(state, hands, rules):  # type: ignore[no-untyped-def]
    """Go to the first decision, the opening seven.

    Args:
        state: int64 (STATE_SIZE,), overwritten.
        hands: int64 (MOST_PLAYERS,): a mask for each seat, together all cards.
        rules: int64 (RULES_SIZE,).
    """
    state[:] = 0
    sevens = 0
    for suit in range(at.SUITS):
        state[at.LOW + suit] = -1
        state[at.HIGH + suit] = -1
        sevens |= 1 << (at.SUIT_SIZE * suit + rules[at.SEVEN])
    for seat in range(rules[at.PLAYERS]):
        state[at.HANDS + seat] = hands[seat]
    state[at.OPEN] = sevens
    if rules[at.START] < at.SUITS:
        sevens = 1 << (at.SUIT_SIZE * rules[at.START] + rules[at.SEVEN])
    while not state[at.HANDS + state[at.PLAYER]] & sevens:
        state[at.PLAYER] += 1
    state[at.ACTOR] = state[at.PLAYER]
    state[at.LEGAL] = state[at.HANDS + state[at.PLAYER]] & sevens


@inlined
def apply(state, card, rules, log):  # type: ignore[no-untyped-def]
    """Carry out a legal decision and go on to the next one, or to the end.

    Args:
        state: int64 (STATE_SIZE,), changed in place.
        card: the id of the chosen card, one of the mask ``state[LEGAL]``.
        rules: int64 (RULES_SIZE,).
        log: int64 (rows, LOG_SIZE) to record every action in, or with no rows to record nothing.
    """
    actor = state[at.ACTOR]
    player = state[at.PLAYER]
    state[at.HANDS + actor] &= ~(1 << card)
    if state[at.PHASE] == at.PLAY:
        _lay(state, card, rules)
        _record(state, log, at.PLAY, actor, card, -1)
        if not _finish_if_empty(state, actor, rules):
            position = card % at.SUIT_SIZE
            if rules[at.EXTRA_TURN] != at.NO_EXTRA and (position == 0 or position == at.SUIT_SIZE - 1):
                state[at.EXTRA] = 1 if rules[at.EXTRA_TURN] == at.MAY_EXTRA else 0
                state[at.RECEIVED] = 0
                state[at.ASKED] = 0
                _seek_decision(state, rules, log)
                return
    else:
        state[at.HANDS + player] |= 1 << card
        state[at.RECEIVED] |= 1 << card
        _record(state, log, at.SEND, actor, card, player)
        _finish_if_empty(state, actor, rules)
        if state[at.PHASE] != at.OVER and (
            (rules[at.SENDER] == at.FROM_ALL and _seek_sender(state, rules)) or _seek_received(state, rules)
        ):
            return
    if state[at.PHASE] != at.OVER:
        _pass_turn(state, rules)
        _seek_decision(state, rules, log)


@inlined
def _lay(state, card, rules):  # type: ignore[no-untyped-def]
    """Put a card on the table and open the places next to it."""
    suit = card // at.SUIT_SIZE
    position = card % at.SUIT_SIZE
    seven = rules[at.SEVEN]
    gates = rules[at.GATES] != 0
    opened = 0
    if position >= seven and position < at.SUIT_SIZE - 1 and not (gates and position == seven):
        opened |= 1 << (card + 1)
    if position <= seven and position > 0 and not (gates and position == seven - 1):
        opened |= 1 << (card - 1)
    if gates and position == seven - 1:  # the six lets the eight in
        opened |= 1 << (card + 2)
    if gates and position == seven + 1:  # the eight lets the five in
        opened |= 1 << (card - 3)
    state[at.OPEN] = (state[at.OPEN] & ~(1 << card)) | opened
    state[at.PLAYED] |= 1 << card
    if state[at.LOW + suit] < 0 or position < state[at.LOW + suit]:
        state[at.LOW + suit] = position
    if position > state[at.HIGH + suit]:
        state[at.HIGH + suit] = position


@inlined
def _finish_if_empty(state, seat, rules):  # type: ignore[no-untyped-def]
    """Give the seat its place if its hand is empty, end the game if that decides it; True if the hand is empty."""
    if state[at.HANDS + seat] != 0:
        return False
    state[at.FINISHED] += 1
    state[at.PLACES + seat] = state[at.FINISHED]
    if rules[at.END] != at.RANKS or state[at.FINISHED] == rules[at.PLAYERS] - 1:
        state[at.PHASE] = at.OVER
        if rules[at.END] == at.RANKS:
            for other in range(rules[at.PLAYERS]):
                if state[at.PLACES + other] == 0:
                    state[at.PLACES + other] = rules[at.PLAYERS]
    return True


@inlined
def _pass_turn(state, rules):  # type: ignore[no-untyped-def]
    """Hand the turn to the next seat that still plays; the cap on laps may end the game."""
    players = rules[at.PLAYERS]
    state[at.TURN] += 1
    state[at.PLAYER] = (state[at.PLAYER] + 1) % players
    while state[at.PLACES + state[at.PLAYER]] != 0:
        state[at.PLAYER] = (state[at.PLAYER] + 1) % players
    state[at.RECEIVED] = 0
    state[at.ASKED] = 0
    state[at.EXTRA] = 0
    if state[at.TURN] >= rules[at.LAPS] * players:
        state[at.STALLED] = 1
        state[at.PHASE] = at.OVER


@inlined
def _seek_decision(state, rules, log):  # type: ignore[no-untyped-def]
    """From the beginning of a turn, go on until somebody has to decide or the game is over."""
    while state[at.PHASE] != at.OVER:
        player = state[at.PLAYER]
        legal = state[at.HANDS + player] & state[at.OPEN]
        if legal != 0:
            state[at.PHASE] = at.PLAY
            state[at.ACTOR] = player
            state[at.LEGAL] = legal
            return
        if state[at.EXTRA] == 0:
            may_send = rules[at.SEND_FIRST_LAP] != 0 or state[at.TURN] >= rules[at.PLAYERS]
            if rules[at.SENDER] != at.FROM_NOBODY and may_send and _seek_sender(state, rules):
                return
            _record(state, log, at.PASS, player, -1, -1)
        _pass_turn(state, rules)


@inlined
def _seek_sender(state, rules):  # type: ignore[no-untyped-def]
    """Ask the seats in turn, from where this turn's asking stopped, for one that must send; True if there is one."""
    players = rules[at.PLAYERS]
    step = 1 if rules[at.SENDER] == at.FROM_NEXT else players - 1
    least = 1 if rules[at.SEND_LAST] != 0 else 2
    while state[at.ASKED] < players - 1:
        state[at.ASKED] += 1
        seat = (state[at.PLAYER] + step * state[at.ASKED]) % players
        hand = state[at.HANDS + seat]
        if state[at.PLACES + seat] == 0 and ones(hand) >= least:
            unplayable = hand & ~state[at.OPEN]
            state[at.PHASE] = at.SEND
            state[at.ACTOR] = seat
            state[at.LEGAL] = unplayable if rules[at.SEND_UNPLAYABLE_FIRST] != 0 and unplayable != 0 else hand
            return True
    return False


@inlined
def _seek_received(state, rules):  # type: ignore[no-untyped-def]
    """Offer the player a card just received to play, if the rules and the table allow it; True if so."""
    legal = state[at.RECEIVED] & state[at.OPEN]
    if rules[at.PLAY_RECEIVED] == 0 or legal == 0:
        return False
    state[at.PHASE] = at.PLAY
    state[at.ACTOR] = state[at.PLAYER]
    state[at.LEGAL] = legal
    return True


@inlined
def _record(state, log, kind, actor, card, receiver):  # type: ignore[no-untyped-def]
    """Count an action, and write it down if there is a log with room."""
    place = state[at.ACTIONS]
    state[at.ACTIONS] += 1
    if place < log.shape[0]:
        log[place, at.LOG_KIND] = kind
        log[place, at.LOG_ACTOR] = actor
        log[place, at.LOG_CARD] = card
        log[place, at.LOG_RECEIVER] = receiver
        log[place, at.LOG_PLAYED] = state[at.PLAYED]
        log[place, at.LOG_HAND] = state[at.HANDS + actor]


@inlined
def score(state, seat, rules):  # type: ignore[no-untyped-def]
    """Score of a seat when the game is over: 1 or 0 for a win, a share by place, or points."""
    players = rules[at.PLAYERS]
    place = state[at.PLACES + seat]
    if rules[at.END] == at.FIRST:
        return 1.0 if place == 1 else 0.0
    if rules[at.END] == at.RANKS:
        return (players - place) / (players - 1) if place > 0 else 0.0
    if state[at.STALLED] != 0:
        return 0.0
    if place == 1:
        left = 0
        for other in range(players):
            left += ones(state[at.HANDS + other])
        return float(left)
    return -float(ones(state[at.HANDS + seat]))
