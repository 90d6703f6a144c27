"""Sentences of a page on which a person plays: what to do now, why a move is advised, and why a game ended so.

Every game has them; a game whose view holds a subclass of ``Words`` says some of them otherwise.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from gpkit.core.wording import YOU
from gpkit.gamekit.game import Metric
from gpkit.gamekit.sight import seen_action
from gpkit.gamekit.state import NOBODY

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


@dataclass(frozen=True, slots=True)
class Move:
    """A change of the state of a game.

    Attributes:
        before: the state before it; None at the beginning.
        after: the state after it.
        action: what was chosen; ``NOBODY`` at the beginning, and where it is no action.
    """

    before: Any
    after: Any
    action: int = NOBODY

    def chosen_by(self, seat: int) -> int:
        """The action, if the player of that seat chose it; else ``NOBODY``."""
        return self.action if self.before is not None and self.before.current_player == seat else NOBODY


@dataclass(frozen=True, slots=True)
class Played:
    """A game so far, as one player sees it.

    Attributes:
        seat: the seat of this player.
        names: the names of the players by seat.
        moves: all moves so far.
        text: (state, action) returns a legal action as people write it.
        metric: the metric of the game.
    """

    seat: int
    names: tuple[str, ...]
    moves: Sequence[Move]
    text: Callable[[Any, int], str]
    metric: Metric

    @property
    def state(self) -> Any:
        """The state now."""
        return self.moves[-1].after

    def seen(self, move: Move, hidden: str = "") -> str:
        """The action of a move as text, or ``hidden`` if the player does not see it; at the end, nothing is hidden."""
        if move.action == NOBODY or self.state.is_terminal:
            return "" if move.action == NOBODY else self.text(move.before, move.action)
        return seen_action(self.text, hidden, move.before, move.action, self.seat)

    def marked(self, move: Move) -> int:
        """The action of a move if the player sees which one it is, else ``NOBODY``."""
        return move.action if self.seen(move) else NOBODY

    def notices(self, move: Move) -> bool:
        """Whether the player sees that there was a move."""
        before, after = move.before, move.after
        is_own = before is None or before.current_player == self.seat
        return bool(is_own or after.observation(self.seat) != before.observation(self.seat))

    @property
    def since(self) -> list[Move]:
        """The moves since the one that the player chose last, and that one; a move without a choice is none."""
        found: list[Move] = []
        for move in reversed(self.moves):
            if move.before is None:
                break
            found.append(move)
            if move.before.current_player == self.seat and len(move.before.legal_actions()) > 1:
                break
        return found[::-1]


class Words:
    """Sentences of a page about a game, for who plays; those that are headings have no full stop."""

    rules = ""
    """The rules, in a paragraph."""

    noun = "move"
    """An action."""

    candidate = "action"
    """An action that a program values, above the column of a table and in JSON."""

    examples: tuple[tuple[str, str], ...] = (
        ("Value above 1", "value > 1"),
        ("A close choice", "margin < 1"),
        ("The end", "over == 1"),
    )
    """Conditions that are worth looking for in a trace, each behind a label of a few words."""

    worth = ""
    """The meaning of the values of actions in hints, in a sentence."""

    buttons: Mapping[str, str] = MappingProxyType({})
    """Labels of what can be asked beside hints, by the word that is typed for it."""

    reasons: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """The reason for an advised action by the sensor that tells it from another, which stands for ``{other}``: where it
    reads more, and where it reads less."""

    roles = ("", "")
    """The part of the person against a player, and on what a placement laid out, in a sentence; empty for nothing."""

    rival = ""
    """The player whose game on the same deal is held against that of who plays alone; empty for none."""

    def step(self, step: Any) -> str:
        """Description of a step of a trace (``gpkit.playing.trace.Step``), in a line."""
        if step.before is None:
            return "the game begins"
        return "; ".join(
            self.told(step, step.seated.names, None)
        ) or f"{step.name}: {step.text}".removesuffix(": ")

    def told(self, move: Any, names: Sequence[str], seat: int | None) -> Iterator[str]:
        """Sentences beside the board about a move after the beginning; none where the board says it all.

        Args:
            move: a ``Move``, or a step of a trace.
            names: of the players, by seat.
            seat: the seat of the player who is told, and sees no more than that player; None to see everything.
        """
        yield from ()

    def above(self, step: Any) -> str:
        """Lines to be seen above the board of a step, each with a line break at its end; empty for nothing."""
        return ""

    def beliefs(self, step: Any) -> Mapping[int, float]:
        """Values of actions that still mean something on the board after a step, whose picture they colour."""
        return {}

    def stage(self, state: Any) -> str:
        """The moment of the game, or its board, beside the names of the players; empty for nothing."""
        return ""

    def prompt(self, played: Played) -> tuple[str, str]:
        """The task of who looks and is to choose, and a line of help or of what led to it."""
        return f"Your turn: choose a {self.noun}", self.lately(played)

    def lately(self, played: Played) -> str:
        """The others' moves since the player chose."""
        said = [each for move in played.since for each in self.happened(move, played)]
        return "; ".join(
            f"{played.names[seat]}: {', then '.join(what for _, what in moves)}"
            for seat, moves in groupby(said, key=itemgetter(0))
            if seat != played.seat
        )

    def beside(self, state: Any) -> tuple[str, str, str]:
        """A panel beside the board: its heading, a picture, and one to unfold, as SVG documents; all empty for none."""
        return "", "", ""

    def compared(self, name: str, score: float, rules: Any) -> str:
        """The score of another player alone at the same game, in a sentence; empty where it does not compare."""
        return ""

    def written(self, state: Any, action: int, text: str) -> str:
        """An action for programs to read, in JSON."""
        return text

    def act(self, state: Any, action: int, text: str) -> str:
        """An action in the imperative, behind ``Hint:``."""
        return text

    def label(self, state: Any, action: int, text: str) -> str:
        """The name of a place where an action is chosen, for who cannot see the board."""
        return text

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """The events of a move that is not the beginning: by seat, in a few words."""
        if said := played.seen(move, f"a hidden {self.noun}"):
            yield move.before.current_player, said

    def reason(self, sensor: str, meaning: str, mine: float, other: str, theirs: float) -> str:
        """The reason for an advised action: a sensor that makes most of the difference to the best other action.

        Args:
            sensor, meaning: of the sensor.
            mine, theirs: its values for the two actions.
            other: the other action.
        """
        known = self.reasons.get(sensor, ("", ""))[mine < theirs]
        fact = re.fullmatch(r"1 (?:if|for) (.*?)(?:, else 0)?", meaning)
        if known:
            return known.format(other=other)
        if fact:
            return f"{fact[1]}: so here, not for {other}" if mine > theirs else f"{fact[1]}: only for {other}"
        return f"{meaning}: {mine:.3g}, and {theirs:.3g} for {other}"

    def fact(self, state: Any, action: int) -> str:
        """A fact about an action, shown where an adviser says no reason; empty for none."""
        return ""

    def ending(self, played: Played) -> tuple[str, str]:
        """The result, who won and by how much; and the last decisive event, empty where there is none."""
        scores = played.state.returns()
        if len(scores) == 1:
            return f"The game is over: {scores[0]:.4g}", ""
        said = [
            each for move in played.moves if move.before is not None for each in self.happened(move, played)
        ]
        last = f"{title(played.names[said[-1][0]])} ended it with {said[-1][1]}." if said else ""
        winners = played.metric.best(scores)
        if len(winners) == len(scores):
            return "A draw", last
        first, second = (scores[played.metric.ranked(scores)[place]] for place in (0, len(winners)))
        counts = f", {first:g} to {second:g}" if max(first, second) > 1 else ""
        won = "won" if len(winners) == 1 else "share the win"
        return f"{' and '.join(title(played.names[seat]) for seat in winners)} {won}{counts}", last


def title(name: str) -> str:
    """A name at the beginning of a sentence: yours is capital, those of programs stay.

    >>> title("you"), title("simple 2")
    ('You', 'simple 2')
    """
    return name.capitalize() if name == YOU else name


def number_word(count: int) -> str:
    """A number up to twelve in letters."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def against(names: Sequence[str]) -> str:
    """Opponents in words.

    >>> against(["simple 1", "simple 2"]), against(["hold"]), against(["hold", "medium"])
    ('two simple players', 'hold', 'hold and medium')
    """
    kinds = Counter(
        head if number.isdigit() else name for name in names for head, _, number in [name.rpartition(" ")]
    )
    said = [name if count == 1 else f"{number_word(count)} {name} players" for name, count in kinds.items()]
    return " and ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))
