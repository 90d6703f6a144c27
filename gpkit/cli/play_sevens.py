"""A person plays Sevens: a conversation that knows no terminal, and shows what the person may know and no more."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from gpkit.app.seating import Seating
from gpkit.cli.terminal import Part, ask, ask_for_another, table_text
from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.games.sevens.board import Board, board_text, event_text, open_board, seen_board
from gpkit.games.sevens.cards import suit_of
from gpkit.games.sevens.game import Deals
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.rules import Event, Observation, State, deal
from gpkit.games.sevens.search import total_scores
from gpkit.play.match import deal_of
from gpkit.play.players import Player, names_at_table
from gpkit.play.sevens.decisions import decide, decision_table, player_chooser, program_chooser
from gpkit.play.trace import Table

YOU = "you"

HELP = """\
7h, h7 or \N{BLACK HEART SUIT}7  play or send that card: rank (A 2 ... 10 J Q K) and suit (h d c s)
3              the third card of the list
Enter          show the board again
h              hint: what the first opponent would choose in your place, and why
q              give up and leave
?              this page
Who can must play one card: a seven, or the next card at either end of a suit's row. Who cannot is sent a card."""

_YOUR_VERBS = {"plays": "play", "sends": "send", "passes": "pass"}


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits where: names by seat, the person's seat, and the opponents by seat without the person."""

    rules: Rules
    names: tuple[str, ...]
    seat: int
    opponents: tuple[Player, ...]
    """In the order in which they were named; they follow the person from seat to seat."""

    def opponent(self, seat: int) -> Player:
        """Who plays in that seat, which is not the person's."""
        return self.opponents[(seat - self.seat - 1) % self.rules.players]


def session(seating: Seating, lines: Iterator[str], *, seed: int, seat: int) -> Iterator[Part]:
    """Games on the deals of a seed, one after another, with a tally."""
    sitting = _sitting(seating, seat)
    others = ", ".join(sitting.names[other] for other in range(len(sitting.names)) if other != seat)
    yield f"Sevens: {YOU} in seat {seat}, with {others}. Type a card such as 7h; ? helps."
    totals = [0.0] * len(sitting.names)
    played = 0
    while True:
        end = yield from play_game(sitting, deal_of(seating.game, sitting.rules, seed, played), lines)
        if end is None:
            return
        played += 1
        totals = [total + score for total, score in zip(totals, end.returns(), strict=True)]
        if played > 1:
            yield f"{sitting.rules.metric} after {played} games: {_scores(sitting, totals)}"
        if not (yield from ask_for_another(lines)):
            return


def _sitting(seating: Seating, seat: int) -> Sitting:
    rules: Rules = seating.rules
    found = [f"{name} (program)" if name == YOU else name for name in names_at_table(seating.players)]
    names = [YOU, *found]
    by_seat = tuple(names[(place - seat) % rules.players] for place in range(rules.players))
    return Sitting(rules, by_seat, seat, seating.players)


def play_game(sitting: Sitting, deals: Deals, lines: Iterator[str]) -> Generator[Part, None, State | None]:
    """One game on the first of the deals; its end, or None if the person left."""
    key = int(deals.keys[0])
    state = deal([int(card) for card in deals.decks[0]], sitting.rules)
    while not state.is_terminal:
        player, legal = state.current_player, state.legal_actions()
        forced = len(legal) == 1
        if forced:
            card = legal[0]
        elif player == sitting.seat:
            chosen = yield from _ask(sitting, state, key, lines)
            if chosen is None:
                return None
            card = chosen
        else:
            card = player_chooser(sitting.opponent(player), key)(state)
        state = state.apply(card)
        for event in state.events:
            only = forced and event is state.events[0] and event.actor == sitting.seat
            yield _told(sitting, state, event) + (", your only choice" if only else "")
    _, _, hands = board_text(open_board(state, sitting.names)).partition("\n\n")
    yield f"\n{hands}\n{result_text(sitting, state)}"
    return state


def _ask(sitting: Sitting, state: State, key: int, lines: Iterator[str]) -> Generator[Part, None, int | None]:
    """The card that the person chooses; None if the person leaves."""
    seen = state.observation(sitting.seat)
    yield _screen(sitting, seen)
    while True:
        word = yield from ask("card? ", HELP, lines)
        if word is None:
            return None
        if word == "":
            yield _screen(sitting, seen)
        elif word.lower() in ("h", "hint"):
            yield hint_text(sitting, state, key)
        else:
            try:
                return chosen_card(word, seen)
            except UsageError as mistake:
                yield str(mistake)


