"""Memory layout of the kernels' flat arrays."""

from gpkit.vm.isa import HOST

# rules: int64 (LENGTHS + ships,)
DUEL, WIDTH, HEIGHT, TOUCH, NAMED, TOLD, AGAIN, FOUND, CAP, SHIPS_COUNT, LENGTHS = range(11)
"""In ``rules``; ``NAMED``: which ship sank is announced; ``TOLD``: that one sank; ``FOUND``: the first target hits."""

# keys: int64 (2, KEYS), those of each seat
FLEET_KEY, FLEET_EXTRA, SHOT_KEY, KEYS = range(4)

# counters: int64 (2, COUNTERS), those of each seat
TURNS, HITS, TO_HIT, OPEN_HITS, NEXT, SHUFFLED, DRAWS, USED, STATUS, PC, HIT_TURNS = range(11)
ANSWER, ANSWERED, COUNTERS = 11, 12, 13
"""``HIT_TURNS``: the sum of the turns that hit; ``ANSWER``: the last target, of the turn before ``ANSWERED``."""

# scores: float64 (deals, rotations, SCORES)
SCORE, LATENESS, SCORES = range(3)

PLAYING, CLEARED, STALLED, INVALID = range(4)
"""The status of a player: cleared the other's board, reached the cap on turns, or ran out of steps."""

# boards: int16 (2, BOARDS, squares), what each seat shoots at
SHIP, KNOWN, ORDER, LEFT, BOARDS = range(5)
"""The ship on each square or -1, what is known of it, the order of targets, and by ship the squares not hit."""

UNSHOT, MISS, OPEN, SUNKEN = range(4)
"""Knowledge of a square: a hit is open until it is known to belong to a ship that sank."""

# memory: float64 (series, seatings, 2, WEIGHTS + 2 · ships, squares), by agent what it remembers of the other's fleets
TIMES_SHIP, TIMES_KNOWN, WEIGHTS = range(3)
"""By square: the games in which a ship was found there, those in which it was told whether one is there, and from
``WEIGHTS`` by ship, horizontal before vertical, the weight of the placement that begins there."""

NO_SHIP = -1

WHOLE_FLEET, SHIP_ALONE = range(2)
"""Redrawn parts of a fleet in which a ship cannot lie where it was drawn."""

NO_FLEET = -1
"""Instead of rows of the log: no fleet was found that fits on the board."""

# log: int64 (rows, LOG_SIZE): one row for each instruction carried out
LOG_SEAT, LOG_PC, LOG_SQUARE, LOG_REGISTERS, LOG_SIZE = 0, 1, 2, 3, 10
"""Columns: the seat, the row of the code, the square of a shot that cost a turn or -1, and the registers after it."""

NORTH, EAST, SOUTH, WEST = range(4)
ANY_DIRECTION, VERTICAL, HORIZONTAL = 0b1111, 0b0101, 0b1010

PITCH_BITS = 24
PITCH = 1 << PITCH_BITS
"""A position is y · PITCH + x."""

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
"""Results of a shot at an unshot square; that a ship sank is told only by the rules that tell it."""

# formulas: int64 (2, FACTS), those of each agent
FIRST_ROW, LAST_ROW, RESULT, RANDOMS, USED_SENSORS, FACTS = range(6)
"""The rows of its code, −1 where an agent has no formula; the slot of its value, how often it draws, a mask."""

(
    COVER, COVER1, COVER2, COVER3, PARITY, BESIDE, LINE, NEAR, EDGE, BLOCKED,
    SENSED_OPEN, LONGEST, SHORTEST, AFLOAT, SENSED_LEFT, SENSED_TURNS, CHANCE, SINKS, FOLLOW, FLEETS, SENSORS,
) = range(21)  # fmt: skip
"""The slots of sensors, in the order of ``primitives.SENSORS``; ``SENSED_`` where the name means something else."""

KINDS_OF_COVER = 4
"""Placements are counted by the open hits that they cover: 0, 1, 2, and 3 or more."""

ROUNDS = 6
"""Rounds of belief propagation."""

FIRST_FACTOR = 16.0
"""Factor of open hits in the first round."""

LARGEST_FACTOR = 10_000.0
"""Bound of factors; the smallest is its inverse. Products of 64 of them, the longest ship, stay within doubles."""

SMALLEST_REST = 1e-9
"""Smallest share of a ship's weight that is off a square; so odds stay finite."""

SQUARE_BITS = 12
"""Bits of the number of a square in the counters of random numbers."""

ORDER_NUMBERS = 1
"""The numbers below this, shifted by ``SQUARE_BITS``, are counters of orders, fleets and directions."""

BUDGET = 1000
"""Steps that a program may take for a shot."""

LARGEST_EXPONENT = 10
"""Open hits beyond these make a placement no likelier, so that weights stay exact."""

ATTEMPTS = 100_000
"""Whole fleets that are tried; then the ships are moved one by one instead."""

TRIES = 10_000
"""Draws for one ship that is moved."""

RESTARTS = 20
"""Largest number of restarts from the first ship where ships find no place."""

SWEEPS = 20
"""Sweeps of the Markov chain, each of which moves every ship."""

SHIP_BITS = 7
"""The number of a draw has the ship in its last bits."""
