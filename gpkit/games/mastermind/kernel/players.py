"""The compiled random and evolutionary code breakers, and compiled rollouts of guesses.

The random breaker: swapping two colours that no guess has used yet does not change the set of candidates. Among guesses
that differ only by such swaps, the kernel therefore follows only the guess in which these colours appear in ascending
order, starting with the lowest.

The evolutionary breaker stores codes as rows of ``pegs``, int64 (rows, length), and of ``bits``, int64 (rows, 2 ·
words), with a ``value``, int64 (rows,). The rows are, in this order: the population, the collected codes, the elite of
the guesses, a child and a donor. Random numbers come from a keyed stream, and ``drawn[0]``, int64 (1,), counts them.

Four tuples go from function to function:

- ``scoring``: ``how``, the kind of cost, ADDED or MOST; ``penalty``, the penalty for a guess that cannot be the secret,
  in halves; ``increments``, int64 (candidates,), the increase in cost if a part of each size gets one more candidate;
  and ``sizes``, int32 (answers,), scratch space.
- ``rollout``, scratch space: ``some``, int64 (candidates, 2 · words), the candidates of one part; ``order``, int64
  (candidates,), the rows of the candidates, grouped by part; ``moved``, int64 (candidates,), the rows of a part, sorted
  by answer; ``found``, int64 (candidates,), the answers of the candidates; ``ends``, int64 (answers + 1,), the end of
  each answer's rows; and ``waiting``, int64 (candidates, 2), the parts that still require a guess, as ranges in
  ``order``.
- ``breeding``: ``facts``, int64 (11,), the columns from ``KEY`` to ``ROLLOUTS``; ``shares``, float64 (4,), the
  thresholds ``FRESH`` to ``NEXT``; ``drawn``; and ``colours``, int64 (colours,), scratch space.
- ``rows``: ``pegs``, ``bits`` and ``value``, modified in place.
"""

from gpkit.core.compiled import inlined, kernel
from gpkit.games.mastermind.kernel.programs import WORD, answer_of, counts_of
from gpkit.vm.kernel.keyed import keyed_uniform

SIZE, GUESS, EDGE, TRIED, WEIGHT, LEVEL = range(6)
"""The columns of ``levels``: the number of candidates of a node, the place of the current guess among them, the number
of the next answer to examine, the mask of colours in earlier guesses, and the number of guesses that the current one
represents."""


@inlined
def stands_for(pegs, tried, colours):  # type: ignore[no-untyped-def]
    """The number of equivalent guesses that a guess represents, including itself, or 0 if another guess represents it.

    Args:
        pegs: int8 (length,): the colours of the guess.
        tried: the mask of the colours in earlier guesses.
        colours: the number of colours.
    """
    free = 0
    for colour in range(colours):
        free += 1 - (tried >> colour & 1)
    weight = 1
    for place in range(pegs.shape[0]):
        colour = pegs[place]
        if tried >> colour & 1 == 0:
            if (~tried & ((1 << colour) - 1)) != 0:
                return 0
            tried |= 1 << colour
            weight *= free
            free -= 1
    return weight


@inlined
def part(some, size, guess, given, parted, ends):  # type: ignore[no-untyped-def]
    """Sort candidates by their answers to a guess.

    Args:
        some: int32 (at least size,): the candidates.
        size: the number of candidates.
        guess: the number of a code.
        given: uint8 (codes, codes): the index of the feedback for any two codes.
        parted: int32 (at least size,), output: the sorted candidates.
        ends: int32 (answers + 1,), output: the end of each part.
    """
    ends[:] = 0
    for number in range(size):
        ends[given[guess, some[number]] + 1] += 1
    for answer in range(ends.shape[0] - 1):
        ends[answer + 1] += ends[answer]
    for number in range(size):
        answer = given[guess, some[number]]
        parted[ends[answer]] = some[number]
        ends[answer] += 1


