"""The layout of the kernels' flat arrays."""

from gpkit.vm.isa import HOST

# rules: int64 (LENGTHS + ships,)
DUEL, WIDTH, HEIGHT, TOUCH, NAMED, TOLD, AGAIN, FOUND, CAP, SHIPS_COUNT, LENGTHS = range(11)
"""Places in ``rules``. ``NAMED``: announcements name the ship that sank. ``TOLD``: announcements report that a ship
sank. ``FOUND``: the first target is a hit."""

# keys: int64 (2, KEYS), those of each seat
FLEET_KEY, FLEET_EXTRA, SHOT_KEY, KEYS = range(4)

# counters: int64 (2, COUNTERS), those of each seat
TURNS, HITS, TO_HIT, OPEN_HITS, NEXT, SHUFFLED, DRAWS, USED, STATUS, PC, HIT_TURNS = range(11)
ANSWER, ANSWERED, COUNTERS = 11, 12, 13
"""``HIT_TURNS``: the sum of the turns with a hit. ``ANSWER``: the last target, chosen after ``ANSWERED`` − 1 turns."""

# scores: float64 (deals, rotations, SCORES)
SCORE, LATENESS, SCORES = range(3)

PLAYING, CLEARED, STALLED, INVALID = range(4)
"""The status of a player: still playing, opponent's board cleared, limit on turns reached, or out of steps."""

# boards: int16 (2, BOARDS, squares), what each seat shoots at
SHIP, KNOWN, ORDER, LEFT, BOARDS = range(5)
"""Rows of a board: the ship on each square or −1, the shooter's knowledge of each square, the order of targets, and
each ship's remaining squares."""

UNSHOT, MISS, OPEN, SUNKEN = range(4)
"""The shooter's knowledge of a square; a hit is open until it is known to belong to a sunk ship."""

# memory: float64 (series, seatings, 2, WEIGHTS + 2 · ships, squares), by agent what it remembers of the other's fleets
TIMES_SHIP, TIMES_KNOWN, WEIGHTS = range(3)
"""Rows of a memory, by square: the number of games in which a ship was found there, and the number of games in which
the square became known. The rows from ``WEIGHTS`` on (two for each ship, horizontal before vertical) contain the
weights of the placements that begin at each square."""

NO_SHIP = -1

WHOLE_FLEET, SHIP_ALONE = range(2)
"""The part of a fleet that is drawn again if a ship does not fit."""

NO_FLEET = -1
"""The value to return instead of the number of log rows if no fleet fits on the board."""

# log: int64 (rows, LOG_SIZE): one row for each instruction carried out
LOG_SEAT, LOG_PC, LOG_SQUARE, LOG_REGISTERS, LOG_SIZE = 0, 1, 2, 3, 10
"""The columns of the log: the seat, the row of the code, the square of a shot that cost a turn (or -1), and the
registers after the instruction."""

NORTH, EAST, SOUTH, WEST = range(4)
ANY_DIRECTION, VERTICAL, HORIZONTAL = 0b1111, 0b0101, 0b1010

PITCH_BITS = 24
PITCH = 1 << PITCH_BITS
"""The factor of y in the number of a position, y · PITCH + x."""

(
    TARGET,
    SHOOT,
    MOVE_FORWARD,
    RANDOM_DIRECTION,
    VERTICAL_DIRECTION,
    HORIZONTAL_DIRECTION,
    OPPOSITE_DIRECTION,
    IF_EDGE,
    IF_KNOWN,
) = range(HOST, HOST + 9)

TARGET_POS, TEMP_POS, TARGET_DIR, TARGET_HIT, TEMP_HIT, SUNK, COUNT, REGISTERS = range(8)

LEAVE, CLAMP, TORUS = range(3)
FREE, BLIND, TURN = range(3)
OFF_FREE, OFF_TURN = range(2)
UNSHOT_DIRECTIONS, UNUSED_DIRECTIONS, ANY_DIRECTIONS, UNSHOT_OR_ALL_DIRECTIONS = range(4)
CHECKERBOARD, UNIFORM, FILTER, RASTER, DIAGONAL, HUNT, DENSITY = range(7)

MISSED, HIT_A_SHIP, SANK_A_SHIP = range(3)
"""The announced results of a shot at an unshot square; not all rules announce that a ship sank."""

# formulas: int64 (2, FACTS), those of each agent
FIRST_ROW, LAST_ROW, RESULT, RANDOMS, USED_SENSORS, FACTS = range(6)
"""The columns of ``facts``: the first row of the formula's code (−1 without a formula), the end of its code, the slot
of its value, the number of random numbers, and the mask of the sensors that the formula reads."""

(
    COVER, COVER1, COVER2, COVER3, PARITY, BESIDE, LINE, NEAR, EDGE, BLOCKED,
    SENSED_OPEN, LONGEST, SHORTEST, AFLOAT, SENSED_LEFT, SENSED_TURNS, CHANCE, SINKS, FOLLOW, FLEETS, SENSORS,
) = range(21)  # fmt: skip
"""The slots of the sensors, in the order of ``primitives.SENSORS``; the prefix ``SENSED_`` avoids clashes with other
names."""

KINDS_OF_COVER = 4
"""The numbers of open hits by which placements are counted: 0, 1, 2, and 3 or more."""

ROUNDS = 6
"""The number of rounds of belief propagation."""

FIRST_FACTOR = 16.0
"""The factor of open hits in the first round of belief propagation."""

LARGEST_FACTOR = 10_000.0
"""The largest factor in belief propagation; the smallest factor is its inverse. A product of 64 factors, for the
longest possible ship, does not overflow a double."""

SMALLEST_REST = 1e-9
"""The lower bound on the share of a ship's weight outside a square, which keeps odds finite."""

SQUARE_BITS = 12
"""The number of bits that contain the square in the counters of random numbers."""

ORDER_NUMBERS = 1
"""Numbers below this one, shifted by ``SQUARE_BITS``, are reserved as counters for orders, fleets and directions."""

BUDGET = 1000
"""The maximum number of steps that a program may take for each shot."""

LARGEST_EXPONENT = 10
"""The maximum number of open hits that increase the weight of a placement; with more hits, weights would be inexact."""

ATTEMPTS = 100_000
"""The number of fleets to draw before moving ships one by one instead."""

TRIES = 10_000
"""The maximum number of draws for moving one ship."""

RESTARTS = 20
"""The maximum number of restarts from the first ship if a ship does not fit."""

SWEEPS = 20
"""The number of sweeps of the Markov chain; each sweep moves every ship once."""

SHIP_BITS = 7
"""The number of low bits in a draw's counter that contain the ship's number."""
