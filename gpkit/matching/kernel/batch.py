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
def match(searches, positions, numbers, scratch, matched):  # type: ignore[no-untyped-def]
    """Match rules in positions, the searches preceded by a look at the signatures.

    Args:
        searches: of the rules.
        positions: their graphs.
        numbers: int16 (positions, NUMBERS_OF_POSITION).
        scratch: written.
        matched: uint8 (positions, rules), written: 1 if the rule may act.
    """
    nodes, neighbours = positions.nodes, positions.neighbours
    for position in range(matched.shape[0]):
        first = positions.starts[position]
        row, about = matched[position], numbers[position]
        preselect(searches.signatures, positions.signatures[position], row)
        fill_domains(nodes, first, positions.starts[position + 1], scratch.domains)
        for rule in range(row.shape[0]):
            if row[rule]:
                row[rule] = may_act(
                    searches.rules[rule], searches.absent, nodes, neighbours, first, about, scratch
                )


@kernel
def match_by_search(searches, positions, numbers, scratch, matched):  # type: ignore[no-untyped-def]
    """The same as ``match``, by the searches alone."""
    nodes, neighbours = positions.nodes, positions.neighbours
    for position in range(matched.shape[0]):
        first = positions.starts[position]
        row, about = matched[position], numbers[position]
        fill_domains(nodes, first, positions.starts[position + 1], scratch.domains)
        for rule in range(row.shape[0]):
            row[rule] = may_act(
                searches.rules[rule], searches.absent, nodes, neighbours, first, about, scratch
            )


@kernel
def find_images(searches, positions, numbers, scratch, maybe, found):  # type: ignore[no-untyped-def]
    """The images of the actions of rules in positions.

    Args:
        searches, positions, numbers, scratch: as of ``match``; the rules with the node of the action at place 0.
        maybe: uint8 (rules,), scratch.
        found: uint64 (positions, rules), written: a bit for each value of the edges of the position.
    """
    nodes, neighbours, ends = positions.nodes, positions.neighbours, positions.ends
    for position in range(found.shape[0]):
        first = positions.starts[position]
        about = numbers[position]
        preselect(searches.signatures, positions.signatures[position], maybe)
        fill_domains(nodes, first, positions.starts[position + 1], scratch.domains)
        for rule in range(maybe.shape[0]):
            found[position, rule] = (
                images(searches.rules[rule], searches.absent, nodes, neighbours, ends, first, about, scratch)
                if maybe[rule]
                else at.NONE
            )