@kernel
def expected_guesses(left, tried, colours, given, pegs, some, parted, ends, levels, totals):  # type: ignore[no-untyped-def]
    """The expected total number of guesses for all these secrets.

    A secret that is not found counts as one guess more than allowed.

    Args:
        left: int32 (left,): the candidates; at least one.
        tried: the mask of the colours in earlier guesses.
        colours: the number of colours.
        given: uint8 (codes, codes): the index of the feedback for any two codes.
        pegs: int8 (codes, length): all codes.
        some, parted: int32 (allowed, left), scratch space with one level for each guess that is still allowed, and at
            least one level: the candidates of each level, and the same candidates sorted by answer.
        ends: int32 (allowed, answers + 1), scratch space: the end of each answer's part in each level.
        levels: int64 (allowed, LEVEL), scratch space.
        totals: float64 (allowed,), scratch space: the expected guesses of all parts of each level so far.
    """
    allowed, solved = some.shape[0], ends.shape[1] - 2
    for number in range(left.shape[0]):
        some[0, number] = left[number]
    levels[0, SIZE], levels[0, GUESS], levels[0, EDGE], levels[0, TRIED] = left.shape[0], 0, 0, tried
    totals[0] = 0.0
    level, total = 0, 0.0
    while level >= 0:
        size, guess, answer = levels[level, SIZE], levels[level, GUESS], levels[level, EDGE]
        if guess == size:  # every choice was followed
            total = size + totals[level] / size
            level -= 1
            if level >= 0:
                totals[level] += total * levels[level, WEIGHT]
            continue
        code = some[level, guess]
        if answer == 0:
            levels[level, WEIGHT] = stands_for(pegs[code], levels[level, TRIED], colours)
            if levels[level, WEIGHT] > 0:
                part(some[level], size, code, given, parted[level], ends[level])
        weight = levels[level, WEIGHT]
        if answer == solved or weight == 0:
            levels[level, GUESS], levels[level, EDGE] = guess + 1, 0
            continue
        levels[level, EDGE] = answer + 1
        begin = ends[level, answer - 1] if answer > 0 else 0
        count = ends[level, answer] - begin
        if level + 1 == allowed or count <= 1:
            totals[level] += weight * count
        elif count == 2:
            totals[level] += weight * 3.0
        else:
            had = levels[level, TRIED]
            for place in range(pegs.shape[1]):
                had |= 1 << pegs[code, place]
            level += 1
            for number in range(count):
                some[level, number] = parted[level - 1, begin + number]
            levels[level, SIZE], levels[level, GUESS], levels[level, EDGE] = count, 0, 0
            levels[level, TRIED] = had
            totals[level] = 0.0
    return total


ADDED, MOST = range(2)
"""The kinds of costs: a sum of ``increments``, or such a sum in which every increment is 0 or −1."""

ENDLESS = 1 << 62
"""A number larger than any cost."""


@inlined
def cost_of(guess, some, count, best, scoring):  # type: ignore[no-untyped-def]
    """The cost of a guess if it is below ``best``; otherwise a number that is at least ``best``.

    Args:
        guess: int64 (2 · words,).
        some: int64 (candidates, 2 · words): the candidates.
        count: the number of candidates.
        best: a cost.
        scoring: see the description of the module.
    """
    how, _, increments, sizes = scoring
    sizes[:] = 0
    cost = 0
    for number in range(count):
        answer = answer_of(guess, some[number])
        size = sizes[answer]
        sizes[answer] = size + 1
        cost += increments[size]
        if cost - (count - 1 - number if how == MOST else 0) >= best:
            return best
    return cost


