"""Options of games: rules that people set with ``KEY=VALUE``, as they set the switches of dialects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Self

from gpkit.core.diagnostics import check_known, nearest, shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games, all_languages, offers_of

YES, NO = "yes", "no"
_WORDS = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)

Value = int | bool | str

Variants = Mapping[str, Mapping[str, str]]
"""Whole sets of rules by name, as the texts of options; the first is that of a game of which nothing is said."""

NO_VARIANTS: Variants = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Option:
    """One rule that can be chosen: one of the words ``choices``, a whole number of ``low`` … ``high``, or a ``form``.

    An option with a form holds any text here; the rules that have it say whether it is one. ``default`` is its value
    where nothing is said of it; None where the rules know it, as those of a form.
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
        return ", ".join(self.choices) if self.choices else f"a whole number from {self.low} to {self.high}"


def option(
    name: str,
    default: Value,
    meaning: str,
    *,
    choices: Sequence[str] = (),
    low: int = 0,
    high: int = 999_999_999,
) -> Option:
    """A rule that people set with ``--rules name=value``; ``begin`` takes it by this name.

    Args:
        name: of the rule.
        default: a truth value, a whole number, or a text; the values are of that kind.
        meaning: what it is, in a few words.
        choices: the words that a text can be; without them any text. Of a truth value no and yes, in their order.
        low, high: bounds of a number.
    """
    if isinstance(default, bool):
        return Option(name, meaning, tuple(choices) or (NO, YES), default=default)
    if isinstance(default, int):
        return Option(name, meaning, low=low, high=high, default=default)
    form = "" if choices else f"text such as {default}"
    return Option(name, meaning, tuple(choices), form=form, default=default)


def rule(default: Value, meaning: str, **bounds: Any) -> Any:
    """A field of ``OptionRules`` that is the option of its name; arguments as of ``option``."""
    return field(
        default=default, metadata={"option": partial(option, default=default, meaning=meaning, **bounds)}
    )


def written_rule(default: object, written: Option) -> Any:
    """A field of ``OptionRules`` that an option with a form sets, perhaps with others."""
    return field(default=default, metadata={"option": lambda name: written})


@dataclass(frozen=True, slots=True)
class OptionRules:
    """The rules of a game in a class of its own: each field that is a ``rule`` is an option.

    Attributes:
        title: of the game, in messages.
        variant: the option that names whole sets of rules, if there is one.
        variants: these sets.
        duel: the options for a meeting of two players who both decide, in games that are otherwise played alone.
    """

    title: ClassVar[str]
    variant: ClassVar[Option | None] = None
    variants: ClassVar[Variants] = NO_VARIANTS
    duel: ClassVar[Mapping[str, str]] = MappingProxyType({})

    @classmethod
    def from_options(cls, texts: Mapping[str, str]) -> Self:
        """The default rules with these options set, each as text.

        Raises:
            UsageError: an unknown option or value, or options that do not go together; the message names the nearest
            one.
        """
        rules = cls(**cls.fields_of(values_of(texts, options_of(cls), cls.title, cls.variants)))
        rules.check()
        return rules

    @classmethod
    def fields_of(cls, values: Mapping[str, Value]) -> Mapping[str, Any]:
        """The fields that values of options set: those of their names, where no option has a form.

        Raises:
            UsageError: a text has not the form of its option.
        """
        return values

    def check(self) -> None:
        """Check that the options go together.

        Raises:
            UsageError: they do not.
        """

    def to_options(self) -> dict[str, str]:
        """Every option as text, but for ``variant``; ``from_options`` gives the rules back."""
        return {
            each.name: text_of(getattr(self, each.name))
            for each in options_of(type(self))
            if each is not self.variant
        }


def options_of(rules: type[OptionRules]) -> tuple[Option, ...]:
    """The options of a class of rules: ``variant``, if there is one, and those of the fields, in their order."""
    of_fields = (
        each.metadata["option"](name=each.name) for each in fields(rules) if "option" in each.metadata
    )
    return (*filter(None, [rules.variant]), *of_fields)


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
    return UsageError(f"{option.name}={shortened(text)}: expected {option.expected}{hint}")


def text_of(value: Value | tuple[int, ...]) -> str:
    """The text of an option's value; of several numbers with commas between."""
    if isinstance(value, bool):
        return YES if value else NO
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def chosen_rules(rules: Sequence[str], given: Mapping[str, Any] = MappingProxyType({})) -> dict[str, str]:
    """The rules that ``--rules`` and ``--players`` set, as texts.

    Raises:
        UsageError: one of them is not KEY=VALUE, or a rule is set twice.
    """
    players = given.get("players")
    return _pairs("--rules", rules, {} if players is None else {"players": players}, example="players=4")


def chosen_dialect(switches: Sequence[str], _given: Mapping[str, Any]) -> dict[str, str]:
    """The header lines that ``--dialect`` sets; other options do not matter.

    Raises:
        UsageError: one of them is not KEY=VALUE, no language and no game has such a switch, or it is set twice.
    """
    if not switches:
        return {}  # without loading every game
    pairs = _pairs("--dialect", switches, {}, example="target=uniform")
    questions = [entry.load().switches for entry in all_languages()]
    questions += [each.switches for entry in all_games() for each in offers_of(entry.name).values()]
    known = ["dialect", "placement", *dict.fromkeys(switch.name for each in questions for switch in each)]
    for name in pairs:
        check_known("switch", name, known, f"--dialect {name}=…: ")
    return pairs


def _pairs(option: str, texts: Sequence[str], known: Mapping[str, str], *, example: str) -> dict[str, str]:
    pairs = dict(known)
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not (key and equals and value):
            raise UsageError(f"{option} {text}: expected KEY=VALUE, such as {example}")
        if key in pairs:
            raise UsageError(f"`{key}` is set twice: {pairs[key]} and {value}")
        pairs[key] = value
    return pairs
