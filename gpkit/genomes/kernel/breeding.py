"""Breed all children of a generation of formulas: draw parents, vary them, and check the limits.

The results are the same as those of the operators on single trees. A formula is a slice of three arrays in prefix
order: ``words`` int32 (operators in the order of the alphabet, then its sensors, then the constant), ``values`` float64
(of constants, 0 elsewhere), and ``sizes`` int32 (of subtrees). Every child has a key, from which its random numbers are
generated.

The uniform random numbers of a key are the same as in ``gpkit.core.rng.stream``: Philox with four 64-bit words.

J. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", SC 2011, in numpy's version: ten rounds, a counter
that begins at one, and numbers from the upper 53 bits of a word.
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import mixed_with

ROUNDS = 10
_FACTORS = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_STEPS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)  # of the key, from round to round
_ONE, _THREE, _ELEVEN, _HALF, _LOW = (np.uint64(each) for each in (1, 3, 11, 32, 0xFFFFFFFF))
_PART = 2.0**-53


@inlined
def start_stream(random, key):  # type: ignore[no-untyped-def]
    """Initialize the stream of random numbers for a key.

    Args:
        random: uint64 (7,), an output: the number of random numbers drawn so far, the key, and the last four words.
        key: uint64 (2,).
    """
    random[0] = np.uint64(0)
    random[1], random[2] = key[0], key[1]


@inlined
def next_uniform(random):  # type: ignore[no-untyped-def]
    """The next random number of a stream, a float64 in [0, 1)."""
    drawn = random[0]
    if drawn & _THREE == np.uint64(0):
        _next_words(random, (drawn >> np.uint64(2)) + _ONE)
    random[0] = drawn + _ONE
    return np.float64(random[np.uint64(3) + (drawn & _THREE)] >> _ELEVEN) * _PART


@inlined
def _next_words(random, counter):  # type: ignore[no-untyped-def]
    """Compute and store the four words for a counter."""
    a, b, c, d = counter, np.uint64(0), np.uint64(0), np.uint64(0)
    first, second = random[1], random[2]
    for _ in range(ROUNDS):
        high, other = _high(_FACTORS[0], a), _high(_FACTORS[1], c)
        a, b, c, d = other ^ b ^ first, _FACTORS[1] * c, high ^ d ^ second, _FACTORS[0] * a
        first += _STEPS[0]
        second += _STEPS[1]
    random[3], random[4], random[5], random[6] = a, b, c, d


@inlined
def _high(x, y):  # type: ignore[no-untyped-def]
    """The upper 64 bits of the product of two uint64 words."""
    low = (x & _LOW) * (y & _LOW)
    one = (x >> _HALF) * (y & _LOW) + (low >> _HALF)
    two = (x & _LOW) * (y >> _HALF) + (one & _LOW)
    return (x >> _HALF) * (y >> _HALF) + (one >> _HALF) + (two >> _HALF)


CLONE, CONSTANTS, SUBTREE, CROSSOVER, POINT, HOIST, SHRINK, WRAP = range(8)

ROOT, OCTAVES, LOW, WIDTH, TARPEIAN, MEAN_SIZE, INNER, TWO = range(8)
"""Indexes into ``numbers``: 1 / the size of a tournament, the settings of operators, and the settings for sizes."""

ELITES, ATTEMPTS, ONE_TREE, ONE_CONSTANT, LEVELS, RANDOM_MOST, MOST_NODES, MOST_LEVELS, SENSORS, LEAVES = (
    range(10)
)
"""Indexes into ``counts``; −1 means no limit. ``LEAVES`` counts the sensors, plus one if there are constants."""

GUARD, INDICATOR, COLUMN = 1, 2, 3
"""Marks of words: an operator whose last operand must not read only indicators, an indicator, and any other column."""

KIND, FIRST, SECOND, POSITION, DOOMED, END, CHANGED = range(7)
"""The columns of ``made``: the operator's index among the shares (−1 for a clone), the indexes of the parents, the
position of the change (−1 for none), whether its size dooms the child, the end of its nodes, and whether it differs
from its first parent."""


@inlined
def draw_below(random, count):  # type: ignore[no-untyped-def]
    """A uniform random integer from 0 to count − 1."""
    return np.int64(next_uniform(random) * count)


@inlined
def _mate(random, plan, row):  # type: ignore[no-untyped-def]
    """Draw an operator according to the shares, and draw its parents by tournaments."""
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
    """Write the child of an operator from ``start`` on, and the position of the change; return the end of the child."""
    kind, counts, random = plan[1][row[KIND]], plan[5], child[4]
    words, sizes, starts, ends = pool[0], pool[2], pool[3], pool[4]
    own = starts[row[FIRST]]
    nodes = ends[row[FIRST]] - own
    row[POSITION] = -1
    if kind == CONSTANTS:
        return _scale_constants(pool, plan, row, child, start)
    if counts[ONE_TREE]:
        next_uniform(random)  # the draw of the only tree
    if kind in (HOIST, SHRINK):
        inner = 0
        for i in range(nodes):
            inner += 1 if sizes[own + i] > 1 else 0
        row[POSITION] = 0
        if inner == 0:
            return copy_nodes(pool, own, nodes, child, start)
        chosen = draw_below(random, inner)
        position = 0
        while True:
            if sizes[own + position] > 1:
                if chosen == 0:
                    break
                chosen -= 1
            position += 1
    else:
        position = draw_below(random, nodes)
    row[POSITION] = position
    there = start + position
    if kind == POINT and sizes[own + position] > 1:
        end = copy_nodes(pool, own, nodes, child, start)
        child[0][there] = _other_operator(random, plan, words[own + position])
        return end
    if kind == CROSSOVER:
        other = starts[row[SECOND]]
        node = other + draw_below(random, ends[row[SECOND]] - other)
        copy_nodes(pool, node, sizes[node], child, there)
        given = np.int64(sizes[node])
    elif kind == HOIST:
        node = own + position + 1 + draw_below(random, sizes[own + position] - 1)
        copy_nodes(pool, node, sizes[node], child, there)
        given = np.int64(sizes[node])
    elif kind == WRAP:
        given = _wrapped(pool, plan, own + position, child, there)
    else:
        given = _random_tree(plan, counts[LEVELS] if kind == SUBTREE else 1, child, there)
    return copy_around(pool, own, nodes, position, given, child, start)


@inlined
def copy_nodes(pool, node, nodes, child, there):  # type: ignore[no-untyped-def]
    """Copy nodes from the population; return the end of the copy."""
    for i in range(nodes):
        child[0][there + i] = pool[0][node + i]
        child[1][there + i] = pool[1][node + i]
        child[2][there + i] = pool[2][node + i]
    return np.int64(there + nodes)


@inlined
def copy_around(pool, own, nodes, position, given, child, start):  # type: ignore[no-untyped-def]
    """Copy the parent around the ``given`` nodes, which replace one of its subtrees; return the end of the child."""
    sizes = pool[2]
    after = position + sizes[own + position]
    copy_nodes(pool, own, position, child, start)
    end = copy_nodes(pool, own + after, nodes - after, child, start + position + given)
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
    """Write a random operator with a branch and random leaves as operands; return the number of nodes."""
    arities, nodes = plan[3], np.int64(pool[2][branch])
    if arities.shape[0] == 0:
        copy_nodes(pool, branch, nodes, child, there)
        return nodes
    word = draw_below(child[4], arities.shape[0])
    place = draw_below(child[4], arities[word])
    end = there + 1
    for operand in range(arities[word]):
        if operand == place:
            end = copy_nodes(pool, branch, nodes, child, end)
        else:
            _random_leaf(plan, child, end)
            end += 1
    child[0][there], child[1][there], child[2][there] = word, 0.0, end - there
    return np.int64(end - there)


@inlined
def _random_leaf(plan, child, there):  # type: ignore[no-untyped-def]
    """Write a random sensor or a new constant."""
    numbers, counts, again = plan[4], plan[5], plan[6]
    choice = draw_below(child[4], counts[LEAVES] + again.shape[0])
    if choice >= counts[LEAVES]:
        choice = again[choice - counts[LEAVES]]
    is_constant = choice == counts[SENSORS]
    child[0][there], child[2][there] = plan[3].shape[0] + choice, 1
    child[1][there] = numbers[LOW] + numbers[WIDTH] * next_uniform(child[4]) + 0.0 if is_constant else 0.0


@inlined
def _random_tree(plan, levels, child, there):  # type: ignore[no-untyped-def]
    """Write a random ``grow`` tree with at most ``levels`` levels; return the number of its nodes."""
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
            word = draw_below(random, operators)
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
    """Another operator with the same arity; the old operator if there is no other."""
    arities = plan[3]
    others = -1
    for word in range(arities.shape[0]):
        others += 1 if arities[word] == arities[old] else 0
    if others == 0:
        return np.int64(old)
    chosen = draw_below(random, others)
    word = 0
    while True:
        if arities[word] == arities[old] and word != old:
            if chosen == 0:
                return np.int64(word)
            chosen -= 1
        word += 1


@inlined
def _scale_constants(pool, plan, row, child, start):  # type: ignore[no-untyped-def]
    """Write the parent with one or all of its constants multiplied by powers of 2; return the end of the child."""
    numbers, counts, random = plan[4], plan[5], child[4]
    own = pool[3][row[FIRST]]
    end = copy_nodes(pool, own, pool[4][row[FIRST]] - own, child, start)
    constant = plan[3].shape[0] + counts[SENSORS]
    found = 0
    for place in range(start, end):
        found += 1 if child[0][place] == constant else 0
    if found == 0:
        return end
    if counts[ONE_TREE]:
        next_uniform(random)
    only = draw_below(random, found) if counts[ONE_CONSTANT] else -1
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
    """Whether a child is within the limits on nodes and levels."""
    sizes, ends = child[2], child[3]
    most = counts[MOST_LEVELS]
    if counts[MOST_NODES] >= 0 and end - start > counts[MOST_NODES]:
        return False
    if most < 0:
        return True
    inside = 0  # the number of operators around the current node
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
def _spares(child, start, end, marks):  # type: ignore[no-untyped-def]
    """Whether no guarded operator has a last operand that reads nothing but indicators."""
    words, sizes = child[0], child[2]
    for place in range(start, end if marks.shape[0] > 0 else start):
        if marks[words[place]] != GUARD:
            continue
        last, after = place + 1, place + sizes[place]
        while last + sizes[last] < after:
            last += sizes[last]
        most = 0
        for inside in range(last, after):
            most = max(most, marks[words[inside]])
        if most == INDICATOR:
            return False
    return True


@inlined
def _differs(pool, parent, child, start, end):  # type: ignore[no-untyped-def]
    """Whether a child differs from its first parent."""
    own = pool[3][parent]
    if end - start != pool[4][parent] - own:
        return True
    for i in range(end - start):
        if child[0][start + i] != pool[0][own + i] or child[1][start + i] != pool[1][own + i]:
            return True
    return False


def bred_by(vary):  # type: ignore[no-untyped-def]
    """The part of a kernel that breeds children by the given operators; its arguments are those of ``breed``."""

    @inlined
    def breed_all(first, keys, pool, plan, made, child):  # type: ignore[no-untyped-def]
        kinds, counts = plan[1], plan[5]
        starts, ends, random = pool[3], pool[4], child[4]
        start = made[first - 1, END] if first > 0 else 0
        for index in range(first, keys.shape[0]):
            row = made[index]
            row[KIND], row[FIRST], row[SECOND], row[POSITION], row[DOOMED], row[CHANGED] = (
                -1,
                index,
                -1,
                -1,
                0,
                0,
            )
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
                row[END] = vary(pool, plan, row, child, start)
                varied = _admitted(child, start, row[END], counts) and _spares(
                    child, start, row[END], plan[7]
                )
                row[CHANGED] = 1 if _differs(pool, row[FIRST], child, start, row[END]) else 0
                if varied and row[CHANGED] == 1:
                    break
            if not varied:
                row[KIND], row[POSITION], row[CHANGED] = -1, -1, 0
                own = starts[row[FIRST]]
                if start + ends[row[FIRST]] - own > child[0].shape[0]:
                    return index
                row[END] = copy_nodes(pool, own, ends[row[FIRST]] - own, child, start)
            elif plan[4][TARPEIAN] > 0.0 and row[END] - start > plan[4][MEAN_SIZE]:
                row[DOOMED] = 1 if next_uniform(random) < plan[4][TARPEIAN] else 0
            start = row[END]
        return keys.shape[0]

    return breed_all


_breed_formulas = bred_by(_vary)  # type: ignore[no-untyped-call]


@kernel
def breed(first, keys, pool, plan, made, child):  # type: ignore[no-untyped-def]
    """Breed children until the arrays lack room for the nodes of the next child.

    Args:
        first: the index of the first child.
        keys: uint64 (children, 2): the keys for the children's random numbers.
        pool: (words, values, sizes, starts, ends) of the population: int32, float64 and int32 (nodes,), and int64
            (individuals,) each.
        plan: (sums, kinds, ranks, arities, numbers, counts, again, marks): the running sums of the operators' shares,
            float64 (operators,); the kinds of the operators, int64 (operators,); the indexes of the individuals, the
            fittest first, int64 (individuals,); the arities in formulas, int64 (operators of formulas,); the settings
            indexed above, float64 and int64; the leaves with extra chances, int64 (extra chances,); the mark of each
            word (``GUARD``, ``INDICATOR``, ``COLUMN`` or none of them), int64 (words,), or empty if there are no
            indicators.
        made: int64 (children, 7), an output.
        child: (words, values, sizes, pending, random), outputs: the formulas of the children one after another, int32,
            float64 and int32 (nodes,); scratch, int64; the state of the random numbers, uint64 (7,).

    Returns:
        The index of the first child that has not been bred.
    """
    return _breed_formulas(first, keys, pool, plan, made, child)


@kernel
def find_equals(known, formulas, places, first):  # type: ignore[no-untyped-def]
    """For each new formula, find the first known or new formula that is bit-for-bit equal to it.

    Args:
        known: (words, bits, starts, ends) of the known formulas: int32 and int64 (nodes,), with the bits of constants,
            and int64 (formulas,) each.
        formulas: the same arrays for the new formulas.
        places: int64 (a power of two above twice the total number of formulas,), scratch space that contains −1
            everywhere.
        first: int64 (new formulas,), an output: the index of the first equal formula; the known formulas are numbered
            before the new ones.
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
    """The arrays of words and bits that contain a formula, and the start and end of the formula in these arrays."""
    before = known[2].shape[0]
    if number < before:
        return known[0], known[1], known[2][number], known[3][number]
    return formulas[0], formulas[1], formulas[2][number - before], formulas[3][number - before]


@inlined
def _equal(one, other):  # type: ignore[no-untyped-def]
    """Whether two formulas are equal."""
    if one[3] - one[2] != other[3] - other[2]:
        return False
    for i in range(one[3] - one[2]):
        if one[0][one[2] + i] != other[0][other[2] + i] or one[1][one[2] + i] != other[1][other[2] + i]:
            return False
    return True
