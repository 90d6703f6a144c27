"""Splices the compiled templates of a derivation's alternatives into one straight-line program."""

from gpkit.core.compiled import kernel


@kernel
def splice(nodes, heads, rows, leaves, first, code, work):  # type: ignore[no-untyped-def]
    """Write the code of a derivation; returns the number of instructions, of slots, and the slot of the value.

    Args:
        nodes: int64 (nodes,), in prefix order: the number of an alternative, or −1 − the slot of a leaf.
        heads: int64 (alternatives, 6): the template's number of parts, its first row, the row after its last one, its
            first leaf, its number of leaves, and the slot of its value; its slots are parts, leaves, and registers.
        rows: int64 (rows, 5): the instructions of all templates.
        leaves: int64 (leaves,): the slots of the leaves of all templates.
        first: the number of slots for leaves; registers come after them.
        code: uint32 (instructions, 5), filled with the code.
        work: int64 (3, nodes + leaves + instructions), for the kernel's own use.
    """
    stack, free, local = work[0], work[1], work[2]
    depth, freed, size, length = 0, 0, first, 0
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        if node < 0:
            stack[depth] = -1 - node
            depth += 1
            continue
        parts, begin, end, leaf, count, result = heads[node]
        for k in range(parts):
            depth -= 1
            local[k] = stack[depth]
        for k in range(count):
            local[parts + k] = leaves[leaf + k]
        slots = parts + count
        for row in range(begin, end):
            target = rows[row, 1]
            if target >= slots:  # a register that the template uses for the first time
                if freed:
                    freed -= 1
                    local[slots] = free[freed]
                else:
                    local[slots] = size
                    size += 1
                slots += 1
            code[length, 0] = rows[row, 0]
            for column in range(1, 5):
                code[length, column] = local[rows[row, column]]
            length += 1
        for k in range(slots):
            if local[k] >= first and k != result:
                free[freed] = local[k]
                freed += 1
        stack[depth] = local[result]
        depth += 1
    code[length] = 0
    return length + 1, size, stack[0]
