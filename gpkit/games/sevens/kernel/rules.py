"""The compiled rules, from the deal to the scores, and the arrays that a game uses."""

from typing import NamedTuple

from gpkit.core.arrays import Floats, Ints
from gpkit.core.compiled import inlined
from gpkit.core.kernel.shared import ones


class GameScratch(NamedTuple):
    """Scratch arrays of a game.

    Attributes:
        states: int64 (4, STATE_SIZE): the game, and the world, playout and replay of a search.
        hands: int64 (2, MOST_PLAYERS): the deal, and the deal in a world of a search.
        totals: float64 (52,): the total score of each card in a search. If no player searches, ``totals`` is None, and
            no search is compiled.
        course: int64 (rows, COURSE_SIZE): the choices so far and the current moment; empty if nobody searches.
        sent: int64 (rows,): the cards that were sent unseen in a world of a search.
        swaps: int64 (MOST_SWAPS, 4): the swaps in the last step of the chain of worlds.
        nodes: int64 (nodes, NODE_SIZE): a tree of games that different first players play on the same deals against the
            same opponents; empty if no tree is used.
        used: int64 (1,): the number of nodes in use, of which the first ones are the roots, one for each game.
    """

    states: Ints
    hands: Ints
    totals: Floats | None
    course: Ints
    sent: Ints
    swaps: Ints
    nodes: Ints
    used: Ints


class Past(NamedTuple):
    """A game from the point of view of one player.

    Attributes:
        course: int64 (rows, COURSE_SIZE): the choices so far and the current moment; cards sent between two other
            players are not read.
        rows: the number of cards chosen so far; the next row of the course is the current moment.
        viewer: the seat of the player.
        unplaced: the mask of the cards in other hands whose holders the viewer does not know.
    """

    course: Ints
    rows: int
    viewer: int
    unplaced: int


# State: int64 (STATE_SIZE,)
(
    TURN,  # turns taken
    ACTIONS,  # cards played, cards sent and passes so far
    PLAYER,  # the player whose turn it is
    PHASE,  # PLAY, SEND or OVER
    ACTOR,  # the player who decides now
    LEGAL,  # mask of the cards that the actor may choose
    OPEN,  # mask of the cards that fit on the table
    PLAYED,  # mask of the cards on the table
    RECEIVED,  # mask of the cards received in this turn
    ASKED,  # number of seats already asked to send in this turn
    EXTRA,  # 1 during a further turn in which an unable player just stops
    FINISHED,  # number of players with empty hands
    STALLED,  # 1 if the lap limit ended the game
    HANDS,  # masks, one for each of up to 7 seats
) = range(14)
PLACES, LOW, HIGH, STATE_SIZE = 20, 27, 31, 35
"""Further places in a state: 1, 2, … in the order of finishing, and 0 while playing, one for each seat; and the
positions of the lowest and of the highest card of each suit on the table, −1 when unopened."""

PLAY, SEND, OVER = range(3)

# Node of a tree of games: int64 (NODE_SIZE,): the state before a choice of the first player, or the last one, and
(
    CHILD,  # the number of the last child node, -1 if there is none
    SIBLING,  # the child node for another choice, -1 if there is none
    CHOSEN,  # the card that leads here
    FAILED,  # 1 if a program of the others exceeded its steps on the way here, else 0; UNKNOWN of a root not played
) = range(STATE_SIZE, STATE_SIZE + 4)

NODE_SIZE, UNKNOWN = 40, -1

# Rules: int64 (RULES_SIZE,)
(
    PLAYERS,
    SEVEN,  # position of the seven within its suit: 6, or 5 with ace high
    START,  # suit of the seven that opens, or 4 for any
    GATES,
    SENDER,  # FROM_PREVIOUS, FROM_NEXT, FROM_ALL or FROM_NOBODY
    SEND_LAST,
    SEND_UNPLAYABLE_FIRST,
    SEND_FIRST_LAP,
    PLAY_RECEIVED,
    EXTRA_TURN,  # NO_EXTRA, MAY_EXTRA or MUST_EXTRA
    END,  # FIRST, RANKS or POINTS
    LAPS,
    RULES_SIZE,
) = range(13)

