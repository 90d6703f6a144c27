"""Hints as a page shows them: the move, the candidates as bars, why the best one is best, and the formula."""

import re
from collections.abc import Sequence
from typing import Any

from gpkit.core.primitives import offered
from gpkit.draw.frames import valued_text
from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.svg import number, signed
from gpkit.gamekit.words import number_word
from gpkit.playing.conversation import Advice, Conversation, Line
from gpkit.playing.decisions import Decision, StepTable

MOST_BARS = 6
"""Candidates that are shown with a bar."""


def shown_hint(said: Conversation, state: ObservableState, advice: Advice, adviser: str) -> dict[str, Any]:
    """Values of the panel of a hint.

    Args:
        said: the conversation.
        state: in which the person is to choose.
        advice: of the adviser.
        adviser: its name.
    """
    view, best = said.view, advice.actions
    known = {action: value for action, value in advice.values.items() if abs(value) < float("inf")}
    head = ""
    if best:
        head = view.words.act(state, best[0], view.action_text(state, best[0]))
        more = len(best) - 1
        head += f", or {'another' if more == 1 else f'{number_word(more)} others'} as good" if more else ""
    name = adviser.replace("_", " ")
    by = re.search(r"\((by [^)]*)\)$", str(advice.parts[0])) if advice.parts else None
    low, high = min([0.0, *known.values()]), max([0.0, *known.values()])
    scale, decision = 100 / ((high - low) or 1.0), advice.decision
    return {
        "head": head,
        "put": view.action_text(state, best[0]) if best and view.action_parts(state) else "",
        "intro": f"{name} gives each {view.words.noun} a value and takes the highest. {view.words.worth}"
        if known
        else f"{name} would do this{f', {by[1]}' if by else ''}."
        if best
        else "",
        "rows": _bars(said, state, known, best, -low, scale),
        "more": max(len(known) - MOST_BARS, 0),
        "zero": number(-low * scale),
        "reason": _reason(said, state, decision) if decision is not None else "",
        "fact": view.words.fact(state, best[0]) if best else "",
        "formula": valued_text(decision.evaluations[decision.chosen]) if decision is not None else "",
        "said": [] if known else [shown_part(part) for part in advice.parts[bool(best) :]],
    }


def shown_part(part: Line) -> dict[str, Any]:
    """Values of something that is said: words, lines, or a table."""
    if isinstance(part, StepTable):
        return {"kind": "table", "table": part}
    text = str(part).strip("\n")
    return {"kind": "lines" if "\n" in text else "words", "text": text}


def _bars(
    said: Conversation,
    state: ObservableState,
    values: dict[int, float],
    best: Sequence[int],
    zero: float,
    scale: float,
) -> list[dict[str, Any]]:
    """The best candidates, each with the place and the length of its bar, where the values are from ``-zero`` on."""
    ranked = sorted(values, key=lambda action: (-values[action], action not in best))[:MOST_BARS]
    return [
        {
            "text": said.view.action_text(state, action).replace("_", " "),
            "value": signed(values[action], values),
            "x": number((zero + min(values[action], 0.0)) * scale),
            "width": number(max(abs(values[action]) * scale, 0.5)),
            "best": action in best,
        }
        for action in ranked
    ]


def _reason(said: Conversation, state: ObservableState, decision: Decision) -> str:
    """The reason for the best candidate, by the sensor that tells it from the next."""
    found = decision.telling()
    if found is None:
        return ""
    name, other = found
    chosen = decision.evaluations[decision.chosen]
    theirs = decision.evaluations[decision.actions.index(other)].sensors[name]
    offers = offered(said.game.offers, chosen.tree.language)
    meanings = {each.name: each.meaning for each in offers.sensors} if offers is not None else {}
    text = said.view.action_text(state, other)
    why: str = said.view.words.reason(name, meanings.get(name, name), chosen.sensors[name], text, theirs)
    return why.replace("`", "").replace("_", " ")
