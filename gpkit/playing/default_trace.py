"""Traces of games, and that of a game that brings none of its own: with what a formula made of every legal action."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.registry import form, form_of_game, game_of, has_form
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.view import view_of
from gpkit.playing.actions import ActionView, Decision, decide, no_numbers, steps_of
from gpkit.playing.conditions import Name, Value, Vocabulary
from gpkit.playing.match import deal_of
from gpkit.playing.players import Seating, check_seat, check_seating, explains, names_at_table
from gpkit.playing.trace import Seated, Step, Trace, Tracer, valuing

_NAMES = (
    Name("step", "number", "the number of the step; 0 is the beginning"),
    Name("player", "text", "name of the player who chose the action"),
    Name("mine", "number", "1 if it is the traced program, else 0"),
    Name("action", "text", "the action as people write it"),
    Name("value", "number", "the value of the action, where the traced program is a formula"),
    Name("margin", "number", "its margin over the next best"),
    Name("over", "number", "1 at the end of the game, else 0"),
    Name("score", "number", "the score of the traced program, at the end"),
)

_EXAMPLES = (("Value above 1", "value > 1"), ("A close choice", "margin < 1"), ("The end", "over == 1"))


@runtime_checkable
class Stepping(Protocol):
    """Games of programs that are not asked for one action after another: ``forms.playing`` of a language."""

    def steps(self, game: Game, seated: Seated, deals: Any, rules: Any) -> Iterator[Step]: ...


@runtime_checkable
class Explaining(Protocol):
    """Choices of a game's players with what they chose from: ``forms.decisions`` beside a game."""

    def explain(self, player: Player, state: Any, deals: Any) -> tuple[int, Any]:
        """The legal action that a player chooses in a state of the first deal's game, and its decision or None."""


@dataclass(frozen=True, slots=True)
class UsualTracer:
    """Tracer of a game whose players can be asked for one action (``gpkit.playing.trace.Tracer``)."""

    game: Game

    def check(self, players: Sequence[Player], rules: Any, seat: int) -> None:
        """Check that the first player can be followed.

        Raises:
            UsageError: it is not a program, or draws random numbers; or the game cannot be asked for one
            action.
        """
        chooser(self.game)
        check_seating(self.game, rules, seat)
        if not players[0].is_program:
            raise UsageError(f"{players[0].name} cannot be traced")
        if valuing(players[0].program.language):
            program = players[0].program
            drawn = [name for name, tree in zip(program.names, program.trees, strict=True) if tree.draws]
            if drawn:
                raise UsageError(
                    f"{players[0].name} draws random numbers in {drawn[0]}: it cannot be traced here"
                )

    def vocabulary(self, rules: Any) -> Vocabulary:
        """Vocabulary of conditions about a step; sensors are those of the action."""
        sensors = dict.fromkeys(sensor for each in self.game.offers.values() for sensor in each.sensors)
        names = (*_NAMES, *(Name(each.name, "number", each.meaning) for each in sensors))
        return Vocabulary(names, examples=_EXAMPLES)

    def steps(self, seated: Seated, deals: Any, rules: Any) -> Iterator[Step]:
        """The beginning, and every action until the end."""
        explain, language = explainer(self.game), seated.followed.program.language
        if has_form(Stepping, "playing", language):
            return form(Stepping, "playing", language, "follow {}").steps(self.game, seated, deals, rules)

        choose_of = chooser(self.game)

        def choose(state: ObservableState) -> tuple[int, Decision | None]:
            player = seated.players[state.current_player]
            if player is not seated.followed:
                return choose_of(player, state, deals), None
            return explain(player, state, deals)

        return steps_of(seated, self.game.begin(seated.players, deals, rules), UsualView, choose)


class UsualView(ActionView):
    """One step: an action."""

    def values(self) -> dict[str, Value]:
        """Values that conditions read of the step, but for its number."""
        values = super().values()
        if self.before is not None:
            values |= {"action": self.text, **self.seated.view.sensors(self.before, self.action)}
        return values

    def record(self) -> dict[str, object]:
        """The step for programs to read."""
        return {
            "player": None if self.before is None else self.before.current_player,
            "action": self.text or None,
            "decision": self.decision.record(
                self.noun, lambda each: self.seated.view.action_text(self.before, each)
            )
            if self.decision
            else None,
            "scores": list(self.after.returns()) if self.after.is_terminal else None,
        }


def chooser(game: Game) -> Callable[[Player, Any, Any], int]:
    """The choices of a game's players, of which each can be asked for one action.

    Raises:
        UsageError: it cannot.
    """
    own = form_of_game(Explaining, "decisions", game.name)
    if own is not None:
        explain = own.explain
        return lambda player, state, deals: explain(player, state, deals)[0]
    if game.choose is not None:
        return game.choose
    raise UsageError(
        f"games of {game.name} cannot be traced: the game does not say what a player chooses in a state"
    )


def explainer(game: Game) -> Callable[[Player, Any, Any], tuple[int, Any]]:
    """The choices of a game's players with their decisions, as of ``Explaining``; without a form of the game those of
    programs that value actions and draw no random numbers.

    Raises:
        UsageError: the game cannot be asked for one action.
    """
    own = form_of_game(Explaining, "decisions", game.name)
    if own is not None:
        return own.explain
    choose, view = chooser(game), view_of(game.name)

    def explain(player: Player, state: Any, deals: Any) -> tuple[int, Decision | None]:
        action = choose(player, state, deals)
        if not explains(player):
            return action, None
        decision = decide(state, player.program, partial(view.sensors, state), no_numbers)
        assert decision.action == action, "the readable formula chooses as the compiled one"
        return action, decision

    return explain


def trace_game(game: str, players: Sequence[Player], deals: Any, rules: Any, *, seat: int = 0) -> Trace:
    """The first deal's game; the first player is followed and sits in ``seat``, and the others follow it.

    Raises:
        UsageError: there is no such seat, its player cannot be traced, or these players cannot play by these rules.
    """
    check_seat(seat, len(players))
    tracer = tracer_of(game)
    tracer.check(players, rules, seat)
    seated = tuple(players[(place - seat) % len(players)] for place in range(len(players)))
    names = names_at_table(seated)
    steps = tracer.steps(Seated(view_of(game), seated, names, seat), deals, rules)
    return Trace(names, seat, tracer.vocabulary(rules), steps)


def followed(seating: Seating, *, seat: int, seed: int, deal: int) -> Trace:
    """Follow a game of a seating's first player on one of the deals of ``gpkit run``; raises the errors of
    ``trace_game``."""
    deals = deal_of(seating.game, seating.rules, seed, deal)
    return trace_game(seating.game.name, seating.players, deals, seating.rules, seat=seat)


def tracer_of(game: str) -> Tracer:
    """The tracer of a game: its own, or the default one."""
    return form_of_game(Tracer, "trace", game) or UsualTracer(game_of(game))


def has_trace(game: str) -> bool:
    """Whether games of that name can be followed."""
    return form_of_game(Tracer, "trace", game) is not None or game_of(game).choose is not None
