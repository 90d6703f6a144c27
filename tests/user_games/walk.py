"""Walk: three steps in as few days as possible."""

from dataclasses import dataclass

from gpkit import Metric, Plans, game, sensor


@dataclass(frozen=True, slots=True)
class State:
    """The day, and the steps that are left; one can be taken on every second day."""

    day: int = 0
    left: int = 3
    current_player = 0

    @property
    def decision(self):
        return "even" if self.day % 2 == 0 else "odd"

    @property
    def is_terminal(self):
        return self.left == 0 or self.day == 9

    def legal_actions(self):
        return [] if self.is_terminal else [0, 1] if self.day % 2 else [1]

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"{action} cannot be chosen")
        return State(self.day + 1, self.left - (action == 0))

    def returns(self):
        return (float(self.day),)


@sensor(0, 3, "steps that are left")
def left(state):
    return state.left


GAME = game(
    "walk",
    State,
    sensors=[left],
    players=1,
    decisions=("even", "odd"),
    metric=Metric("days", 0.0, 9.0, lower_is_better=True),
    plans=Plans({"go": "take a step", "rest": "a day passes"}, tick="rest", start="go"),
)
