"""Children of a whole generation of formulas: drawn parents, variation and limits, as the operators one by one do it.

A formula is a part of three arrays in prefix order: ``words`` int32 (operators in the order of the alphabet, then its
sensors, then the constant), ``values`` float64 (of constants, 0 elsewhere), ``sizes`` int32 (of subtrees). Every child
draws the numbers of its own key (``gpkit.genomes.kernel.philox``).
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.hashing import mixed_with
from gpkit.genomes.kernel.philox import next_uniform, start_stream

CLONE, CONSTANTS, SUBTREE, CROSSOVER, POINT, HOIST, SHRINK, WRAP = range(8)

ROOT, OCTAVES, LOW, WIDTH, TARPEIAN, MEAN_SIZE, INNER, TWO = range(8)
"""Places of ``numbers``: the root of a tournament's size, the settings of operators, and what decides by size."""

ELITES, ATTEMPTS, ONE_TREE, ONE_CONSTANT, LEVELS, RANDOM_MOST, MOST_NODES, MOST_LEVELS, SENSORS, LEAVES = (
    range(10)
)
"""Places of ``counts``; −1 is no limit. Leaves are sensors, and one more where there are constants."""

KIND, FIRST, SECOND, POSITION, DOOMED, END, CHANGED = range(7)
"""Columns of ``made``: the operator by its place among the shares (−1 is a clone), the places of the parents, the
position that was changed (−1 without any), whether its size dooms the child, where its nodes end, whether it differs
from its first parent."""


@kernel
def breed(first, keys, pool, plan, made, child):  # type: ignore[no-untyped-def]
    """Breed children until the room for the nodes of one does not suffice.

    Args:
        first: the index of the first child.
        keys: uint64 (children, 2), of their random numbers.
        pool: (words, values, sizes, starts, ends) of the population: int32, float64, int32 (nodes,), int64
            (individuals,), int64 (individuals,).
        plan: (sums, kinds, ranks, arities, numbers, counts): float64 (operators,), running sums of their shares; int64
            (operators,); int64 (individuals,), places from the fittest on; int64 (operators of formulas,); float64
            and int64 as named above.
        made: int64 (children, 7), written.
        child: (words, values, sizes, pending, random), written: int32, float64, int32 (nodes,), the formulas of the
            children one after another; scratch int64, and uint64 (7,).

    Returns:
        The index of the child that was not made.
    """
    kinds, counts = plan[1], plan[5]
    starts, ends, random = pool[3], pool[4], child[4]
    start = made[first - 1, END] if first > 0 else 0
    for index in range(first, keys.shape[0]):
        row = made[index]
        row[KIND], row[FIRST], row[SECOND], row[POSITION], row[DOOMED], row[CHANGED] = -1, index, -1, -1, 0, 0
        start_stream(random, keys[index])
        varied = False
        for _ in range(counts[ATTEMPTS] if index >= counts[ELITES] else 0):
            _mate(random, plan, row)
            varied = kinds[row[KIND]] != CLONE
            if not varied:
                break
            room = ends[row[FIRST]] - starts[row[FIRST]] + counts[RANDOM_MOST]
            if row[SECOND] >= 0:
                room += ends[row[SECOND]] - starts[row[SECOND]]
            if start + room > child[0].shape[0]:
                return index
            row[END] = _vary(pool, plan, row, child, start)
            varied = _admitted(child, start, row[END], counts)
            row[CHANGED] = 1 if _differs(pool, row[FIRST], child, start, row[END]) else 0
            if varied and row[CHANGED] == 1:
                break
        if not varied:
            row[KIND], row[POSITION], row[CHANGED] = -1, -1, 0
            own = starts[row[FIRST]]
            if start + ends[row[FIRST]] - own > child[0].shape[0]:
                return index
            row[END] = _copy(pool, own, ends[row[FIRST]] - own, child, start)
        elif plan[4][TARPEIAN] > 0.0 and row[END] - start > plan[4][MEAN_SIZE]:
            row[DOOMED] = 1 if next_uniform(random) < plan[4][TARPEIAN] else 0
        start = row[END]
    return keys.shape[0]


@inlined
def _below(random, count):  # type: ignore[no-untyped-def]
    """A uniform integer of 0 … count − 1."""
    return np.int64(next_uniform(random) * count)


@inlined
def _mate(random, plan, row):  # type: ignore[no-untyped-def]
    """Draw an operator by its share, and its parents by tournaments."""
    sums, kinds, ranks, numbers = plan[0], plan[1], plan[2], plan[4]
    mark = next_uniform(random) * sums[sums.shape[0] - 1]
    kind = 0
    while kind < sums.shape[0] - 1 and sums[kind] <= mark:
        kind += 1
    row[KIND], row[SECOND] = kind, -1
    for k in range(2 if kinds[kind] == CROSSOVER else 1):
        uniform = next_uniform(random)
        row[FIRST + k] = ranks[np.int64(ranks.shape[0] * (1.0 - (1.0 - uniform) ** numbers[ROOT]))]


