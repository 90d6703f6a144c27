"""Options of games: rules that users set with ``KEY=VALUE``, as they set the switches of dialects."""

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
"""Complete sets of rules, by name, with the options as strings; the first set is the default."""

NO_VARIANTS: Variants = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Option:
    """A rule whose value is one of ``choices``, an integer from ``low`` to ``high``, or text in the format ``form``.

    An option with a ``form`` accepts any text, which the rules check later. ``default`` is the default value, or None
    if only the rules know the default.
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
        """The format of a value, in words."""
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
    """A rule that users set with ``--rules name=value``; ``begin`` receives the value as an argument of this name.

    Args:
        name: the name of the rule.
        default: the default value (a Boolean, an integer or a string), which determines the type of all values.
        meaning: a short description.
        choices: the possible strings; by default, any string is allowed. For a Boolean, the words for no and yes, in
            this order.
        low, high: the bounds of a number.
    """
    if isinstance(default, bool):
        return Option(name, meaning, tuple(choices) or (NO, YES), default=default)
    if isinstance(default, int):
        return Option(name, meaning, low=low, high=high, default=default)
    return Option(
        name, meaning, tuple(choices), form="" if choices else f"text such as {default}", default=default
    )


def rule(default: Value, meaning: str, **bounds: Any) -> Any:
    """A field of ``OptionRules`` that declares the option with the same name; for the arguments, see ``option``."""
    return field(
        default=default, metadata={"option": partial(option, default=default, meaning=meaning, **bounds)}
    )


def written_rule(default: object, written: Option) -> Any:
    """A field of ``OptionRules`` that is set by an option with a ``form``, possibly together with other fields."""
    return field(default=default, metadata={"option": lambda name: written})


@dataclass(frozen=True, slots=True)
class OptionRules:
    """A base class for the rules of a game; each field that is a ``rule`` is an option.

    Attributes:
        title: the title of the game, for messages.
        variant: the option that selects a complete set of rules, if there is one.
        variants: the sets of rules, by name.
        duel: the options with which two players compete in a game that is usually played alone.
    """

    title: ClassVar[str]
    variant: ClassVar[Option | None] = None
    variants: ClassVar[Variants] = NO_VARIANTS
    duel: ClassVar[Mapping[str, str]] = MappingProxyType({})

    @classmethod
    def from_options(cls, texts: Mapping[str, str]) -> Self:
        """The rules with these options, given as strings; all other options have their default values.

        Raises:
            UsageError: an option or value is unknown, or the options are incompatible; the message suggests the nearest
                match.
        """
        rules = cls(**cls.fields_of(values_of(texts, options_of(cls), cls.title, cls.variants)))
        rules.check()
        return rules

    @classmethod
    def fields_of(cls, values: Mapping[str, Value]) -> Mapping[str, Any]:
        """Convert the values of options to the values of fields; the names are the same if no option has a ``form``.

        Raises:
            UsageError: a value does not have the form of its option.
        """
        return values

    def check(self) -> None:
        """Check that the options are compatible with each other.

        Raises:
            UsageError: the options are incompatible.
        """

    def to_options(self) -> dict[str, str]:
        """All options except ``variant`` as strings; ``from_options`` turns them back into rules."""
        return {
            each.name: text_of(getattr(self, each.name))
            for each in options_of(type(self))
            if each is not self.variant
        }


def options_of(rules: type[OptionRules]) -> tuple[Option, ...]:
    """The options of a class of rules: ``variant``, if there is one, and then the options of the fields, in order."""
    return (
        *filter(None, [rules.variant]),
        *(each.metadata["option"](name=each.name) for each in fields(rules) if "option" in each.metadata),
    )


def values_of(
    texts: Mapping[str, str], options: Sequence[Option], game: str, variants: Variants = NO_VARIANTS
) -> dict[str, Value]:
    """The values of the given options; other options have their values from the set of rules that ``variant`` names.

    Raises:
        UsageError: an option or value is unknown; the message suggests the nearest match.
    """
    given = {name: value_of(option_of(name, options, game), text) for name, text in texts.items()}
    if not variants:
        return given
    base = variants[str(given.pop("variant", next(iter(variants))))]
    return {name: value_of(option_of(name, options, game), text) for name, text in base.items()} | given


def option_of(name: str, options: Sequence[Option], game: str) -> Option:
    """The option with this name.

    Raises:
        UsageError: no option has this name; the message suggests the nearest match.
    """
    for option in options:
        if option.name == name:
            return option
    raise UsageError(f"{game} has no rule `{name}`; {suggestion(name, [option.name for option in options])}")


def value_of(option: Option, text: str) -> Value:
    """The value of an option, converted from text; a Boolean if the choices are no and yes.

    Raises:
        UsageError: the text is not a possible value; the message states the expected values.
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
    """The error for a value that is not possible for an option."""
    return UsageError(f"{option.name}={shortened(text)}: expected {option.expected}{hint}")


def text_of(value: Value | tuple[int, ...]) -> str:
    """The value of an option as text; several numbers are separated by commas."""
    if isinstance(value, bool):
        return YES if value else NO
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def chosen_rules(rules: Sequence[str], given: Mapping[str, Any] = MappingProxyType({})) -> dict[str, str]:
    """The rules that ``--rules`` and ``--players`` set, as strings.

    Raises:
        UsageError: a string is not of the form KEY=VALUE, or a rule is set twice.
    """
    players = given.get("players")
    return _pairs("--rules", rules, {} if players is None else {"players": players}, example="players=4")


def chosen_dialect(switches: Sequence[str], _given: Mapping[str, object]) -> dict[str, str]:
    """The header lines that ``--dialect`` sets; other options are ignored.

    Raises:
        UsageError: a string is not of the form KEY=VALUE, no language or game has such a switch, or a switch is set
            twice.
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