def chosen_card(word: str, seen: Observation) -> int:
    """The legal card that a person means by its name or by its number in the list.

    Raises:
        UsageError: it is none of the legal ones; the message says why, and names the nearest.
    """
    legal, pack = seen.legal, seen.rules.pack
    if word.isascii() and word.isdigit():
        number = int(word[:9])
        if 1 <= number <= len(legal):
            return legal[number - 1]
        raise UsageError(f"the list goes from 1 to {len(legal)}; a card has a suit too, such as 7h")
    try:
        card = pack.parse(word)
    except UsageError:
        raise UsageError(_no_card(word, seen)) from None
    if card in legal:
        return card
    close = min(legal, key=lambda c: (suit_of(c) != suit_of(card), abs(pack.rank(c) - pack.rank(card))))
    raise UsageError(f"{_refusal(card, seen)}; the nearest you can {seen.decision} is {pack.name(close)}")


def _no_card(word: str, seen: Observation) -> str:
    """What to say about a word that means nothing."""
    shown = "".join(c if c.isprintable() else "?" for c in word[:40])
    close = nearest(word[:40].lower(), [seen.rules.pack.ascii_name(card).lower() for card in seen.hand])
    hint = f"did you mean {close}?" if close else "type a card such as 7h, or ? for help"
    return f"`{shown}` is not a card; {hint}"


def _refusal(card: int, seen: Observation) -> str:
    """Why a card is not among the legal ones."""
    pack, rules = seen.rules.pack, seen.rules
    name = pack.name(card)
    if card not in seen.hand:
        return f"you do not hold {name}"
    if seen.decision == "send":
        return f"{name} could be played, and what cannot is sent first"
    missing = seen.table.missing(suit_of(card), pack.rank(card), gates=rules.gates)
    if missing == 0:
        return f"the game does not open with {name}"
    return f"{name} must wait for {missing} other card{'s' if missing > 1 else ''}"


# What is said.


def _screen(sitting: Sitting, seen: Observation) -> str:
    """The board as the person sees it, and the cards to choose from."""
    pack = seen.rules.pack
    _, _, body = board_text(seen_board(seen, sitting.names)).partition("\n\n")
    task = "Play" if seen.decision == "play" else f"Send {sitting.names[seen.receiver]}, who cannot play,"
    choices = "  ".join(f"{k} {pack.name(card)}" for k, card in enumerate(seen.legal, start=1))
    return f"\n{body}\n{task} one of  {choices}"


def hint_text(sitting: Sitting, state: State, key: int) -> str:
    """What the first opponent would choose in the person's place; it is told no more than the person knows."""
    player, pack = sitting.opponents[0], sitting.rules.pack
    name = sitting.names[(sitting.seat + 1) % sitting.rules.players]
    if player.searches:
        worlds = player.agent.argument
        policy = program_chooser(player.program, key)
        totals = total_scores(state, worlds=worlds, deal_key=key, policy=policy)
        cards = tuple(totals)
        chosen = cards.index(max(cards, key=lambda card: totals[card]))
        rows = tuple((pack.name(card), totals[card] / worlds) for card in cards)
        table = Table(("card", "mean score"), rows, chosen)
    else:
        decision = decide(state, player.program, key)
        table = decision_table(decision, pack)
    return f"{name} would choose {table.rows[table.chosen][0]}:\n{table_text(table)}"


def _told(sitting: Sitting, state: State, event: Event) -> str:
    """An event as the person sees it."""
    board: Board = seen_board(state.observation(sitting.seat), sitting.names)
    words = event_text(event.seen_by(sitting.seat), board)
    if event.actor != sitting.seat:
        return words
    _, verb, *rest = words.split(" ")
    return " ".join([YOU, _YOUR_VERBS[verb], *rest])


def result_text(sitting: Sitting, end: State) -> str:
    """How the game ended."""
    rules, seat = sitting.rules, sitting.seat
    if rules.end == "ranks" and seat in end.finished:
        return f"You are number {end.finished.index(seat) + 1} of {rules.players}."
    if end.is_stalled:
        return f"A draw: {rules.laps} laps are over."
    if rules.end == "points":
        return f"The points: {_scores(sitting, end.returns())}"
    winner = end.finished[0]
    return "You have won!" if winner == seat else f"{sitting.names[winner]} has won."


def _scores(sitting: Sitting, scores: Iterator[float] | tuple[float, ...] | list[float]) -> str:
    return ", ".join(f"{name} {score:g}" for name, score in zip(sitting.names, scores, strict=True))