@inlined
def _vary(pool, plan, row, child, start):  # type: ignore[no-untyped-def]
    """Write the child of an operator from ``start`` on, and where it was changed; returns where it ends."""
    kind, counts, random = plan[1][row[KIND]], plan[5], child[4]
    words, sizes, starts, ends = pool[0], pool[2], pool[3], pool[4]
    own = starts[row[FIRST]]
    nodes = ends[row[FIRST]] - own
    row[POSITION] = -1
    if kind == CONSTANTS:
        return _scale_constants(pool, plan, row, child, start)
    if counts[ONE_TREE]:
        next_uniform(random)  # the only tree is drawn
    if kind in (HOIST, SHRINK):
        inner = 0
        for i in range(nodes):
            inner += 1 if sizes[own + i] > 1 else 0
        row[POSITION] = 0
        if inner == 0:
            return _copy(pool, own, nodes, child, start)
        chosen = _below(random, inner)
        position = 0
        while True:
            if sizes[own + position] > 1:
                if chosen == 0:
                    break
                chosen -= 1
            position += 1
    else:
        position = _below(random, nodes)
    row[POSITION] = position
    there = start + position
    if kind == POINT and sizes[own + position] > 1:
        end = _copy(pool, own, nodes, child, start)
        child[0][there] = _other_operator(random, plan, words[own + position])
        return end
    if kind == CROSSOVER:
        other = starts[row[SECOND]]
        node = other + _below(random, ends[row[SECOND]] - other)
        _copy(pool, node, sizes[node], child, there)
        given = np.int64(sizes[node])
    elif kind == HOIST:
        node = own + position + 1 + _below(random, sizes[own + position] - 1)
        _copy(pool, node, sizes[node], child, there)
        given = np.int64(sizes[node])
    elif kind == WRAP:
        given = _wrapped(pool, plan, own + position, child, there)
    else:
        given = _random_tree(plan, counts[LEVELS] if kind == SUBTREE else 1, child, there)
    return _around(pool, own, nodes, position, given, child, start)


@inlined
def _copy(pool, node, nodes, child, there):  # type: ignore[no-untyped-def]
    """Copy nodes of the population; returns where the copy ends."""
    for i in range(nodes):
        child[0][there + i] = pool[0][node + i]
        child[1][there + i] = pool[1][node + i]
        child[2][there + i] = pool[2][node + i]
    return np.int64(there + nodes)


@inlined
def _around(pool, own, nodes, position, given, child, start):  # type: ignore[no-untyped-def]
    """Copy the parent around the ``given`` nodes that replace one of its subtrees; returns where the child ends."""
    sizes = pool[2]
    after = position + sizes[own + position]
    _copy(pool, own, position, child, start)
    end = _copy(pool, own + after, nodes - after, child, start + position + given)
    change = given - sizes[own + position]
    ancestor = 0
    while ancestor < position:
        child[2][start + ancestor] += change
        ancestor += 1
        while ancestor + sizes[own + ancestor] <= position:
            ancestor += sizes[own + ancestor]
    return end


@inlined
def _wrapped(pool, plan, branch, child, there):  # type: ignore[no-untyped-def]
    """Write a random operator with a branch among its operands and random leaves; returns the number of nodes."""
    arities, nodes = plan[3], np.int64(pool[2][branch])
    if arities.shape[0] == 0:
        _copy(pool, branch, nodes, child, there)
        return nodes
    word = _below(child[4], arities.shape[0])
    place = _below(child[4], arities[word])
    end = there + 1
    for operand in range(arities[word]):
        if operand == place:
            end = _copy(pool, branch, nodes, child, end)
        else:
            _random_leaf(plan, child, end)
            end += 1
    child[0][there], child[1][there], child[2][there] = word, 0.0, end - there
    return np.int64(end - there)


@inlined
def _random_leaf(plan, child, there):  # type: ignore[no-untyped-def]
    """Write a sensor or a fresh constant."""
    numbers, counts = plan[4], plan[5]
    choice = _below(child[4], counts[LEAVES])
    is_constant = choice == counts[SENSORS]
    child[0][there], child[2][there] = plan[3].shape[0] + choice, 1
    child[1][there] = numbers[LOW] + numbers[WIDTH] * next_uniform(child[4]) + 0.0 if is_constant else 0.0


@inlined
def _random_tree(plan, levels, child, there):  # type: ignore[no-untyped-def]
    """Write a grown tree of at most so many levels; returns the number of its nodes."""
    arities, numbers = plan[3], plan[4]
    words, values, sizes, pending, random = child
    operators = arities.shape[0]
    nodes, waiting = 0, 1
    pending[0] = levels
    while waiting:
        waiting -= 1
        left = pending[waiting]
        place = there + nodes
        if left > 1 and operators > 0 and next_uniform(random) < numbers[INNER]:
            word = _below(random, operators)
            words[place], values[place] = word, 0.0
            for _ in range(arities[word]):
                pending[waiting] = left - 1
                waiting += 1
        else:
            _random_leaf(plan, child, place)
        nodes += 1
    for place in range(there + nodes - 1, there - 1, -1):
        size = 1
        if words[place] < operators:
            for _ in range(arities[words[place]]):
                size += sizes[place + size]
        sizes[place] = size
    return np.int64(nodes)


