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


class Scratch(NamedTuple):
    """Scratch arrays of a game.

    Attributes:
        states: int64 (3, STATE_SIZE): the game, and two for a search.
        totals: float64 (52,): the scores of the candidates of a search.
    """

    states: NDArray[np.int64]
    totals: NDArray[np.float64]


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
AGENT_SIZE = 9

# Log: int64 (rows, LOG_SIZE): one row for each action
LOG_KIND, LOG_ACTOR, LOG_CARD, LOG_RECEIVER, LOG_PLAYED, LOG_HAND = 0, 1, 2, 3, 4, 5
LOG_SIZE = 6
PASS = 2  # as a kind, beside PLAY and SEND

CARD_BITS = 6
"""Bits of a card in the counters of random numbers; ``math.random()`` has (actions, occurrence << CARD_BITS | card)."""

WORLD_COUNTERS = 1 << 25
"""Counters from here on shuffle worlds, so that they never meet those of ``math.random()``."""
