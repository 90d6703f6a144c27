"""Static checks of a program that can be read: header, words, sizes, and, by control flow, what does no work."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.header import header_span, read_header
from gpkit.core.primitives import HostInstruction, PrimitiveSet
from gpkit.genomes.linear import Place
from gpkit.langkit.findings import beyond_alphabet, checker, finding, header_findings, suggestions
from gpkit.languages.sinking.introns import EMPTY, TEMP, Facts, Flow, after_jump
from gpkit.languages.sinking.parser import SinkingSource
from gpkit.languages.sinking.words import acts, dialect_of, repeats, switches, values, vocabulary, wrong_value

Ways = Mapping[Place, tuple[Place, ...]]
"""Control flow from every place that can be reached; of certain conditions the one way that is taken."""


def flow_checks(
    source: SinkingSource, dialect: Mapping[str, str], primitives: PrimitiveSet
) -> Iterator[Diagnostic]:
    """The findings in a program whose words are all known, in no order; a line has at most one."""
    flow = Flow(source.program, dialect, primitives)
    answers = flow.certain.answers
    ways = {
        place: found if place not in answers else found[:1] if answers[place] else found[1:]
        for place, found in flow.ways.items()
        if place in flow.certain.facts
    }
    takes_shots = [
        name for name, word in flow.words.items() if isinstance(word, HostInstruction) and word.shoots
    ]
    shots = {place for place in ways if flow.program.word(place) in takes_shots}
    told = " or ".join(f"`{name}`" for name in takes_shots)
    if not shots:
        message = "this program never shoots"
        yield finding("W143", "warning", message, first_heading(source), f"{told} must be reached")
    else:
        yield from _circles(source, ways, shots, told)
        yield from _stuck(source, flow, sorted(shots))
    yield from _blocks(source, ways, shots)
    by_flow = list(_lines_by_flow(source, ways, flow))
    yield from (diagnostic for _, diagnostic in by_flow)
    yield from _unreached(source, ways)
    elsewhere = flow.introns - {place for place, _ in by_flow}
    for block, line in sorted(elsewhere & ways.keys()):
        message, fix = _why_idle((block, line), flow)
        yield finding("I149", "info", message, source.spans[block][line], fix)


def first_heading(source: SinkingSource) -> Span:
    """The place of the first heading."""
    return next(heading.span for heading in source.headings if heading is not None)


def _circles(
    source: SinkingSource, ways: Ways, shots: Collection[Place], shooting_words: str
) -> Iterator[Diagnostic]:
    """The first line, or heading of an empty block, on a way that leads back to itself without a shot."""
    left, count = {place for place in ways if place not in shots}, -1
    while len(left) != count:  # what goes on only to shots and to places that are out already is on no circle
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
    lines, heading = source.spans[block], source.headings[block]
    span = lines[line] if line < len(lines) else heading.span if heading else first_heading(source)
    yield finding("W142", "warning", message, span, f"make every loop pass a {shooting_words}")


def _is_stuck(flow: Flow, shot: Place, known: Facts) -> bool:
    """Whether after a miss of this shot, with these facts, control goes round for ever with the target unmoved.

    It is followed as long as there is one way: up to an instruction that writes the target or draws a number, or a
    condition of which the facts do not say whether it holds. A shot at the same square is a miss again.
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
    """The first shot after which, if it misses, the same square is shot at for ever.

    It is told only where that holds whatever else is so when control comes there: such a shot need but be reached and
    miss on the board, and the game is invalid. Of loops that move the target nothing is said, though they may lead
    nowhere new.
    """
    for block, line in shots:
        shot = flow.words[flow.program.word((block, line))]
        facts = flow.certain.facts[block, line]
        possible = [(False, True) if fact is None else (fact,) for fact in (facts[TEMP], facts[EMPTY])]
        known = [(False, temp, False, empty, None) for temp, empty in product(*possible)]
        if not repeats(shot, flow.dialect) and all(_is_stuck(flow, (block, line), each) for each in known):
            message = (
                f"after a miss of this `{shot.name}` the program shoots at the same square for ever, which costs "
                "nothing; after 1000 steps without a shot that counts the game is invalid"
            )
            fix = "move the target on every way back to a shot"
            yield finding("W153", "warning", message, source.spans[block][line], fix)
            return


def _blocks(source: SinkingSource, ways: Ways, shots: Collection[Place]) -> Iterator[Diagnostic]:
    """Blocks that are never entered, that never shoot, and that are never left."""
    program = source.program
    for b, (name, block, heading) in enumerate(
        zip(program.names, program.blocks, source.headings, strict=True)
    ):
        if not block or heading is None:
            continue
        if (b, 0) not in ways:
            message = f"control never reaches `{name}`"
            fix = f"`Jump` leads to it from `{program.names[b - 1]}`"
            yield finding("W141", "warning", message, heading.span, fix)
            continue
        if shots and not any(place[0] == b for place in shots):
            fix = "that is fine if another block shoots at the target it prepares"
            yield finding("I151", "info", f"`{name}` never shoots", heading.span, fix)
        leaves = any(way[0] != b for place, out in ways.items() if place[0] == b for way in out)
        if b > 0 and not leaves:
            message = f"control never leaves `{name}`"
            target = program.names[after_jump(program, b)[0]]
            fix = f"a `Jump` that is reached leads to `{target}`"
            yield finding("W145", "warning", message, heading.span, fix)


