"""Options of games: rules as words and numbers that people set with ``KEY=VALUE``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gpkit.core.diagnostics import nearest, suggestion
from gpkit.core.errors import UsageError

YES, NO = "yes", "no"
_WORDS = {
    "yes": True,
    "true": True,
    "on": True,
    "1": True,
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}

Value = int | bool | str

Variants = Mapping[str, Mapping[str, str]]
"""Whole sets of rules by name, as the texts of options; the first is that of a game of which nothing is said."""

NO_VARIANTS: Variants = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Option:
    """One rule that can be chosen: one of the words ``choices``, a whole number of ``low`` … ``high``, or a ``form``.

    An option with a form holds any text here; the rules that have it say whether it is one. ``default`` is its value
    where nothing is said of it; None where the rules know it.
    """

    name: str
    meaning: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    form: str = ""
    default: Value | None = None

    @property
    def expected(self) -> str:
        """Format of a value, in words."""
        if self.form:
            return self.form
        return ", ".join(self.choices) if self.choices else f"a whole number of {self.low} to {self.high}"


def values_of(
    texts: Mapping[str, str], options: Sequence[Option], game: str, variants: Variants = NO_VARIANTS
) -> dict[str, Value]:
    """The values of the options that are given as texts, over those of the ``variant`` that is one of them.

    Raises:
        UsageError: an unknown option or value; the message names the nearest one.
    """
    given = {name: value_of(option_of(name, options, game), text) for name, text in texts.items()}
    if not variants:
        return given
    base = variants[str(given.pop("variant", next(iter(variants))))]
    return {name: value_of(option_of(name, options, game), text) for name, text in base.items()} | given


def option_of(name: str, options: Sequence[Option], game: str) -> Option:
    """The option of that name.

    Raises:
        UsageError: there is none; the message names the nearest one.
    """
    for option in options:
        if option.name == name:
            return option
    raise UsageError(f"{game} has no rule `{name}`; {suggestion(name, [option.name for option in options])}")


def value_of(option: Option, text: str) -> Value:
    """The value that a text gives to an option: a truth value where its choices are no and yes.

    Raises:
        UsageError: it is none; the message says what was expected.
    """
    word = text.strip().lower()
    if option.form:
        return word
    is_truth = set(option.choices) == {NO, YES}
    if is_truth and word in _WORDS:
        return _WORDS[word]
    if not is_truth and word in option.choices:
        return word
    if not option.choices and word.isascii() and word.isdigit() and len(word) <= 9:
        number = int(word)
        if option.low <= number <= option.high:
            return number
    close = nearest(word, option.choices)
    raise bad_value(option, text, f"; did you mean `{close}`?" if close is not None else "")


def bad_value(option: Option, text: str, hint: str = "") -> UsageError:
    """The error about a value that an option cannot have."""
    given = text if len(text) <= 40 else f"{text[:39]}…"
    return UsageError(f"{option.name}={given}: expected {option.expected}{hint}")


def text_of(value: Value) -> str:
    """The text of an option's value."""
    if isinstance(value, bool):
        return YES if value else NO
    return str(value)
