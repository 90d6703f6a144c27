"""Static checks of a sinking program that parses; the checks follow its control flow."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.header import header_span, read_header
from gpkit.core.primitives import HostInstruction, PrimitiveSet
from gpkit.genomes.linear import Place
from gpkit.langkit.findings import KEYS, beyond_alphabet, checker, finding, header_findings, suggestions
from gpkit.languages.sinking.interpreter import EMPTY, TEMP, Facts, Flow, after_jump
from gpkit.languages.sinking.text import (
    SinkingSource,
    acts,
    dialect_of,
    repeats,
    switches,
    values,
    vocabulary,
    wrong_value,
)

Ways = Mapping[Place, tuple[Place, ...]]
"""The possible next places after every reachable place; a condition with a certain answer has only one next place."""


def flow_checks(
    source: SinkingSource, dialect: Mapping[str, str], primitives: PrimitiveSet
) -> Iterator[Diagnostic]:
    """Yield the findings in a program without unknown words, in any order, with at most one for each line."""
    flow = Flow(source.program, dialect, primitives)
    facts, answers, _ = flow.certain
    ways = {
        place: found if place not in answers else found[:1] if answers[place] else found[1:]
        for place, found in flow.ways.items()
        if place in facts
    }
    takes_shots = [
        name for name, word in flow.words.items() if isinstance(word, HostInstruction) and word.shoots
    ]
    shots = {place for place in ways if flow.program.word(place) in takes_shots}
    told = " or ".join(f"`{name}`" for name in takes_shots)
    if not shots:
        yield finding("W143", "this program never shoots", first_heading(source), f"{told} must be reached")
    else:
        yield from _circles(source, ways, shots, told)
        yield from _stuck(source, flow, sorted(shots))
    yield from _blocks(source, ways, shots)
    by_flow = list(_lines_by_flow(source, ways, flow))
    yield from (diagnostic for _, diagnostic in by_flow)
    yield from _unreached(source, ways)
    elsewhere = flow.introns - {place for place, _ in by_flow}
    for block, line in sorted(elsewhere & ways.keys()):
        yield finding(
            "I149",
            _why_idle((block, line), flow),
            source.spans[block][line],
            "without this line the program takes the same shots",
        )


def first_heading(source: SinkingSource) -> Span:
    """The position of the heading of the first block that has one."""
    return next(source.headings[name] for name in source.program.names if name in source.headings)


def _circles(
    source: SinkingSource, ways: Ways, shots: Collection[Place], shooting_words: str
) -> Iterator[Diagnostic]:
    """A finding about a loop without a shot, at its first line, or at the heading if the block is empty."""
    left, count = {place for place in ways if place not in shots}, -1
    while len(left) != count:  # a place that leads only to shots and to removed places is on no cycle
        count = len(left)
        for place in sorted(left, reverse=True):
            if left.isdisjoint(ways[place]):
                left.remove(place)
    if not left:
        return
    trail = [min(left)]
    while trail[-1] not in trail[:-1]:
        trail.append(next(way for way in ways[trail[-1]] if way in left))
    block, line = min(trail[trail.index(trail[-1]) :])
    message = "control can return here without a shot; after 1000 steps without one the game is invalid"
    lines, heading = source.spans[block], source.headings.get(source.program.names[block])
    span = lines[line] if line < len(lines) else heading or first_heading(source)
    yield finding("W142", message, span, f"make every loop pass a {shooting_words}")


def _is_stuck(flow: Flow, shot: Place, known: Facts) -> bool:
    """Whether the program, given these facts, loops forever with the same target after this shot misses.

    The check follows the control flow as long as there is only one path. The check stops at an instruction that writes
    the target or draws a number, and at a condition whose answer is unknown. Any other shot at the same square also
    misses.
    """
    place, seen, rounds = flow.ways[shot][0], set[tuple[Place, Facts]](), 0
    while (place, known) not in seen:
        seen.add((place, known))
        word = flow.words.get(flow.program.word(place))
        ways = flow.onward(place, known)
        if isinstance(word, HostInstruction) and word.shoots:
            rounds, ways = rounds + 1, [(flow.ways[place][0], known)]
        elif word is not None and ("TargetPos" in word.writes or acts(word, flow.dialect)):
            return False
        if len(ways) != 1:
            return False
        ((place, known),) = ways
    return rounds > 0


def _stuck(source: SinkingSource, flow: Flow, shots: Sequence[Place]) -> Iterator[Diagnostic]:
    """A finding about the first shot that the program, after a miss, repeats at the same square forever.

    The finding must be true for all possible facts at that shot: a single miss there makes the game invalid. Loops that
    move the target cause no finding, even if they never reach a new square.
    """
    certain, *_ = flow.certain
    for block, line in shots:
        shot, facts = flow.words[flow.program.word((block, line))], certain[block, line]
        possible = [(False, True) if fact is None else (fact,) for fact in (facts[TEMP], facts[EMPTY])]
        known = [(False, temp, False, empty, None) for temp, empty in product(*possible)]
        if not repeats(shot, flow.dialect) and all(_is_stuck(flow, (block, line), each) for each in known):
            yield finding(
                "W153",
                f"after a miss of this `{shot.name}` the program shoots at the same square for ever, which costs "
                "nothing; after 1000 steps without a shot that counts the game is invalid",
                source.spans[block][line],
                "move the target on every way back to a shot",
            )
            return


def _blocks(source: SinkingSource, ways: Ways, shots: Collection[Place]) -> Iterator[Diagnostic]:
    """Findings about blocks that the program never enters or never leaves, and about blocks that never shoot."""
    program = source.program
    for b, (name, block) in enumerate(zip(program.names, program.blocks, strict=True)):
        if not block:
            continue
        heading = source.headings[name]
        if (b, 0) not in ways:
            message = f"control never reaches `{name}`"
            yield finding("W141", message, heading, f"`Jump` leads to it from `{program.names[b - 1]}`")
            continue
        if shots and not any(place[0] == b for place in shots):
            yield finding(
                "I151",
                f"`{name}` never shoots",
                heading,
                "that is fine if another block shoots at the target it prepares",
            )
        leaves = any(way[0] != b for place, out in ways.items() if place[0] == b for way in out)
        if b > 0 and not leaves:
            message = f"control never leaves `{name}`"
            target = program.names[after_jump(program, b)[0]]
            yield finding("W145", message, heading, f"a `Jump` that is reached leads to `{target}`")


def _lines_by_flow(source: SinkingSource, ways: Ways, flow: Flow) -> Iterator[tuple[Place, Diagnostic]]:
    """Findings about conditions at the end of a block, and about conditions that always have the same answer."""
    _, answers, _ = flow.certain
    for place in filter(ways.__contains__, flow.program.places()):
        block, line = place
        word = flow.program.word(place)
        span = source.spans[block][line]
        if word in flow.conditions and line + 1 == len(flow.program.blocks[block]):
            message = f"`{word}` is the last line of its block, so it has nothing to guard"
            yield place, finding("W144", message, span, "remove it, or write a line below it")
        elif place in answers:
            always = "always" if answers[place] else "never"
            (flag,) = flow.words[word].reads
            is_true = answers[place] is (word not in ("IfMiss", "IfFalse"))
            because = (
                f": {flag} is {str(is_true).lower()} whenever control reaches it" if flag != "Count" else ""
            )
            message = f"`{word}` {always} holds{because}"
            fix = "remove it" if answers[place] else "remove it together with what it guards"
            yield place, finding("W152", message, span, fix)


def _unreached(source: SinkingSource, ways: Ways) -> Iterator[Diagnostic]:
    """Findings about sequences of unreachable lines in blocks that the program enters."""
    for b, spans in enumerate(source.spans):
        lost = [k for k in range(len(spans)) if (b, k) not in ways and (b, 0) in ways]
        for first in (k for k in lost if k - 1 not in lost):
            more = next(k for k in range(len(spans)) if first + k + 1 not in lost)
            span = replace(spans[first], end=spans[first + more].end)
            several = {0: "", 1: " and the line below it"}.get(more, f" and the {more} lines below it")
            yield finding(
                "W140",
                f"this `{source.program.blocks[b][first]}`{several} can never be reached",
                span,
                "remove what is never reached, or make it reachable",
            )


def _why_idle(place: Place, flow: Flow) -> str:
    """The reason why a reachable line has no effect."""
    name = flow.program.word(place)
    if name == "Nop":
        return "`Nop` does nothing"
    if name == "Jump":
        return "control goes there even without this `Jump`"
    return (
        f"nothing depends on this `{name}`"
        if name in flow.conditions
        else f"this `{name}` changes nothing: that is already so"
        if place in flow.certain[-1]
        else f"the {' and '.join(flow.words[name].writes)} of this `{name}` is never used"
    )


NAME = "sinking"
"""The name that games use for this language."""

FOLLOWED_LINES = 1_000
"""The maximum number of lines in a program for which the control flow is checked; programs for games are smaller."""


def _findings(source: SinkingSource, primitives: PrimitiveSet | None) -> Iterable[Diagnostic]:
    """The findings in a program.

    Without a game, the check does not look up words, count lines, or search for lines without effect.

    Raises:
        UsageError: a switch or a placement has an invalid value that was set outside the text.
    """
    findings = list(_header(source, primitives))
    if primitives is not None:
        findings += _sizes(source, primitives.capacities)
        findings += _words(source, primitives)
        known = not any(found.code in ("E130", "E133") for found in findings)
        if known and len(source.program) <= FOLLOWED_LINES:
            findings += flow_checks(source, dialect_of(source.header, primitives), primitives)
    return findings


check = checker(NAME, "E134", first_heading, _findings)
"""The findings in a program, in the order of its text."""


def _header(source: SinkingSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    yield from header_findings(
        source,
        primitives,
        unknown_game="E132",
        other_game="W147",
        unknown_alphabet="E135",
        keys=(*KEYS, "dialect", "placement", *(switch.name for switch in switches(primitives))),
    )
    said = read_header(source.text)
    placement, known = source.header.get("placement", ""), () if primitives is None else primitives.placements
    if placement and known and placement not in known:
        message, fix = f"there is no placement `{placement}`", suggestion(placement, known)
        if said.get("placement") != placement:
            raise UsageError(f"{message}; {fix}")
        yield finding("E136", message, header_span(source.text, "placement"), fix)
    for key, value in said.items():
        possible = values(key, primitives)
        if possible and value not in possible and source.header.get(key) == value:
            fix = suggestion(value, possible)
            yield finding("E133", wrong_value(key, value), header_span(source.text, key), fix)


def _sizes(source: SinkingSource, capacities: tuple[int, ...]) -> Iterator[Diagnostic]:
    """Findings about blocks with too many lines, and about headings with wrong counts."""
    program = source.program
    blocks = zip(program.names, program.blocks, capacities, source.spans, strict=True)
    for name, block, capacity, spans in blocks:
        if len(block) > capacity:
            yield finding(
                "E131",
                f"`{name}` holds at most {capacity} lines, got {len(block)}",
                spans[capacity],
                "remove lines, here or above",
            )
        said = source.counts.get(name)
        if said and said != (len(block), capacity):
            yield finding(
                "W146",
                f"the heading says ({said[0]}/{said[1]}), but there are ({len(block)}/{capacity}) lines",
                source.headings[name],
                f"write `{name}:`",
            )


def _words(source: SinkingSource, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    """Findings about unknown words, and about words outside the alphabet.

    The alphabet is the one that the header names or, without one, the words of the article.
    """
    words = vocabulary(primitives)
    by_lower = {name.lower(): name for name in words}
    near = suggestions(words)
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))
    lines = zip(source.program.blocks, source.spans, strict=True)
    for word, span in (line for block, spans in lines for line in zip(block, spans, strict=True)):
        if word not in words:
            message = f"`{primitives.game}` has no instruction `{word}`"
            same = by_lower.get(word.lower())
            yield finding("E130", message, span, f"did you mean `{same}`?" if same else near(word))
        elif alphabet is not None and word not in alphabet.instructions:
            yield beyond_alphabet(
                "W148", f"`{word}`", alphabet, span, "remove it, or name an alphabet that has it"
            )
        elif alphabet is None and words[word].level > 0:
            message = f"`{word}` is of level {words[word].level}: beyond the language's source"
            promise = next((a.name for a in primitives.alphabets if word in a.instructions), "")
            yield finding(
                "I150",
                message,
                span,
                f"`// alphabet: {promise}` in the header says that this is meant" if promise else "",
            )
