"""Tic-tac-toe: three in a row on 3x3 squares."""

from dataclasses import dataclass

import numpy as np

from gpkit import NOBODY, Kernel, fact, game, kernel, sensor

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THROUGH = tuple(tuple(line for line in LINES if square in line) for square in range(9))


@dataclass(frozen=True, slots=True)
class State:
    board: str = "........."
    current_player: int = 0
    winner: int = -1
    decision = "place"
    action_count = 9

    @property
    def is_terminal(self):
        return self.winner >= 0 or "." not in self.board

    def legal_actions(self):
        return [] if self.winner >= 0 else [square for square in range(9) if self.board[square] == "."]

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"square {action} is taken")
        mark = "xo"[self.current_player]
        board = self.board[:action] + mark + self.board[action + 1 :]
        won = any(board[a] == board[b] == board[c] == mark for a, b, c in THROUGH[action])
        return State(board, 1 - self.current_player, self.current_player if won else -1)

    def returns(self):
        return (0.5, 0.5) if self.winner < 0 else (1.0 - self.winner, float(self.winner))

    def action_text(self, action):
        return "abc"[action % 3] + str(action // 3 + 1)

    def squares(self):
        return {square: (60 * (square % 3), 60 * (square // 3), 60, 60) for square in range(9)}

    def pieces(self):
        return {square: "xo".index(mark) for square, mark in enumerate(self.board) if mark != "."}


def best_line(state, action, mark):
    """The most marks of one kind in a line through the square that holds no other."""
    marks = ["".join(state.board[square] for square in line) for line in THROUGH[action]]
    return max((line.count(mark) for line in marks if line.count(mark) + line.count(".") == 3), default=0)


@sensor(0, 2, "own marks in the best open line through the square")
def own(state, action):
    return best_line(state, action, "xo"[state.current_player])


@sensor(0, 2, "marks of the opponent in the best open line through the square")
def theirs(state, action):
    return best_line(state, action, "ox"[state.current_player])


@sensor(2, 4, "lines through the square")
def lines(state, action):
    return len(THROUGH[action])


@fact("lines in which only the third mark of who chose is missing")
def threats(seat, after):
    return sum(sorted(after.board[square] for square in line) == [".", *2 * "xo"[seat]] for line in LINES)


GAME = game(
    "tic_tac_toe",
    State,
    sensors=[own, theirs, lines],
    facts=[threats],
    opponents={"greedy": "place: env.own"},
)

# The same over an int64 array: who is to choose, the decision, who has won, the marks so far, and on every square
# 0 for nobody, 1 for the first player, 2 for the second.

PLAYER, DECISION, WINNER, MARKS, BOARD, SIZE = 0, 1, 2, 3, 4, 13
COUNTS = np.array([len(through) for through in THROUGH])
RESTS = np.zeros((9, 4, 2), dtype=np.int64)  # the other squares of each line through a square
for _square, _through in enumerate(THROUGH):
    for _number, _line in enumerate(_through):
        RESTS[_square, _number] = [each for each in _line if each != _square]


def pack(state):
    """The array of a state."""
    player = NOBODY if state.is_terminal else state.current_player
    return [player, 0, state.winner, 9 - state.board.count("."), *(".xo".index(mark) for mark in state.board)]


@kernel
def fast_best(game, square, mark):
    """As ``best_line``."""
    best = 0
    for line in range(COUNTS[square]):
        first = game[BOARD + RESTS[square, line, 0]]
        second = game[BOARD + RESTS[square, line, 1]]
        if (first == mark or first == 0) and (second == mark or second == 0):
            best = max(best, (first == mark) + (second == mark))
    return best


@kernel
def fast_legal(game, actions):
    """Fill in the squares that are free."""
    found = 0
    for square in range(9):
        if game[BOARD + square] == 0:
            actions[found] = square
            found += 1
    return found


@kernel
def fast_apply(game, action):
    """Mark a square."""
    player = game[PLAYER]
    won = fast_best(game, action, player + 1) == 2
    game[BOARD + action] = player + 1
    game[MARKS] += 1
    if won:
        game[WINNER] = player
    game[PLAYER] = NOBODY if won or game[MARKS] == 9 else 1 - player


@kernel
def fast_score(game, scores):
    """Fill in what each player has."""
    for player in range(2):
        scores[player] = 0.5 if game[WINNER] == NOBODY else game[WINNER] == player


@kernel
def fast_sense(game, action, values):
    """Fill in the sensors, in their order."""
    values[0] = fast_best(game, action, game[PLAYER] + 1)
    values[1] = fast_best(game, action, 2 - game[PLAYER])
    values[2] = COUNTS[action]


GAME = GAME.compiled(Kernel(pack, SIZE, 9, fast_legal, fast_apply, fast_score, fast_sense))
