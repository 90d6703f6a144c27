"""Splices the compiled templates of a derivation's alternatives into one straight-line program."""

from gpkit.core.compiled import inlined, kernel


@inlined
def _number_slots(nodes, heads, leaves, slots):  # type: ignore[no-untyped-def]
    """Number the symbols that a derivation uses, in order; returns how many there are."""
    first = 0
    slots[:] = -1
    for node in nodes:
        if node < 0:
            slots[-1 - node] = 0
        else:
            for leaf in range(heads[node, 3], heads[node, 3] + heads[node, 4]):
                slots[leaves[leaf]] = 0
    for symbol in range(len(slots)):
        if slots[symbol] == 0:
            slots[symbol] = first
            first += 1
    return first


@kernel
def splice(nodes, heads, rows, leaves, slots, code, work):  # type: ignore[no-untyped-def]
    """Write the code of a derivation; returns the number of instructions, of slots, and the slot of the value.

    Args:
        nodes: int64 (nodes,), in prefix order: the number of an alternative, or −1 − the number of a leaf's symbol.
        heads: int64 (alternatives, 6): the template's number of parts, its first row, the row after its last one, its
            first leaf, its number of leaves, and the slot of its value; its slots are parts, leaves, and registers.
        rows: int64 (rows, 5): the instructions of all templates.
        leaves: int64 (leaves,): the symbols of the leaves of all templates.
        slots: int64 (symbols,), an output: the slots of the symbols, which come first; −1 for symbols without use.
        code: uint32 (instructions, 5), filled with the code.
        work: int64 (3, nodes + leaves + instructions), for the kernel's own use.
    """
    first = _number_slots(nodes, heads, leaves, slots)
    stack, free, local = work[0], work[1], work[2]
    depth, freed, size, length = 0, 0, first, 0
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        if node < 0:
            stack[depth] = slots[-1 - node]
            depth += 1
            continue
        parts, begin, end, leaf, count, result = heads[node]
        for k in range(parts):
            depth -= 1
            local[k] = stack[depth]
        for k in range(count):
            local[parts + k] = slots[leaves[leaf + k]]
        own = parts + count
        for row in range(begin, end):
            target = rows[row, 1]
            if target >= own:  # a register that the template uses for the first time
                if freed:
                    freed -= 1
                    local[own] = free[freed]
                else:
                    local[own] = size
                    size += 1
                own += 1
            code[length, 0] = rows[row, 0]
            for column in range(1, 5):
                code[length, column] = local[rows[row, column]]
            length += 1
        for k in range(own):
            if local[k] >= first and k != result:
                free[freed] = local[k]
                freed += 1
        stack[depth] = local[result]
        depth += 1
    code[length] = 0
    return length + 1, size, stack[0]
