"""Tic-tac-toe: three in a row on 3x3 squares."""

from dataclasses import dataclass

from gpkit import Metric, game, sensor

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

    def board_text(self):
        return (
            "\n".join(f"{row + 1} {' '.join(self.board[3 * row : 3 * row + 3])}" for row in range(3))
            + "\n  a b c"
        )


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


GAME = game(
    "tic_tac_toe",
    State,
    sensors=[own, theirs, lines],
    metric=Metric("win_share", 0.0, 1.0, total=1.0),
    opponents={"greedy": "place: env.own"},
)