@inlined
def _other_operator(random, plan, old):  # type: ignore[no-untyped-def]
    """Another operator of the same arity; the old one where there is none."""
    arities = plan[3]
    others = -1
    for word in range(arities.shape[0]):
        others += 1 if arities[word] == arities[old] else 0
    if others == 0:
        return np.int64(old)
    chosen = _below(random, others)
    word = 0
    while True:
        if arities[word] == arities[old] and word != old:
            if chosen == 0:
                return np.int64(word)
            chosen -= 1
        word += 1


@inlined
def _scale_constants(pool, plan, row, child, start):  # type: ignore[no-untyped-def]
    """Write the parent with its constants, or one of them, multiplied by powers of 2; returns where the child ends."""
    numbers, counts, random = plan[4], plan[5], child[4]
    own = pool[3][row[FIRST]]
    end = _copy(pool, own, pool[4][row[FIRST]] - own, child, start)
    constant = plan[3].shape[0] + counts[SENSORS]
    found = 0
    for place in range(start, end):
        found += 1 if child[0][place] == constant else 0
    if found == 0:
        return end
    if counts[ONE_TREE]:
        next_uniform(random)
    only = _below(random, found) if counts[ONE_CONSTANT] else -1
    row[POSITION] = 0
    number = 0
    for place in range(start, end):
        if child[0][place] == constant:
            if only < 0 or number == only:
                power = numbers[OCTAVES] * (2.0 * next_uniform(random) - 1.0)
                scaled = child[1][place] * numbers[TWO] ** power
                if scaled != 0.0 and scaled - scaled == 0.0:
                    child[1][place] = scaled
                if counts[ONE_CONSTANT] or found == 1:
                    row[POSITION] = place - start
            number += 1
    return end


@inlined
def _admitted(child, start, end, counts):  # type: ignore[no-untyped-def]
    """Whether a child keeps the limits of nodes and levels."""
    sizes, ends = child[2], child[3]
    most = counts[MOST_LEVELS]
    if counts[MOST_NODES] >= 0 and end - start > counts[MOST_NODES]:
        return False
    if most < 0:
        return True
    inside = 0  # how many operators the walk is inside of
    for place in range(start, end):
        while inside > 0 and ends[inside - 1] <= place:
            inside -= 1
        if inside + 1 > most:
            return False
        if sizes[place] > 1:
            ends[inside] = place + sizes[place]
            inside += 1
    return True


@inlined
def _differs(pool, parent, child, start, end):  # type: ignore[no-untyped-def]
    """Whether a child is another formula than its first parent."""
    own = pool[3][parent]
    if end - start != pool[4][parent] - own:
        return True
    for i in range(end - start):
        if child[0][start + i] != pool[0][own + i] or child[1][start + i] != pool[1][own + i]:
            return True
    return False


@kernel
def find_equals(known, formulas, places, first):  # type: ignore[no-untyped-def]
    """The first of all formulas, known ones before others, that each of the others is equal to, to the bit.

    Args:
        known: (words, bits, starts, ends) of formulas: int32, int64 (nodes,), of constants the bits; int64 (formulas,).
        formulas: the same of the others.
        places: int64 (a power of two, above twice the number of all,), scratch, −1 everywhere.
        first: int64 (others,), written: a known formula by its place, or one of the others by that behind them.
    """
    before = known[2].shape[0]
    for number in range(before + first.shape[0]):
        words, bits, start, end = _formula(known, formulas, number)
        mixed = np.uint64(end - start)
        for node in range(start, end):
            mixed = mixed_with(mixed, np.uint64(words[node]) ^ np.uint64(bits[node]))
        place = np.int64(mixed & np.uint64(places.shape[0] - 1))
        while places[place] >= 0 and not _equal(
            (words, bits, start, end), _formula(known, formulas, places[place])
        ):
            place = (place + 1) & (places.shape[0] - 1)
        if places[place] < 0:
            places[place] = number
        if number >= before:
            first[number - before] = places[place]


@inlined
def _formula(known, formulas, number):  # type: ignore[no-untyped-def]
    """The words and bits in which a formula is, and where it begins and ends."""
    before = known[2].shape[0]
    if number < before:
        return known[0], known[1], known[2][number], known[3][number]
    return formulas[0], formulas[1], formulas[2][number - before], formulas[3][number - before]


@inlined
def _equal(one, other):  # type: ignore[no-untyped-def]
    """Whether two formulas are the same."""
    if one[3] - one[2] != other[3] - other[2]:
        return False
    for i in range(one[3] - one[2]):
        if one[0][one[2] + i] != other[0][other[2] + i] or one[1][one[2] + i] != other[1][other[2] + i]:
            return False
    return True