FROM_PREVIOUS, FROM_NEXT, FROM_ALL, FROM_NOBODY = range(4)
NO_EXTRA, MAY_EXTRA, MUST_EXTRA = range(3)
FIRST, RANKS, POINTS = range(3)

MOST_PLAYERS = 7

SUIT_SIZE, SUITS, CARDS = 13, 4, 52
SUIT_MASK = (1 << SUIT_SIZE) - 1

# Agents: int64 (agents, AGENT_SIZE); program p of an agent (0 play, 1 send) has the columns p * PROGRAM_SIZE + …
(
    ENTRY,  # first row in the code
    RESULT,  # slot of the value
    RANDOMS,  # number of values of math.random() that it reads
    USED,  # mask of the sensors it reads
    PROGRAM_SIZE,
) = range(5)
WORLDS, DOUBT, AGENT_SIZE = range(2 * PROGRAM_SIZE, 2 * PROGRAM_SIZE + 3)
"""The columns after the programs: the worlds sampled by a search that plays the programs out, 0 for a plain program;
and the percentage of the others' choices that a search assumes to be random, or CERTAIN or BLIND."""

CERTAIN, BLIND = 100, 101
"""Special values of the doubt: a ``CERTAIN`` search draws only certain inferences, and a ``BLIND`` search draws
none."""

# The course of a game: int64 (rows, COURSE_SIZE), one row for each card chosen, and one for the moment now: the
# columns from TURN to ACTOR of a state, and the card
COURSE_CARD, COURSE_SIZE = range(ACTOR + 1, ACTOR + 3)

# Log: int64 (rows, LOG_SIZE): one row for each action
LOG_KIND, LOG_ACTOR, LOG_CARD, LOG_RECEIVER, LOG_PLAYED, LOG_HAND, LOG_SIZE = range(7)
PASS = 2  # as a kind, beside PLAY and SEND

CARD_BITS = 6
"""The number of bits for a card in the counters of random numbers; ``math.random()`` uses (actions, occurrence <<
CARD_BITS | card)."""

SEARCH_KEY = 1 << 25
"""The counter for the key of a search, which exceeds the counters of ``math.random()``."""

# The random numbers of a search have (step of the chain, a small number), or else instead of that number:
FIRST_WORLD = 1 << 25  # the unseen sends in the first world; from FIRST_WORLD + 2 on, the dealt cards
POLICY_KEY = FIRST_WORLD + 100  # the key for the assumed programs of the others
PLAYOUT_KEY = FIRST_WORLD + 101  # the key for the programs that play out a world

MOST_SWAPS = 6
"""The maximum number of pairs of cards that one step of the chain swaps."""

SEEKING = 4_000
"""The maximum number of steps in which the chain looks for a world that agrees with the observations."""

WARMING, THINNING = 100, 8
"""The number of steps of the chain before the first world, and before each later world."""


@inlined
def deal(hands, deck, rules):  # type: ignore[no-untyped-def]
    """Deal a deck.

    Args:
        hands: int64 (MOST_PLAYERS,), output: a mask for each seat.
        deck: int64 (52,): the numbers of the cards in the order of dealing, one at a time, starting with seat 0.
        rules: int64 (RULES_SIZE,).
    """
    hands[:] = 0
    for k in range(CARDS):
        hands[k % rules[PLAYERS]] |= 1 << deck[k]


