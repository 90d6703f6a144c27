"""A person's game, action by action: what a conversation is to whoever types, for who clicks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.playing.conversation import Conversation, Mover, Part
from gpkit.playing.match import deal_of

LAY_OUT = "r"
"""Answer to who asks a person to lay something out: at random."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person's game as far as it went.

    Attributes:
        conversation: who sits where, and what is said.
        seed, number: of the deal.
        deals: the deal.
        move: of the other players.
        states: in which the person was asked, the oldest first; the last one is now.
        actions: of the person, one between each two states.
        told: what was said since the last of them.
        opening: what the person typed before the first state, such as where ships lie.
    """

    conversation: Conversation
    seed: int
    number: int
    deals: Any
    move: Mover
    states: tuple[Any, ...]
    actions: tuple[int, ...]
    told: tuple[str, ...]
    opening: tuple[str, ...] = ()

    @property
    def state(self) -> Any:
        """The state now: the person is to choose, or the game is over."""
        return self.states[-1]

    @property
    def can_undo(self) -> bool:
        """Whether the last action can be taken back: nobody else decides anything, and there is one."""
        alone = not any(player.decides for player in self.conversation.others)
        return alone and len(self.states) > 1


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the state of a game.

    Attributes:
        before: the state before it; None at the beginning.
        after: the state after it.
        told: what was said of it.
        action: the person's; None of the others.
    """

    before: Any
    after: Any
    told: tuple[str, ...] = ()
    action: int | None = None


def sit(conversation: Conversation, seed: int, number: int, opening: Sequence[str] = ()) -> Sitting:
    """The game on a deal, as far as the person's first choice.

    Args:
        conversation: who sits where.
        seed, number: of the deal.
        opening: what the person types before the first state; what it does not lay out lies at random.

    Raises:
        UsageError: the person plays otherwise than by actions, or leaves before, or the others cannot be asked for
            an action.
    """
    if not conversation.by_actions:
        raise UsageError("this seat answers questions and chooses no actions, so its game cannot be traced")
    deals = deal_of(conversation.game, conversation.rules, seed, number)
    first = _first(conversation, deals, opening)
    move = conversation.mover(first, deals)
    state = first
    told: tuple[str, ...] = ()
    for change in _onward(conversation, move, first):
        state, told = change.after, told + change.told
    return Sitting(conversation, seed, number, deals, move, (state,), (), told, tuple(opening))


def choose(sitting: Sitting, action: int) -> Sitting:
    """The game after an action of the person, and after what the others did then.

    Raises:
        UsageError: the action is not legal now.
    """
    before = sitting.state
    if action not in before.legal_actions():
        raise UsageError(f"{action} is not a legal action now")
    change = _chosen(sitting.conversation, before, action)
    state, told = change.after, change.told
    for change in _onward(sitting.conversation, sitting.move, state):
        state, told = change.after, told + change.told
    return replace(sitting, states=(*sitting.states, state), actions=(*sitting.actions, action), told=told)


def undo(sitting: Sitting) -> Sitting:
    """The game before the person's last action.

    Raises:
        UsageError: it cannot be taken back.
    """
    if not sitting.can_undo:
        raise UsageError("there is nothing to take back: another player has moved since")
    return replace(sitting, states=sitting.states[:-1], actions=sitting.actions[:-1], told=())


def replayed(sitting: Sitting) -> Iterator[Change]:
    """The game once more from its beginning, as far as it went: every change of its state."""
    conversation = sitting.conversation
    state = _first(conversation, sitting.deals, sitting.opening)
    move = conversation.mover(state, sitting.deals)
    yield Change(None, state)
    actions = iter(sitting.actions)
    while True:
        for change in _onward(conversation, move, state):
            yield change
            state = change.after
        action = next(actions, None)
        if action is None:
            return
        yield (change := _chosen(conversation, state, action))
        state = change.after


def _first(conversation: Conversation, deals: Any, typed: Sequence[str]) -> Any:
    """The first state of a game in whose opening this is typed; what that does not lay out lies at random.

    Raises:
        UsageError: the person leaves.
    """
    opening = conversation.opening(deals, chain(typed, (LAY_OUT,)))
    while True:
        try:
            next(opening)
        except StopIteration as end:
            if end.value is None:
                raise UsageError("the game ended before it began") from None
            return end.value


def _chosen(conversation: Conversation, before: Any, action: int) -> Change:
    """The change that an action of the person makes."""
    after = before.apply(action)
    return Change(before, after, _words(conversation.told(before, after)), action)


def _onward(conversation: Conversation, move: Mover, state: Any) -> Iterator[Change]:
    """The changes until the person has a choice, or the end."""
    while not state.is_terminal:
        before, legal = state, state.legal_actions()
        if before.current_player != conversation.seat:
            state, said = move(before)
            yield Change(before, state, _words(said))
        elif conversation.plays_forced and len(legal) == 1:
            yield (change := _chosen(conversation, before, legal[0]))
            state = change.after
        else:
            return


def _words(parts: Iterable[Part]) -> tuple[str, ...]:
    return tuple(part for part in parts if isinstance(part, str))
