"""All of many rules in all of many positions."""

from gpkit.core.compiled import inlined, kernel
from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel.search import fill_domains, images, may_act
from gpkit.matching.kernel.signature import may_match


@inlined
def preselect(signatures, position, maybe):  # type: ignore[no-untyped-def]
    """Tell the rules that ask for more of something than a position has from those that may match.

    Args:
        signatures: uint64 (WORDS, rules).
        position: uint64 (WORDS,), the signature of the position.
        maybe: uint8 (rules,), written: 1 if the rule may match.
    """
    for rule in range(signatures.shape[1]):
        maybe[rule] = may_match(position, signatures[0, rule], signatures[1, rule])


@kernel
def match(  # type: ignore[no-untyped-def]
    rules,
    absent,
    signatures,
    nodes,
    neighbours,
    starts,
    position_signatures,
    numbers,
    domains,
    stack,
    matched,
):
    """Match rules in positions, the searches preceded by a look at the signatures.

    Args:
        rules, absent: int16 (rows, PLACES + PLACE · places + CONDITION · conditions).
        signatures: uint64 (WORDS, rules).
        nodes: int16 (nodes, NODE).
        neighbours: uint64 (nodes, STRINGS).
        starts: int64 (positions + 1,): the first row of each position, and the end.
        position_signatures: uint64 (positions, WORDS).
        numbers: int16 (positions, NUMBERS_OF_POSITION).
        domains, stack: uint64, scratch.
        matched: uint8 (positions, rules), written: 1 if the rule may act.
    """
    for position in range(matched.shape[0]):
        first = starts[position]
        row, about = matched[position], numbers[position]
        preselect(signatures, position_signatures[position], row)
        fill_domains(nodes, first, starts[position + 1], domains)
        for rule in range(row.shape[0]):
            if row[rule]:
                row[rule] = may_act(rules[rule], absent, nodes, neighbours, first, about, domains, stack)


@kernel
def match_by_search(  # type: ignore[no-untyped-def]
    rules, absent, nodes, neighbours, starts, numbers, domains, stack, matched
):
    """The same as ``match``, by the searches alone."""
    for position in range(matched.shape[0]):
        first = starts[position]
        row, about = matched[position], numbers[position]
        fill_domains(nodes, first, starts[position + 1], domains)
        for rule in range(row.shape[0]):
            row[rule] = may_act(rules[rule], absent, nodes, neighbours, first, about, domains, stack)


@kernel
def find_images(  # type: ignore[no-untyped-def]
    rules,
    absent,
    signatures,
    nodes,
    neighbours,
    ends,
    starts,
    position_signatures,
    numbers,
    domains,
    stack,
    maybe,
    found,
):
    """The images of the actions of rules in positions.

    Args:
        ends: int16 (nodes, END_SLOTS).
        maybe: uint8 (rules,), scratch.
        found: uint64 (positions, rules), written: a bit for each value of the strings of the position.
        rules, absent, signatures, nodes, neighbours, starts, position_signatures, numbers, domains, stack: as of
            ``match``; the rules with the node of the action at place 0.
    """
    for position in range(found.shape[0]):
        first = starts[position]
        about = numbers[position]
        preselect(signatures, position_signatures[position], maybe)
        fill_domains(nodes, first, starts[position + 1], domains)
        for rule in range(maybe.shape[0]):
            found[position, rule] = (
                images(rules[rule], absent, nodes, neighbours, ends, first, about, domains, stack)
                if maybe[rule]
                else at.NONE
            )