@inlined
def begin(state, hands, rules):  # type: ignore[no-untyped-def]
    """Begin a game at the first decision, which is the opening seven.

    Args:
        state: int64 (STATE_SIZE,), overwritten.
        hands: int64 (MOST_PLAYERS,): a mask for each seat; together, they contain all cards.
        rules: int64 (RULES_SIZE,).
    """
    state[:] = 0
    sevens = 0
    for suit in range(SUITS):
        state[LOW + suit] = -1
        state[HIGH + suit] = -1
        sevens |= 1 << (SUIT_SIZE * suit + rules[SEVEN])
    for seat in range(rules[PLAYERS]):
        state[HANDS + seat] = hands[seat]
    state[OPEN] = sevens
    if rules[START] < SUITS:
        sevens = 1 << (SUIT_SIZE * rules[START] + rules[SEVEN])
    while not state[HANDS + state[PLAYER]] & sevens:
        state[PLAYER] += 1
    state[ACTOR] = state[PLAYER]
    state[LEGAL] = state[HANDS + state[PLAYER]] & sevens


@inlined
def apply(state, card, rules, log):  # type: ignore[no-untyped-def]
    """Play or send a legal card, and advance to the next decision or to the end of the game.

    Args:
        state: int64 (STATE_SIZE,), modified in place.
        card: the number of the chosen card, which is in the mask ``state[LEGAL]``.
        rules: int64 (RULES_SIZE,).
        log: int64 (rows, LOG_SIZE): the record of all actions; without rows, nothing is recorded.
    """
    actor = state[ACTOR]
    player = state[PLAYER]
    state[HANDS + actor] &= ~(1 << card)
    if state[PHASE] == PLAY:
        _lay(state, card, rules)
        _record(state, log, PLAY, actor, card, -1)
        if not _finish_if_empty(state, actor, rules):
            position = card % SUIT_SIZE
            if rules[EXTRA_TURN] != NO_EXTRA and (position == 0 or position == SUIT_SIZE - 1):
                state[EXTRA] = 1 if rules[EXTRA_TURN] == MAY_EXTRA else 0
                state[RECEIVED] = 0
                state[ASKED] = 0
                _seek_decision(state, rules, log)
                return
    else:
        state[HANDS + player] |= 1 << card
        state[RECEIVED] |= 1 << card
        _record(state, log, SEND, actor, card, player)
        _finish_if_empty(state, actor, rules)
        if state[PHASE] != OVER and (
            (rules[SENDER] == FROM_ALL and _seek_sender(state, rules)) or _seek_received(state, rules)
        ):
            return
    if state[PHASE] != OVER:
        _pass_turn(state, rules)
        _seek_decision(state, rules, log)


@inlined
def _lay(state, card, rules):  # type: ignore[no-untyped-def]
    """Put a card on the table, and mark the cards that it makes playable."""
    suit = card // SUIT_SIZE
    position = card % SUIT_SIZE
    seven = rules[SEVEN]
    gates = rules[GATES] != 0
    opened = 0
    if position >= seven and position < SUIT_SIZE - 1 and not (gates and position == seven):
        opened |= 1 << (card + 1)
    if position <= seven and position > 0 and not (gates and position == seven - 1):
        opened |= 1 << (card - 1)
    if gates and position == seven - 1:  # the six lets the eight in
        opened |= 1 << (card + 2)
    if gates and position == seven + 1:  # the eight lets the five in
        opened |= 1 << (card - 3)
    state[OPEN] = (state[OPEN] & ~(1 << card)) | opened
    state[PLAYED] |= 1 << card
    if state[LOW + suit] < 0 or position < state[LOW + suit]:
        state[LOW + suit] = position
    if position > state[HIGH + suit]:
        state[HIGH + suit] = position


@inlined
def _finish_if_empty(state, seat, rules):  # type: ignore[no-untyped-def]
    """Record the place of a seat with an empty hand, and end the game if that decides it; True if the hand is empty."""
    if state[HANDS + seat] != 0:
        return False
    state[FINISHED] += 1
    state[PLACES + seat] = state[FINISHED]
    if rules[END] != RANKS or state[FINISHED] == rules[PLAYERS] - 1:
        state[PHASE] = OVER
        if rules[END] == RANKS:
            for other in range(rules[PLAYERS]):
                if state[PLACES + other] == 0:
                    state[PLACES + other] = rules[PLAYERS]
    return True


