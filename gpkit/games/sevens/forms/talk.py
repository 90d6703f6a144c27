"""Games of Sevens against a person in the terminal (see ``gpkit.playing.conversation``)."""

from gpkit.games.sevens.rules import SevensState
from gpkit.playing.conversation import Conversation

HELP = """\
7h, h7 or \N{BLACK HEART SUIT}7  play or send that card: rank (A 2 ... 10 J Q K) and suit (h d c s)
3              the third card of the list
Enter          show the board again
h              hint: what the adviser would choose, and why
q              give up and leave
?              this page"""


class SevensConversation(Conversation):
    """A conversation during a game of Sevens; a single legal card is played without asking."""

    prompt = "card? "
    page = HELP
    plays_forced = True

    def example(self) -> str:
        """An example of a card that the person can type."""
        return "Type a card such as 7h; "

    def board(self, state: SevensState) -> str:
        """The table and the hands, without a headline."""
        _, _, rows = self.view.board_text(state, self.seat, self.names).partition("\n\n")
        return rows

    def task(self, state: SevensState) -> str:
        """The cards from which the person can choose."""
        task = "Play" if state.decision == "play" else f"Send {self.names[state.receiver]}, who cannot play,"
        names = map(state.rules.pack.name, state.legal_actions())
        return f"{task} one of  {'  '.join(f'{k} {name}' for k, name in enumerate(names, start=1))}"

    def result(self, end: SevensState) -> str:
        """A sentence about the result of the game."""
        rules = end.rules
        if rules.end == "ranks" and self.seat in end.finished:
            return f"You finished number {end.finished.index(self.seat) + 1} of {rules.players}."
        if end.is_stalled:
            return f"A draw: {rules.laps} laps are over."
        if rules.end == "points":
            return f"The points: {self.scores_text(end.returns())}"
        return super().result(end)