@inlined
def choice(start, end, pool, scoring, rollout):  # type: ignore[no-untyped-def]
    """The row of the guess with the lowest score over the candidates of a part; ties go to the first.

    Args:
        start, end: the range of the part in ``order``, which has at least three candidates.
        pool: int64 (guesses, 2 · words): the codes that may be guessed, including the candidates.
        scoring, rollout: see the description of the module.
    """
    some, order = rollout[0], rollout[1]
    _, penalty, increments, sizes = scoring
    count = end - start
    for number in range(count):
        for word in range(pool.shape[1]):
            some[number, word] = pool[order[start + number], word]
    best, chosen = ENDLESS, order[start]
    for number in range(count + pool.shape[0]):
        row = order[start + number] if number < count else number - count
        cost = cost_of(pool[row], some, count, (best + 1) // 2, scoring)
        score = 2 * cost + (penalty if sizes[sizes.shape[0] - 1] == 0 else 0)
        if score < best:
            best, chosen = score, row
            if number < count and cost == count * increments[0]:
                break  # each candidate has an answer of its own: nothing is better
    return chosen


@inlined
def total_of(guess, held, limit, pool, scoring, rollout):  # type: ignore[no-untyped-def]
    """The total number of guesses over the candidates if this guess comes first, or a number of at least ``limit``.

    Args:
        guess: the row of the guess in the pool.
        held: the number of candidates, which occupy the first rows of the pool.
        limit: the exclusive upper bound on a total that is of interest.
        pool, scoring, rollout: see ``choice``.
    """
    order, moved, found, ends, waiting = rollout[1:]
    for number in range(held):
        order[number] = number
    waiting[0, 0], waiting[0, 1] = 0, held
    parts, row = 1, guess
    total = 2 * held - 1  # those of a part need at least so many
    while parts > 0 and total < limit:
        parts -= 1
        start, end = waiting[parts, 0], waiting[parts, 1]
        if row < 0:
            row = choice(start, end, pool, scoring, rollout)
        total += 1 - (end - start)
        ends[:] = 0
        for place in range(start, end):
            found[place] = answer_of(pool[row], pool[order[place]])
            ends[found[place] + 1] += 1
        ends[0] = start
        for answer in range(ends.shape[0] - 1):
            size = ends[answer + 1]
            ends[answer + 1] += ends[answer]
            if size > 0 and answer < ends.shape[0] - 2:
                total += 2 * size - 1
                if size > 2:
                    waiting[parts, 0], waiting[parts, 1] = ends[answer], ends[answer + 1]
                    parts += 1
        for place in range(start, end):
            moved[ends[found[place]]] = order[place]
            ends[found[place]] += 1
        for place in range(start, end):
            order[place] = moved[place]
        row = -1
    return total


KEY, TURN, COLOURS, REPEATS, POPULATION, COLLECTED = range(6)
PATIENCE, CHILDREN, ELITE, PROBES, ROLLOUTS = range(6, 11)
"""The columns of ``facts``: the key of the game, the number of guesses made, the rules, and the settings."""

FRESH, SCRAMBLE, SWAP, NEXT = range(4)
"""The thresholds for uniform random numbers: one for a new code as donor, and one for each mutation."""


@inlined
def uniform(facts, drawn):  # type: ignore[no-untyped-def]
    """A uniform double in [0, 1)."""
    drawn[0] += 1
    return keyed_uniform(facts[KEY], facts[TURN], drawn[0] - 1)


@inlined
def below(size, facts, drawn):  # type: ignore[no-untyped-def]
    """A uniform integer from 0 to size − 1."""
    return int(uniform(facts, drawn) * size)


@inlined
def create(code, facts, drawn, colours):  # type: ignore[no-untyped-def]
    """Write a random code into ``code``; ``colours``, int64 (colours,), is scratch space."""
    if facts[REPEATS]:
        for place in range(code.shape[0]):
            code[place] = below(facts[COLOURS], facts, drawn)
        return
    for colour in range(facts[COLOURS]):
        colours[colour] = colour
    for last in range(facts[COLOURS] - 1, 0, -1):
        other = below(last + 1, facts, drawn)
        colours[last], colours[other] = colours[other], colours[last]
    for place in range(code.shape[0]):
        code[place] = colours[place]


@inlined
def pair(length, facts, drawn):  # type: ignore[no-untyped-def]
    """Two different numbers below ``length``, with the lower one first."""
    one, other = below(length, facts, drawn), below(length - 1, facts, drawn)
    if other >= one:
        return one, other + 1
    return other, one


@inlined
def mutate(child, facts, shares, drawn):  # type: ignore[no-untyped-def]
    """Change a code by at most one of the mutations in ``papers.mastermind.representation``."""
    length, chance = child.shape[0], uniform(facts, drawn)
    if chance < shares[SCRAMBLE]:
        if length > 1:
            low, high = pair(length, facts, drawn)
            for last in range(high - low, 0, -1):
                other = below(last + 1, facts, drawn)
                child[low + last], child[low + other] = child[low + other], child[low + last]
    elif chance < shares[SWAP]:
        if length > 1:
            low, high = pair(length, facts, drawn)
            child[low], child[high] = child[high], child[low]
    elif chance < shares[NEXT]:
        place = below(length, facts, drawn)
        child[place] = (child[place] + 1) % facts[COLOURS]


@inlined
def vary(first, count, parent, pegs, breeding):  # type: ignore[no-untyped-def]
    """Write a mutated child of a parent and a donor: one of ``count`` rows from ``first`` on, or a new code."""
    facts, shares, drawn, colours = breeding
    child, donor = pegs.shape[0] - 2, pegs.shape[0] - 1
    if uniform(facts, drawn) < shares[FRESH]:
        create(pegs[donor], facts, drawn, colours)
    else:
        donor = first + below(count, facts, drawn)
    low, high = pair(pegs.shape[1] + 1, facts, drawn)
    for place in range(pegs.shape[1]):
        pegs[child, place] = pegs[donor if low <= place < high else parent, place]
    mutate(pegs[child], facts, shares, drawn)


@inlined
def is_code(code, facts):  # type: ignore[no-untyped-def]
    """Whether a code is valid: no colour occurs twice, or the rules allow repeats."""
    if facts[REPEATS]:
        return True
    for place in range(code.shape[0]):
        for other in range(place):
            if code[other] == code[place]:
                return False
    return True


@inlined
def write_bits(code, row, facts, colours):  # type: ignore[no-untyped-def]
    """Write a code as bits into ``row``; ``colours``, int64 (colours,), is scratch space."""
    words, length = row.shape[0] // 2, code.shape[0]
    row[:] = 0
    colours[:] = 0
    for place in range(length):
        colour = code[place]
        bit = place * facts[COLOURS] + colour
        row[bit // WORD] |= 1 << bit % WORD
        bit = colour * length + colours[colour]
        row[words + bit // WORD] |= 1 << bit % WORD
        colours[colour] += 1


@inlined
def is_among(code, first, count, bits):  # type: ignore[no-untyped-def]
    """Whether a code, given as bits, is among the ``count`` rows from ``first`` on."""
    words = bits.shape[1] // 2
    for row in range(first, first + count):
        same = True
        for word in range(words):
            same = same and bits[row, word] == code[word]
        if same:
            return True
    return False


@inlined
def badness(code, asked, answers):  # type: ignore[no-untyped-def]
    """The distance between the answers that a code, as the secret, would have given and the actual answers."""
    bad = 0
    for turn in range(asked.shape[0]):
        black, both = counts_of(asked[turn], code)
        bad += abs(black - answers[turn, 0]) + abs(both - answers[turn, 1])
    return bad


@inlined
def copy(source, target, rows):  # type: ignore[no-untyped-def]
    """Copy a row over another one."""
    pegs, bits, value = rows
    for place in range(pegs.shape[1]):
        pegs[target, place] = pegs[source, place]
    for word in range(bits.shape[1]):
        bits[target, word] = bits[source, word]
    value[target] = value[source]


@inlined
def collect(asked, answers, breeding, rows):  # type: ignore[no-untyped-def]
    """Evolve codes, and collect the codes that are consistent with all answers; see ``guess``.

    Returns:
        The number of codes collected.
    """
    facts, _, drawn, colours = breeding
    pegs, bits, value = rows
    population, most, child = facts[POPULATION], facts[COLLECTED], pegs.shape[0] - 2
    held, since, made = 0, 0, 0
    while held < most and made < facts[CHILDREN] and (held == 0 or since < facts[PATIENCE]):
        better, worse = made, made
        if made < population:
            create(pegs[child], facts, drawn, colours)
        else:
            better, worse = below(population, facts, drawn), below(population, facts, drawn)
            if value[worse] < value[better]:
                better, worse = worse, better
            vary(0, population, better, pegs, breeding)
        made += 1
        since += 1
        if not is_code(pegs[child], facts):
            continue
        write_bits(pegs[child], bits[child], facts, colours)
        value[child] = badness(bits[child], asked, answers)
        if made > population and (value[child] > value[worse] or is_among(bits[child], 0, population, bits)):
            continue
        if value[child] == 0 and not is_among(bits[child], population, held, bits):
            copy(child, population + held, rows)
            held += 1
            since = 0
        copy(child, worse, rows)
    return held


@inlined
def offer(row, held, count, facts, scoring, rows):  # type: ignore[no-untyped-def]
    """Add the guess in ``row`` to the elite if there is room or if it beats the worst guess; lower values are better.

    Returns:
        The number of guesses in the elite.
    """
    _, bits, value = rows
    population, first = facts[POPULATION], facts[POPULATION] + held
    worst = first
    for other in range(first, first + count):
        if value[other] > value[worst]:
            worst = other
    limit = ENDLESS if count < facts[ELITE] else value[worst]
    penalty = scoring[1] if value[row] > 0 else 0
    cost = cost_of(bits[row], bits[population:], held, (limit - penalty + 1) // 2, scoring)
    if 2 * cost + penalty >= limit:
        return count
    target = first + count if count < facts[ELITE] else worst
    copy(row, target, rows)
    value[target] = 2 * cost + penalty
    return min(count + 1, facts[ELITE])


@inlined
def best_of_elite(held, count, facts, scoring, rows, rollout):  # type: ignore[no-untyped-def]
    """The row of the guess with the best score or, with rollouts, with the lowest total and then the best score.

    Args:
        held: the number of collected candidates.
        count: the number of guesses in the elite; their values contain their scores, and are overwritten.
        facts, scoring, rows, rollout: see the description of the module.
    """
    _, bits, value = rows
    population = facts[POPULATION]
    first = population + held
    pool = bits[population : first + count]
    chosen, least = first, ENDLESS
    for _ in range(count):
        best = first
        for row in range(first, first + count):
            if value[row] < value[best]:
                best = row
        if facts[ROLLOUTS] == 0 or held == facts[COLLECTED]:
            return best
        value[best] = ENDLESS
        total = total_of(best - population, held, least, pool, scoring, rollout)
        if total < least:
            chosen, least = best, total
    return chosen


@kernel
def guess(asked, answers, scoring, breeding, rows, rollout):  # type: ignore[no-untyped-def]
    """The row of the code to guess.

    Args:
        asked: int64 (turns, 2 · words): the guesses so far as bits.
        answers: int64 (turns, 2): the number of black pegs in each answer, and the number of black and white pegs
            together.
        scoring, breeding, rows, rollout: see the description of the module; the draws and the rows are overwritten.
    """
    facts, _, drawn, colours = breeding
    pegs, bits, value = rows
    drawn[0] = 0
    population, child = facts[POPULATION], pegs.shape[0] - 2
    held = collect(asked, answers, breeding, rows)
    first, best, count = population + held, 0, 0
    if held == 0:
        for row in range(population):
            if value[row] < value[best]:
                best = row
        return best
    if held <= 2:
        return population
    for row in range(population, population + held):
        count = offer(row, held, count, facts, scoring, rows)
    for _ in range(facts[PROBES]):
        vary(first, count, first + below(count, facts, drawn), pegs, breeding)
        if is_code(pegs[child], facts):
            write_bits(pegs[child], bits[child], facts, colours)
            if not is_among(bits[child], first, count, bits):
                value[child] = badness(bits[child], asked, answers)
                count = offer(child, held, count, facts, scoring, rows)
    return best_of_elite(held, count, facts, scoring, rows, rollout)