def _lines_by_flow(source: SinkingSource, ways: Ways, flow: Flow) -> Iterator[tuple[Place, Diagnostic]]:
    """Conditions at the end of a block, and conditions that always fall the same way."""
    answers = flow.certain.answers
    for place in filter(ways.__contains__, flow.program.places()):
        block, line = place
        word = flow.program.word(place)
        span = source.spans[block][line]
        if word in flow.conditions and line + 1 == len(flow.program.blocks[block]):
            message = f"`{word}` is the last line of its block, so it has nothing to guard"
            yield place, finding("W144", "warning", message, span, "remove it, or write a line below it")
        elif place in answers:
            always = "always" if answers[place] else "never"
            (flag,) = flow.words[word].reads
            is_true = answers[place] is (word not in ("IfMiss", "IfFalse"))
            because = (
                f": {flag} is {str(is_true).lower()} whenever control reaches it" if flag != "Count" else ""
            )
            message = f"`{word}` {always} holds{because}"
            fix = "remove it" if answers[place] else "remove it together with what it guards"
            yield place, finding("W152", "warning", message, span, fix)


def _unreached(source: SinkingSource, ways: Ways) -> Iterator[Diagnostic]:
    """Runs of lines that are never reached, in blocks that are entered."""
    for b, spans in enumerate(source.spans):
        lost = [k for k in range(len(spans)) if (b, k) not in ways and (b, 0) in ways]
        for first in (k for k in lost if k - 1 not in lost):
            more = next(k for k in range(len(spans)) if first + k + 1 not in lost)
            span = replace(spans[first], end=spans[first + more].end)
            several = {0: "", 1: " and the line below it"}.get(more, f" and the {more} lines below it")
            message = f"this `{source.program.blocks[b][first]}`{several} can never be reached"
            fix = "remove what is never reached, or make it reachable"
            yield finding("W140", "warning", message, span, fix)


def _why_idle(place: Place, flow: Flow) -> tuple[str, str]:
    """Reason that a line that is reached has no effect, and what to do about it."""
    name = flow.program.word(place)
    word = flow.words[name]
    fix = "without this line the program takes the same shots"
    if name == "Nop":
        return "`Nop` does nothing", fix
    if name == "Jump":
        return "control goes there even without this `Jump`", fix
    if word.is_condition:
        return f"nothing depends on this `{name}`", fix
    if place in flow.certain.idle:
        return f"this `{name}` changes nothing: that is already so", fix
    return f"the {' and '.join(word.writes)} of this `{name}` is never used", fix


NAME = "sinking"
"""Name of the language, by which games refer to it."""

FOLLOWED_LINES = 1_000
"""The most lines of a program whose control flow is followed; no blocks of a game hold so many."""


def _findings(source: SinkingSource, primitives: PrimitiveSet | None) -> Iterable[Diagnostic]:
    """The findings in a program.

    Without a game words are not looked up, lines are not counted, and those that do no work are not looked for.

    Raises:
        UsageError: the header was given a switch or a placement with a wrong value that is not in the text.
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
"""The findings in a program, by their place in its text."""


def _header(source: SinkingSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    yield from header_findings(
        source,
        primitives,
        unknown_game="E132",
        other_game="W147",
        unknown_alphabet="E135",
        keys=("dialect", "placement", *(switch.name for switch in switches(primitives))),
    )
    said = read_header(source.text)
    placement, known = source.header.get("placement", ""), () if primitives is None else primitives.placements
    if placement and known and placement not in known:
        message, fix = f"there is no placement `{placement}`", suggestion(placement, known)
        if said.get("placement") != placement:
            raise UsageError(f"{message}; {fix}")
        yield finding("E136", "error", message, header_span(source.text, "placement"), fix)
    for key, value in said.items():
        possible = values(key, primitives)
        if possible and value not in possible and source.header.get(key) == value:
            fix = suggestion(value, possible)
            yield finding("E133", "error", wrong_value(key, value), header_span(source.text, key), fix)


def _sizes(source: SinkingSource, capacities: tuple[int, ...]) -> Iterator[Diagnostic]:
    """Blocks with more lines than they hold, and headings that miscount."""
    program = source.program
    blocks = zip(program.names, program.blocks, capacities, source.spans, source.headings, strict=True)
    for name, block, capacity, spans, heading in blocks:
        if len(block) > capacity:
            message = f"`{name}` holds at most {capacity} lines, got {len(block)}"
            yield finding("E131", "error", message, spans[capacity], "remove lines, here or above")
        said = heading and heading.counts
        if heading and said and said != (len(block), capacity):
            message = f"the heading says ({said[0]}/{said[1]}), but there are ({len(block)}/{capacity}) lines"
            yield finding("W146", "warning", message, heading.span, f"write `{name}:`")


def _words(source: SinkingSource, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    """Unknown words, and those outside the alphabet that the header promises; without one, beyond the source."""
    words = vocabulary(primitives)
    by_lower = {name.lower(): name for name in words}
    near = suggestions(words)
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))
    lines = zip(source.program.blocks, source.spans, strict=True)
    for word, span in (line for block, spans in lines for line in zip(block, spans, strict=True)):
        if word not in words:
            message = f"`{primitives.game}` has no instruction `{word}`"
            same = by_lower.get(word.lower())
            fix = f"did you mean `{same}`?" if same else near(word)
            yield finding("E130", "error", message, span, fix)
        elif alphabet is not None and word not in alphabet.instructions:
            fix = "remove it, or name an alphabet that has it"
            yield beyond_alphabet("W148", f"`{word}`", alphabet, span, fix)
        elif alphabet is None and words[word].level > 0:
            message = f"`{word}` is of level {words[word].level}: beyond the language's source"
            promise = next((a.name for a in primitives.alphabets if word in a.instructions), "")
            fix = f"`// alphabet: {promise}` in the header says that this is meant" if promise else ""
            yield finding("I150", "info", message, span, fix)
