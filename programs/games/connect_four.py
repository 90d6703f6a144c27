"""Connect Four: discs fall into seven columns of six squares; four in a row win."""

from dataclasses import dataclass

import numpy as np

from gpkit import NOBODY, Kernel, fact, game, kernel, sensor

COLUMNS, ROWS = 7, 6
SQUARES = COLUMNS * ROWS
LINES = tuple(
    tuple((row + step * up) * COLUMNS + column + step * right for step in range(4))
    for row in range(ROWS)
    for column in range(COLUMNS)
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * up < ROWS and 0 <= column + 3 * right < COLUMNS
)
THROUGH = tuple(tuple(line for line in LINES if square in line) for square in range(SQUARES))


@dataclass(frozen=True, slots=True)
class State:
    """The discs from the lowest row up, and who has won."""

    board: str = "." * SQUARES
    current_player: int = 0
    winner: int = NOBODY
    decision = "drop"
    action_count = COLUMNS

    @property
    def is_terminal(self):
        """Whether four are in a row, or the board is full."""
        return self.winner != NOBODY or "." not in self.board

    def legal_actions(self):
        """The columns that are not full."""
        if self.winner != NOBODY:
            return []
        return [column for column in range(COLUMNS) if self.board[SQUARES - COLUMNS + column] == "."]

    def landing(self, action):
        """The square that a disc falls to."""
        return next(square for square in range(action, SQUARES, COLUMNS) if self.board[square] == ".")

    def apply(self, action):
        """The state after a disc was dropped into a column."""
        if action not in self.legal_actions():
            raise ValueError(f"column {action} is full, or the game is over")
        square, disc = self.landing(action), "xo"[self.current_player]
        board = self.board[:square] + disc + self.board[square + 1 :]
        won = any(all(board[each] == disc for each in line) for line in THROUGH[square])
        return State(board, 1 - self.current_player, self.current_player if won else NOBODY)

    def returns(self):
        """One for the winner, a half for a tie."""
        return (0.5, 0.5) if self.winner == NOBODY else (float(self.winner == 0), float(self.winner == 1))

    def action_text(self, action):
        """The letter of the column."""
        return "abcdefg"[action]

    def squares(self):
        """The squares, the lowest row last."""
        return {at: (60 * (at % COLUMNS), 60 * (ROWS - 1 - at // COLUMNS), 60, 60) for at in range(SQUARES)}

    def pieces(self):
        """The discs by square."""
        return {square: "xo".index(disc) for square, disc in enumerate(self.board) if disc != "."}

    def winning_squares(self):
        """The squares of the winner's lines."""
        full = ("xo"[self.winner] if self.winner != NOBODY else "") * 4
        lines = [line for line in LINES if "".join(self.board[each] for each in line) == full]
        return sorted({square for line in lines for square in line})

    def moves(self):
        """The square to which a disc falls, by column."""
        return {column: self.landing(column) for column in self.legal_actions()}


def open_lines(state, square, disc, count):
    """The lines through an empty square that hold so many of these discs, and none of the others."""
    rests = ([state.board[each] for each in line if each != square] for line in THROUGH[square])
    return sum(rest.count(disc) == count and rest.count(".") == 3 - count for rest in rests)


def own(state):
    """The disc of who is to choose."""
    return "xo"[state.current_player]


def other(state):
    """The disc of the other player."""
    return "ox"[state.current_player]


@sensor(0, 1, "1 if the disc makes four in a row")
def wins(state, action):
    return open_lines(state, state.landing(action), own(state), 3) > 0


@sensor(0, 1, "1 if the opponent would make four in a row there")
def blocks(state, action):
    return open_lines(state, state.landing(action), other(state), 3) > 0


@sensor(0, 1, "1 if the opponent can then make four in a row on top of the disc")
def gives(state, action):
    above = state.landing(action) + COLUMNS
    return above < SQUARES and open_lines(state, above, other(state), 3) > 0


@sensor(0, 13, "lines with three discs of its own, and none of the opponent's")
def threes(state, action):
    return open_lines(state, state.landing(action), own(state), 2)


@sensor(0, 13, "lines with two discs of its own, and none of the opponent's")
def twos(state, action):
    return open_lines(state, state.landing(action), own(state), 1)


@sensor(0, 13, "blocked lines with two discs of the opponent")
def their_threes(state, action):
    return open_lines(state, state.landing(action), other(state), 2)


@sensor(0, 13, "blocked lines with one disc of the opponent")
def their_twos(state, action):
    return open_lines(state, state.landing(action), other(state), 1)


@sensor(0, 3, "the distance from the middle column, in columns")
def centre(state, action):
    return abs(action - COLUMNS // 2)


@sensor(0, 5, "discs below")
def height(state, action):
    return state.landing(action) // COLUMNS


@fact("empty squares on which another disc of who chose makes four in a row")
def threats(seat, after):
    empty = [square for square in range(SQUARES) if after.board[square] == "."]
    return sum(open_lines(after, square, "xo"[seat], 3) > 0 for square in empty)


GAME = game(
    "connect_four",
    State,
    sensors=[wins, blocks, gives, threes, twos, their_threes, their_twos, centre, height],
    facts=[threats],
    opponents={
        "greedy": "drop: env.wins * 2 + env.blocks",
        "careful": "drop: env.wins * 8 + env.blocks * 4 - env.gives * 2 - env.centre / 4",
    },
)

# The same over an int64 array: who is to choose, the decision, who has won, the discs so far, and on every square
# 0 for nobody, 1 for the first player, 2 for the second.

PLAYER, DECISION, WINNER, DISCS, BOARD, SIZE = 0, 1, 2, 3, 4, 4 + SQUARES
RESTS = np.full((SQUARES, 13, 3), -1)  # the other squares of each line through a square
for _square in range(SQUARES):
    for _number, _line in enumerate(THROUGH[_square]):
        RESTS[_square, _number] = [each for each in _line if each != _square]
COUNTS = np.array([len(lines) for lines in THROUGH])


def pack(state):
    """The array of a state."""
    player = NOBODY if state.is_terminal else state.current_player
    discs = SQUARES - state.board.count(".")
    return [player, 0, state.winner, discs, *(".xo".index(disc) for disc in state.board)]


@kernel
def fast_landing(game, column):
    """The square that a disc falls to."""
    square = column
    while game[BOARD + square] != 0:
        square += COLUMNS
    return square


@kernel
def fast_lines(game, square, disc, count):
    """As ``open_lines``."""
    found = 0
    for number in range(COUNTS[square]):
        mine = 0
        empty = 0
        for place in range(3):
            there = game[BOARD + RESTS[square, number, place]]
            mine += there == disc
            empty += there == 0
        found += mine == count and empty == 3 - count
    return found


@kernel
def fast_legal(game, actions):
    """Fill in the columns that are not full."""
    found = 0
    for column in range(COLUMNS):
        if game[BOARD + SQUARES - COLUMNS + column] == 0:
            actions[found] = column
            found += 1
    return found


@kernel
def fast_apply(game, action):
    """Drop a disc."""
    square = fast_landing(game, action)
    player = game[PLAYER]
    won = fast_lines(game, square, player + 1, 3) > 0
    game[BOARD + square] = player + 1
    game[DISCS] += 1
    if won:
        game[WINNER] = player
    game[PLAYER] = NOBODY if won or game[DISCS] == SQUARES else 1 - player


@kernel
def fast_score(game, scores):
    """Fill in what each player has."""
    for player in range(2):
        scores[player] = 0.5 if game[WINNER] == NOBODY else game[WINNER] == player


@kernel
def fast_sense(game, action, values):
    """Fill in the sensors, in their order."""
    square = fast_landing(game, action)
    own, other = game[PLAYER] + 1, 2 - game[PLAYER]
    values[0] = fast_lines(game, square, own, 3) > 0
    values[1] = fast_lines(game, square, other, 3) > 0
    values[2] = square + COLUMNS < SQUARES and fast_lines(game, square + COLUMNS, other, 3) > 0
    values[3] = fast_lines(game, square, own, 2)
    values[4] = fast_lines(game, square, own, 1)
    values[5] = fast_lines(game, square, other, 2)
    values[6] = fast_lines(game, square, other, 1)
    values[7] = abs(action - COLUMNS // 2)
    values[8] = square // COLUMNS


GAME = GAME.compiled(Kernel(pack, SIZE, COLUMNS, fast_legal, fast_apply, fast_score, fast_sense))
