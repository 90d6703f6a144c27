"""Breakthrough: walk a pawn to the far side; pawns step forward, and take diagonally."""

from dataclasses import dataclass

from gpkit import NOBODY, Kernel, game, kernel, option, sensor

N = 5  # columns; rows are an option


def places(action):
    """The square that a pawn leaves, and the column step."""
    return action // 3, action % 3 - 1


@dataclass(frozen=True, slots=True)
class State:
    board: str  # row by row from the top: b comes down, w goes up
    current_player: int = 0  # 0: b (on top), 1: w
    decision = "step"
    action_count = 3 * N * 8

    @property
    def is_terminal(self):
        last = self.board[-N:]
        return "b" in last or "w" in self.board[:N] or "b" not in self.board or "w" not in self.board

    def target(self, action):
        square, side = places(action)
        if not 0 <= square < len(self.board):
            return None
        row, column = divmod(square, N)
        row += 1 if self.current_player == 0 else -1
        column += side
        if not (0 <= row < len(self.board) // N and 0 <= column < N):
            return None
        return row * N + column

    def may(self, action):
        square, side = places(action)
        to = self.target(action)
        if to is None or self.board[square] != "bw"[self.current_player]:
            return False
        there = self.board[to]
        return there == "." or (side != 0 and there == "wb"[self.current_player])

    def legal_actions(self):
        if self.is_terminal:
            return []
        return [action for action in range(3 * len(self.board)) if self.may(action)]

    def apply(self, action):
        if self.is_terminal or not self.may(action):
            raise ValueError(f"{action} is not a legal step")
        square, _ = places(action)
        board = list(self.board)
        board[self.target(action)], board[square] = board[square], "."
        return State("".join(board), 1 - self.current_player)

    def returns(self):
        won = 1 - self.current_player  # whoever moved last
        return (float(won == 0), float(won == 1))

    def name(self, square):
        row, column = divmod(square, N)
        return f"{'abcde'[column]}{len(self.board) // N - row}"

    def action_text(self, action):
        return f"{self.name(places(action)[0])}{self.name(self.target(action))}"

    def question_text(self):
        return "move a pawn"

    def ending_text(self):
        return (
            "A pawn reached the far side."
            if "b" in self.board and "w" in self.board
            else "All pawns were taken."
        )

    def squares(self):
        return {square: (60 * (square % N), 60 * (square // N), 60, 60) for square in range(len(self.board))}

    def pieces(self):
        return {square: "bw".index(each) for square, each in enumerate(self.board) if each != "."}

    def moves(self):
        return {action: (places(action)[0], self.target(action)) for action in self.legal_actions()}


def begin(rows):
    return State("b" * 2 * N + "." * (rows - 4) * N + "w" * 2 * N)


def row_from_own_side(state, square):
    row = square // N
    return row if state.current_player == 0 else len(state.board) // N - 1 - row


@sensor(0, 1, "1 for taking a pawn")
def takes(state, action):
    return state.board[state.target(action)] != "."


@sensor(1, 7, "rows from the own side after the step")
def ahead(state, action):
    return row_from_own_side(state, state.target(action))


@sensor(0, 2, "pawns of the other that can take the pawn after the step")
def attacked(state, action):
    after, to = state.apply(action), state.target(action)
    return sum(after.may(each) and after.target(each) == to for each in range(3 * len(state.board)))


@sensor(0, 2, "own pawns that could take back on the square")
def guarded(state, action):
    after, to = state.apply(action), state.target(action)
    back = -N if state.current_player == 0 else N
    row, column = divmod(to + back, N)
    own = "bw"[state.current_player]
    return sum(
        0 <= column + side < N
        and 0 <= row < len(state.board) // N
        and after.board[row * N + column + side] == own
        for side in (-1, 1)
    )


@sensor(0, 1, "1 for winning at once")
def wins(state, action):
    return state.apply(action).is_terminal


@sensor(0, 1, "1 if the other can win with the next step")
def loses(state, action):
    after = state.apply(action)
    return any(after.apply(each).is_terminal for each in after.legal_actions())


@sensor(-10, 10, "own pawns minus those of the other after the step")
def material(state, action):
    board = state.apply(action).board
    difference = board.count("b") - board.count("w")
    return difference if state.current_player == 0 else -difference


GAME = game(
    "breakthrough",
    begin,
    sensors=[takes, ahead, attacked, guarded, wins, loses, material],
    options=[option("rows", 5, "rows", low=5, high=8)],
    opponents={
        "greedy": "step: 10 * env.wins + 3 * env.takes + env.ahead",
        "careful": "step: 100 * env.wins - 50 * env.loses + 3 * env.takes - 2 * env.attacked",
    },
)

# The kernel block.
PLAYER, DECISION, WINNER, ROWS, BOARD = 0, 1, 2, 3, 4
SIZE = BOARD + 8 * N
EMPTY, DARK, LIGHT = 0, 1, 2


def pack(state):
    over = state.is_terminal
    cells = [".bw".index(each) for each in state.board]
    head = [NOBODY if over else state.current_player, 0, 1 - state.current_player if over else NOBODY]
    return [*head, len(state.board) // N, *cells, *[0] * (8 * N - len(cells))]


@kernel
def end_of(game, action, player):
    """The square where a step ends, or -1."""
    square = action // 3
    row = square // N + (1 if player == 0 else -1)
    column = square % N + action % 3 - 1
    if row < 0 or row >= game[ROWS] or column < 0 or column >= N:
        return -1
    return row * N + column


@kernel
def can(game, action, player):
    if game[BOARD + action // 3] != player + 1:
        return False
    to = end_of(game, action, player)
    if to < 0:
        return False
    there = game[BOARD + to]
    return there == EMPTY or (action % 3 != 1 and there == 2 - player)


@kernel
def fast_legal(game, actions):
    found = 0
    for action in range(3 * N * game[ROWS]):
        if can(game, action, game[PLAYER]):
            actions[found] = action
            found += 1
    return found


@kernel
def over_after(game, player):
    """Whether the player who moved last has won."""
    rows = game[ROWS]
    others = 0
    for square in range(N * rows):
        if game[BOARD + square] == 2 - player:
            others += 1
    if others == 0:
        return True
    for column in range(N):
        far = (rows - 1) * N + column if player == 0 else column
        if game[BOARD + far] == player + 1:
            return True
    return False


@kernel
def fast_apply(game, action):
    player = game[PLAYER]
    game[BOARD + end_of(game, action, player)] = player + 1
    game[BOARD + action // 3] = EMPTY
    if over_after(game, player):
        game[WINNER] = player
        game[PLAYER] = NOBODY
    else:
        game[PLAYER] = 1 - player


@kernel
def fast_score(game, scores):
    scores[0] = game[WINNER] == 0
    scores[1] = game[WINNER] == 1


@kernel
def fast_sense(game, action, values):
    player, rows = game[PLAYER], game[ROWS]
    start, to = action // 3, end_of(game, action, player)
    taken = game[BOARD + to]
    values[0] = taken != EMPTY
    values[1] = to // N if player == 0 else rows - 1 - to // N
    game[BOARD + to] = player + 1
    game[BOARD + start] = EMPTY
    forward = 1 if player == 0 else -1
    won = over_after(game, player)
    values[2] = values[3] = 0
    for side in (-1, 1):
        column = to % N + side
        if 0 <= column < N:
            ahead_row, back_row = to // N + forward, to // N - forward
            if 0 <= ahead_row < rows and game[BOARD + ahead_row * N + column] == 2 - player:
                values[2] += 1
            if 0 <= back_row < rows and game[BOARD + back_row * N + column] == player + 1:
                values[3] += 1
    values[4] = won
    values[5] = 0
    own = other = 0
    for square in range(N * rows):
        own += game[BOARD + square] == player + 1
        other += game[BOARD + square] == 2 - player
    if not won:
        for each in range(3 * N * rows):
            if values[5] == 0 and can(game, each, 1 - player):
                goal = end_of(game, each, 1 - player)
                far = goal // N == (rows - 1 if player == 1 else 0)
                if far or (own == 1 and game[BOARD + goal] == player + 1):
                    values[5] = 1
    values[6] = own - other
    game[BOARD + start] = player + 1
    game[BOARD + to] = taken


GAME = GAME.compiled(Kernel(pack, SIZE, 3 * 8 * N, fast_legal, fast_apply, fast_score, fast_sense))
