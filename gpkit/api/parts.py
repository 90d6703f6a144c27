"""Parts of one's own in Python code: operators, selectors, schemes, stopping rules, initialisers and callbacks."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from gpkit.api.problems import built
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.evolution.config import Config
from gpkit.evolution.own_parts import own_rule
from gpkit.evolution.parts import Part, Parts, name_of_part, table_of
from gpkit.evolution.search import State
from gpkit.evolution.setup import Stop

OwnOperators = Annotated[
    Mapping[str, Any],
    'operators that make children, such as {"mine": (mine, 0.3)}; those of formulas are for gpkit.problem',
]
"""Operators that make children of parents, each with its share."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class OwnParts:
    """Parts of evolution of one's own, as ``gpkit.evolve`` takes them."""

    operators: Mapping[str, Any]
    selection: Any
    scheme: Any
    initialiser: Any
    stop: Callable[[State[Any]], Any] | None
    callbacks: Sequence[Any]
    objectives: Sequence[Any]

    @property
    def rules(self) -> tuple[Stop, ...]:
        """The stopping rule, if there is one."""
        return () if self.stop is None else (own_rule(Part("stop", name_of_part(self.stop), self.stop)),)


def with_parts(config: Config, own: OwnParts) -> tuple[Config, Parts]:
    """The configuration that names parts of one's own, and these parts.

    Raises:
        UsageError: one has no name, or that of a part of gpkit, or an operator has no share.
    """
    given: dict[tuple[str, str], Any] = {}

    def name(kind: str, value: Any, named: str = "") -> str:
        if isinstance(value, str):
            return value
        chosen = named or name_of_part(value)
        if not _NAME.fullmatch(chosen):
            raise UsageError(
                f"{kind} `{chosen}`: its name has other signs than letters, digits, `_` and `-`; rename it"
            )
        if chosen in table_of(kind, ""):
            raise UsageError(f"the name of your {kind} `{chosen}` is taken; give yours another one")
        given[kind, chosen] = value
        return chosen

    if own.operators:
        config = replace(config, operators=_shares(config.operators, own.operators, name))
    if own.selection is not None:
        chosen = name("selector", own.selection)
        config = replace(config, selection=replace(config.selection, name=chosen))
    if own.scheme is not None:
        config = replace(config, scheme=replace(config.scheme, name=name("scheme", own.scheme)))
    if own.initialiser is not None:
        chosen = name("initialiser", own.initialiser)
        config = replace(config, population=replace(config.population, initialiser=chosen))
    names = [name("callback", each) for each in own.callbacks]
    sources = tuple(name("objective", each) for each in own.objectives)
    if sources:
        config = replace(config, front=replace(config.front, objectives=sources))
    if names:
        config = replace(config, stop=replace(config.stop, callbacks=tuple(names)))
    return config, Parts(given, built)


def _shares(
    known: Mapping[str, float], operators: Mapping[str, Any], name: Callable[[str, Any, str], str]
) -> dict[str, float]:
    """The shares of all operators, with those that are given.

    Raises:
        UsageError: one has no share.
    """
    shares = dict(known)
    for each, what in operators.items():
        value, share = what if isinstance(what, tuple) and len(what) == 2 else (each, what)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0.0 <= share < float("inf"):
            raise UsageError(
                f"operators[{each!r}] = {shortened(repr(what))}: expected a function and its share of the children, "
                "such as (mutate, 0.3)"
            )
        shares[name("operator", value, each)] = float(share)
    return shares
