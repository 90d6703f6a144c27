"""Memory layout of the compiled game's arrays: the state, the rules, the table of agents."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Linked(NamedTuple):
    """Agents with their programs.

    Attributes:
        agents: int64 (players, AGENT_SIZE).
        code: uint32 (rows, 5): the linked programs.
        memory: float64 (2 · players, slots): of the play and the send program of each agent; changed.
    """

    agents: NDArray[np.int64]
    code: NDArray[np.uint32]
    memory: NDArray[np.float64]


class GameScratch(NamedTuple):
    """Scratch arrays of a game.

    Attributes:
        states: int64 (4, STATE_SIZE): the game, and three for a search: its world, a playout, a replay.
        hands: int64 (2, MOST_PLAYERS): the deal, and that of the world of a search.
        totals: float64 (52,): the scores of the candidates of a search.
        course: int64 (rows, COURSE_SIZE): the choices so far and the moment now; no rows where nobody searches.
        sent: int64 (rows,): the cards that were sent unseen in the world of a search.
        swaps: int64 (MOST_SWAPS, 4): the last step of the chain of worlds.
        nodes: int64 (nodes, NODE_SIZE): a tree of the games that many first players play, each in turn, on the same
            deals against the same others; no rows where it is not kept.
        used: int64 (1,): how many nodes there are; the first ones are the roots, one for each game.
    """

    states: NDArray[np.int64]
    hands: NDArray[np.int64]
    totals: NDArray[np.float64]
    course: NDArray[np.int64]
    sent: NDArray[np.int64]
    swaps: NDArray[np.int64]
    nodes: NDArray[np.int64]
    used: NDArray[np.int64]


class Past(NamedTuple):
    """Record of a game as one player has seen it.

    Attributes:
        course: int64 (rows, COURSE_SIZE), see below; of cards that others sent each other nothing is looked at.
        rows: how many cards have been chosen; the row after them is that of the moment now.
        viewer: whose record it is.
        unplaced: mask of the cards in the hands of others that the viewer cannot place.
    """

    course: NDArray[np.int64]
    rows: int
    viewer: int
    unplaced: int


class World(NamedTuple):
    """A deal, int64 (MOST_PLAYERS,) with a mask for each seat, and the cards sent unseen, int64, in order."""

    dealt: NDArray[np.int64]
    sent: NDArray[np.int64]


class Mind(NamedTuple):
    """Search with what it plays worlds out by.

    Attributes:
        rules: int64 (RULES_SIZE,).
        agent: int64 (AGENT_SIZE,).
        code: uint32 (rows, 5), the linked programs.
        memory: float64 (2, slots): of the agent's play and send program; changed.
        log: int64 (0, LOG_SIZE): nothing is recorded.
    """

    rules: NDArray[np.int64]
    agent: NDArray[np.int64]
    code: NDArray[np.uint32]
    memory: NDArray[np.float64]
    log: NDArray[np.int64]


# State: int64 (STATE_SIZE,)
TURN = 0  # turns taken
ACTIONS = 1  # cards played, cards sent and passes so far
PLAYER = 2  # whose turn it is
PHASE = 3  # PLAY, SEND or OVER
ACTOR = 4  # who decides now
LEGAL = 5  # mask of the cards it may choose
OPEN = 6  # mask of the cards that fit on the table
PLAYED = 7  # mask of the cards on the table
RECEIVED = 8  # mask of the cards received in this turn
ASKED = 9  # how many seats have been asked to send in this turn
EXTRA = 10  # 1 during a further turn in which an unable player just stops
FINISHED = 11  # how many players have emptied their hands
STALLED = 12  # 1 when the cap on laps ended the game
HANDS = 13  # masks, one for each of up to 7 seats
PLACES = 20  # 1, 2, … in the order of finishing, 0 while playing; one for each seat
LOW = 27  # position of the lowest card of each suit on the table, −1 when unopened
HIGH = 31  # position of the highest card of each suit on the table, −1 when unopened
STATE_SIZE = 35

PLAY, SEND, OVER = 0, 1, 2

# Node of a tree of games: int64 (NODE_SIZE,): the state before a choice of the first player, or the last one, and
CHILD = 35  # the last of the nodes that follow, by its number, -1 where there is none
SIBLING = 36  # the node that follows upon another choice, -1 where there is none
CHOSEN = 37  # the card that leads here
FAILED = 38  # 1 if a program of the others exceeded its steps on the way here, else 0; UNKNOWN of a root not played
NODE_SIZE = 40

UNKNOWN = -1

# Rules: int64 (RULES_SIZE,)
PLAYERS = 0
SEVEN = 1  # position of the seven within its suit: 6, or 5 with ace high
START = 2  # suit of the seven that opens, or 4 for any
GATES = 3
SENDER = 4  # FROM_PREVIOUS, FROM_NEXT, FROM_ALL or FROM_NOBODY
SEND_LAST = 5
SEND_UNPLAYABLE_FIRST = 6
SEND_FIRST_LAP = 7
PLAY_RECEIVED = 8
EXTRA_TURN = 9  # NO_EXTRA, MAY_EXTRA or MUST_EXTRA
END = 10  # FIRST, RANKS or POINTS
LAPS = 11
RULES_SIZE = 12

FROM_PREVIOUS, FROM_NEXT, FROM_ALL, FROM_NOBODY = 0, 1, 2, 3
NO_EXTRA, MAY_EXTRA, MUST_EXTRA = 0, 1, 2
FIRST, RANKS, POINTS = 0, 1, 2

MOST_PLAYERS = 7

SUIT_SIZE = 13
SUIT_MASK = (1 << SUIT_SIZE) - 1
SUITS = 4
CARDS = 52

# Agents: int64 (agents, AGENT_SIZE); program p of an agent (0 play, 1 send) has the columns p * PROGRAM_SIZE + …
ENTRY = 0  # first row in the code
RESULT = 1  # slot of the value
RANDOMS = 2  # how many numbers of math.random() it wants
USED = 3  # mask of the sensors it reads
PROGRAM_SIZE = 4
WORLDS = 8  # worlds sampled by a search that plays the programs out, 0 for a plain program
DOUBT = 9  # percent of the others' choices that a search takes for random; BLIND is one that infers nothing
AGENT_SIZE = 10

CERTAIN, BLIND = 100, 101
"""Doubts: what is certain is inferred alone, or not even that."""

# The course of a game: int64 (rows, COURSE_SIZE), one row for each card chosen, and one for the moment now
COURSE_CARD, COURSE_PHASE, COURSE_ACTOR, COURSE_PLAYER, COURSE_TURN, COURSE_ACTIONS = 0, 1, 2, 3, 4, 5
COURSE_SIZE = 6

# Log: int64 (rows, LOG_SIZE): one row for each action
LOG_KIND, LOG_ACTOR, LOG_CARD, LOG_RECEIVER, LOG_PLAYED, LOG_HAND = 0, 1, 2, 3, 4, 5
LOG_SIZE = 6
PASS = 2  # as a kind, beside PLAY and SEND

CARD_BITS = 6
"""Bits of a card in the counters of random numbers; ``math.random()`` has (actions, occurrence << CARD_BITS | card)."""

SEARCH_KEY = 1 << 25
"""Instead of a counter, for the key of a search; counters of ``math.random()`` are smaller."""

# The random numbers of a search have (step of the chain, a small number), or else instead of that number:
FIRST_WORLD = 1 << 25  # the cards that others sent unseen in the first world; from two on dealt cards
POLICY_KEY = FIRST_WORLD + 100  # the key for the others' programs, as they are taken to have chosen
PLAYOUT_KEY = FIRST_WORLD + 101  # the key for the programs that play a world out

MOST_SWAPS = 6
"""The most pairs of cards that are exchanged in a step of the chain."""

SEEKING = 4_000
"""The most steps of the chain until it has come to a world that agrees with what was seen."""

WARMING, THINNING = 100, 8
"""Steps of the chain before the first world, and before each world."""
