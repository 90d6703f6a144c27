"""A part of a conversation that waits for what is typed next: questions and answers, without a terminal."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from gpkit.playing.conversation import Part, Prompt, Talk

T = TypeVar("T")


class Exchange(Generic[T]):
    """Questions of a conversation, each answered by a line.

    Attributes:
        typed: the lines so far.
        said: since the last of them.
        prompt: that waits for the next one.
        result: of the conversation, once it is over; None if the person left.
        is_over: whether it is.
    """

    def __init__(self, talk: "Callable[[Iterator[str]], Talk[T | None]]") -> None:
        """Listen as far as the first question.

        Args:
            talk: the part of the conversation, given the lines that will be typed.
        """
        self.typed: list[str] = []
        self.said: tuple[Part, ...] = ()
        self.prompt = Prompt("")
        self.result: T | None = None
        self.is_over = False
        self._coming: deque[str] = deque()
        self._talk = talk(iter(self._coming.popleft, None))
        self._listen()

    def answer(self, line: str) -> None:
        """Type a line, and listen as far as the next question."""
        assert not self.is_over, "nothing is asked any more"
        self.typed.append(line)
        self._coming.append(line)
        self._listen()

    def _listen(self) -> None:
        said: list[Part] = []
        try:
            while not isinstance(part := next(self._talk), Prompt):
                said.append(part)
            self.prompt = part
        except StopIteration as end:
            self.result, self.is_over = end.value, True
        self.said = tuple(said)