@inlined
def _pass_turn(state, rules):  # type: ignore[no-untyped-def]
    """Pass the turn to the next seat that is still in the game, or end the game at the lap limit."""
    players = rules[PLAYERS]
    state[TURN] += 1
    state[PLAYER] = (state[PLAYER] + 1) % players
    while state[PLACES + state[PLAYER]] != 0:
        state[PLAYER] = (state[PLAYER] + 1) % players
    state[RECEIVED] = 0
    state[ASKED] = 0
    state[EXTRA] = 0
    if state[TURN] >= rules[LAPS] * players:
        state[STALLED] = 1
        state[PHASE] = OVER


@inlined
def _seek_decision(state, rules, log):  # type: ignore[no-untyped-def]
    """Advance from the beginning of a turn until a player has to decide or the game is over."""
    while state[PHASE] != OVER:
        player = state[PLAYER]
        legal = state[HANDS + player] & state[OPEN]
        if legal != 0:
            state[PHASE] = PLAY
            state[ACTOR] = player
            state[LEGAL] = legal
            return
        if state[EXTRA] == 0:
            may_send = rules[SEND_FIRST_LAP] != 0 or state[TURN] >= rules[PLAYERS]
            if rules[SENDER] != FROM_NOBODY and may_send and _seek_sender(state, rules):
                return
            _record(state, log, PASS, player, -1, -1)
        _pass_turn(state, rules)


@inlined
def _seek_sender(state, rules):  # type: ignore[no-untyped-def]
    """Find the next seat that must send a card in this turn; returns True if there is one."""
    players = rules[PLAYERS]
    step = 1 if rules[SENDER] == FROM_NEXT else players - 1
    least = 1 if rules[SEND_LAST] != 0 else 2
    while state[ASKED] < players - 1:
        state[ASKED] += 1
        seat = (state[PLAYER] + step * state[ASKED]) % players
        hand = state[HANDS + seat]
        if state[PLACES + seat] == 0 and ones(hand) >= least:
            unplayable = hand & ~state[OPEN]
            state[PHASE] = SEND
            state[ACTOR] = seat
            state[LEGAL] = unplayable if rules[SEND_UNPLAYABLE_FIRST] != 0 and unplayable != 0 else hand
            return True
    return False


@inlined
def _seek_received(state, rules):  # type: ignore[no-untyped-def]
    """Let the player play the card that was just received; returns True if the rules and the table allow it."""
    legal = state[RECEIVED] & state[OPEN]
    if rules[PLAY_RECEIVED] == 0 or legal == 0:
        return False
    state[PHASE] = PLAY
    state[ACTOR] = state[PLAYER]
    state[LEGAL] = legal
    return True


@inlined
def _record(state, log, kind, actor, card, receiver):  # type: ignore[no-untyped-def]
    """Count an action, and record it in the log if there is room."""
    place = state[ACTIONS]
    state[ACTIONS] += 1
    if place < log.shape[0]:
        log[place, LOG_KIND] = kind
        log[place, LOG_ACTOR] = actor
        log[place, LOG_CARD] = card
        log[place, LOG_RECEIVER] = receiver
        log[place, LOG_PLAYED] = state[PLAYED]
        log[place, LOG_HAND] = state[HANDS + actor]


@inlined
def score(state, seat, rules):  # type: ignore[no-untyped-def]
    """The score of a seat at the end: 1 for a win and 0 otherwise, a share by place, or points."""
    players = rules[PLAYERS]
    place = state[PLACES + seat]
    if rules[END] == FIRST:
        return 1.0 if place == 1 else 0.0
    if rules[END] == RANKS:
        return (players - place) / (players - 1) if place > 0 else 0.0
    if state[STALLED] != 0:
        return 0.0
    if place == 1:
        left = 0
        for other in range(players):
            left += ones(state[HANDS + other])
        return float(left)
    return -float(ones(state[HANDS + seat]))
