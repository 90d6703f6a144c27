"""Worlds that explain what a player has seen, of a Markov chain; readable in ``gpkit_experiments.readable.sevens``."""

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest, nth, ones
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.kernel.rules import apply, begin
from gpkit.games.sevens.kernel.sensors import choose
from gpkit.vm.keyed import HALF, keyed_uniform, keyed_word


@inlined
def note(course, row, state):  # type: ignore[no-untyped-def]
    """Write down, in a row of the course, what is public of a moment: int64 (rows, COURSE_SIZE); no card yet."""
    course[row, at.COURSE_CARD] = -1
    course[row, at.COURSE_PHASE] = state[at.PHASE]
    course[row, at.COURSE_ACTOR] = state[at.ACTOR]
    course[row, at.COURSE_PLAYER] = state[at.PLAYER]
    course[row, at.COURSE_TURN] = state[at.TURN]
    course[row, at.COURSE_ACTIONS] = state[at.ACTIONS]


@inlined
def is_hidden(past, row):  # type: ignore[no-untyped-def]
    """Whether the card of a row was sent between two others."""
    return (
        past.course[row, at.COURSE_PHASE] == at.SEND
        and past.course[row, at.COURSE_ACTOR] != past.viewer
        and past.course[row, at.COURSE_PLAYER] != past.viewer
    )


@inlined
def hidden_sends(past):  # type: ignore[no-untyped-def]
    """The number of cards that were sent unseen."""
    count = 0
    for row in range(past.rows):
        count += is_hidden(past, row)
    return count


@inlined
def unplaced(past, state):  # type: ignore[no-untyped-def]
    """Mask of the cards in the hands of others that the viewer, who is to choose, cannot place.

    A card that was sent to a player is with that player, unless that player has sent a card unseen since.
    """
    course, viewer = past.course, past.viewer
    cards = (1 << at.CARDS) - 1 & ~state[at.PLAYED] & ~state[at.HANDS + viewer]
    for row in range(past.rows):
        if course[row, at.COURSE_PHASE] == at.SEND and course[row, at.COURSE_ACTOR] == viewer:
            is_sent_on = False
            for later in range(row + 1, past.rows):
                is_theirs = course[later, at.COURSE_ACTOR] == course[row, at.COURSE_PLAYER]
                is_sent_on = is_sent_on or (is_theirs and is_hidden(past, later))
            if not is_sent_on:
                cards &= ~(1 << course[row, at.COURSE_CARD])
    return cards


@inlined
def deal_unplaced(hands, state, past, rules, key, number):  # type: ignore[no-untyped-def]
    """Write the hands of a state with the cards that are not placed dealt anew, uniformly, to those who hold such.

    Key and number give the random numbers.
    """
    cards = past.unplaced
    left = ones(cards)
    for seat in range(rules[at.PLAYERS]):
        hand = state[at.HANDS + seat]
        hands[seat] = hand & ~past.unplaced
        for _ in range(ones(hand & past.unplaced)):
            pick = (keyed_word(key, number, at.FIRST_WORLD + 2 + left) >> 20) * left >> 32
            card = nth(cards, pick)
            cards &= ~(1 << card)
            hands[seat] |= 1 << card
            left -= 1


@inlined
def first_world(state, past, world, rules, key):  # type: ignore[no-untyped-def]
    """Write a world to begin with: cards dealt at random, and the course taken back; not all of it need agree.

    Args:
        state: int64 (STATE_SIZE,): now; of what the viewer cannot place only the numbers of cards are used.
        past: a ``Past``.
        world: a ``World``, written.
        rules: int64 (RULES_SIZE,).
        key: for the random numbers.
    """
    course, dealt, sent = past.course, world.dealt, world.sent
    deal_unplaced(dealt, state, past, rules, key, 0)
    number = hidden_sends(past)
    for back in range(past.rows):
        row = past.rows - 1 - back
        card, actor = course[row, at.COURSE_CARD], course[row, at.COURSE_ACTOR]
        if course[row, at.COURSE_PHASE] == at.SEND:
            receiver = course[row, at.COURSE_PLAYER]
            if is_hidden(past, row):
                number -= 1
                among = dealt[receiver] & past.unplaced
                among = among if among else dealt[receiver]
                card = nth(among, (keyed_word(key, row, at.FIRST_WORLD) >> 20) * ones(among) >> 32)
                sent[number] = card
            if not dealt[receiver] >> card & 1:
                _give(dealt, card, receiver, rules)
            dealt[receiver] &= ~(1 << card)
        dealt[actor] |= 1 << card


@inlined
def _give(dealt, card, receiver, rules):  # type: ignore[no-untyped-def]
    """Give a player a card for the lowest of theirs."""
    other = lowest(dealt[receiver])
    for seat in range(rules[at.PLAYERS]):
        if dealt[seat] >> card & 1:
            dealt[seat] ^= 1 << card | 1 << other
            dealt[receiver] ^= 1 << card | 1 << other
            return


@inlined
def copy(source, target):  # type: ignore[no-untyped-def]
    """Copy one state into another."""
    for index in range(at.STATE_SIZE):
        target[index] = source[index]


@inlined
def replay(game, past, world, mind, key, floor):  # type: ignore[no-untyped-def]
    """Play the course in a world; how many moments agree, and how plausible the others' choices were.

    Args:
        game: int64 (STATE_SIZE,), written: where all ``rows + 1`` moments agree, the last of them.
        past: a ``Past``.
        world: a ``World``.
        mind: a ``Mind``: how far the others are taken to choose as its program does is the doubt of its agent.
        key: for the program's random numbers.
        floor: a plausibility below it ends the replay; if it is below 0, none is asked for.

    Returns:
        (moments that agree, plausibility); fewer than ``rows + 1`` where the replay was ended, too.
    """
    course = past.course
    plausibility = 1.0
    doubt = mind.agent[at.DOUBT] / 100.0
    hidden = 0
    begin(game, world.dealt, mind.rules)
    for row in range(past.rows + 1):
        if (
            game[at.PHASE] != course[row, at.COURSE_PHASE]
            or game[at.ACTOR] != course[row, at.COURSE_ACTOR]
            or game[at.PLAYER] != course[row, at.COURSE_PLAYER]
            or game[at.TURN] != course[row, at.COURSE_TURN]
            or game[at.ACTIONS] != course[row, at.COURSE_ACTIONS]
        ):
            return row, 0.0
        if row == past.rows:
            break
        card = course[row, at.COURSE_CARD]
        if is_hidden(past, row):
            card = world.sent[hidden]
            hidden += 1
        legal = game[at.LEGAL]
        if not legal >> card & 1:
            return row, 0.0
        if floor >= 0.0 and doubt < 1.0 and game[at.ACTOR] != past.viewer and legal & (legal - 1):
            liked, _ = choose(game, mind.rules, mind.agent, mind.code, mind.memory, key)
            plausibility *= doubt / ones(legal) + (1.0 - doubt if liked == card else 0.0)
            if plausibility < floor:
                return row, 0.0
        apply(game, card, mind.rules, mind.log)
    return past.rows + 1, plausibility


@inlined
def propose(past, world, sends, hand, words, swaps):  # type: ignore[no-untyped-def]
    """Exchange cards of a world, one or more pairs, which ``swaps`` records, int64 (MOST_SWAPS, 4).

    Args:
        past: a ``Past``.
        world: a ``World``, changed.
        sends: how many cards were sent unseen.
        hand: mask of the viewer's hand.
        words: key and step, where the random numbers come from.
        swaps: written.

    Returns:
        (pairs, whether any exchange changed something).
    """
    everything = (1 << at.CARDS) - 1 & ~hand
    key, step = words
    count = 0
    changed = False
    while count < at.MOST_SWAPS:
        cards = keyed_word(key, step, 1 + 2 * count)
        how = keyed_word(key, step, 2 + 2 * count)
        first_of = everything if sends and how & 3 == 0 else past.unplaced
        second_of = everything if sends and how >> 2 & 3 == 0 else past.unplaced
        first, last = 0, sends
        if how >> 4 & 1:
            first = (how >> 16 & 0xFFFF) * (sends + 1) >> 16
            last = first + ((how >> 32 & 0xFFFF) * (sends + 1 - first) >> 16)
        swaps[count, 0] = nth(first_of, (cards >> 26) * ones(first_of) >> 26)
        swaps[count, 1] = nth(second_of, (cards & HALF - 1) * ones(second_of) >> 26)
        swaps[count, 2] = first
        swaps[count, 3] = last
        changed = exchange(world, past.viewer, swaps[count]) or changed
        count += 1
        if how >> 5 & 3:
            break
    return count, changed


@inlined
def exchange(world, viewer, swap):  # type: ignore[no-untyped-def]
    """Exchange two cards from one unseen send to another, 0 being the deal; True if anything is changed.

    The viewer's cards of the deal stay. Doing it again takes it back.
    """
    a, b, first, last = swap[0], swap[1], swap[2], swap[3]
    dealt, sent = world.dealt, world.sent
    both = 1 << a | 1 << b
    changed = False
    if a == b or (first == 0 and dealt[viewer] & both):
        return changed
    if first == 0:
        for seat in range(at.MOST_PLAYERS):
            if ones(dealt[seat] & both) == 1:
                dealt[seat] ^= both
                changed = True
    for number in range(max(first - 1, 0), last):
        if sent[number] == a:
            sent[number] = b
            changed = True
        elif sent[number] == b:
            sent[number] = a
            changed = True
    return changed


@inlined
def walk(found, state, past, mind, scratch, key):  # type: ignore[no-untyped-def]
    """Go on with the chain to its next world.

    Until all moments agree, a step is taken if no fewer do; from then on by the rule of Metropolis et al. (1953).

    Args:
        found: steps so far, moments that agree in the world that the chain is at, and the world's plausibility.
        state: int64 (STATE_SIZE,): now.
        past: a ``Past``.
        mind: a ``Mind``.
        scratch: its second hands and ``sent`` are that world; where all moments agree, its second state is the last of
            them. The fourth state is changed.
        key: for the random numbers.

    Returns:
        As ``found``.
    """
    world, swaps, game = at.World(scratch.hands[1], scratch.sent), scratch.swaps, scratch.states[3]
    hand = state[at.HANDS + past.viewer]
    sends = hidden_sends(past)
    policy = keyed_word(key, 0, at.POLICY_KEY) >> 26
    step, reached, plausibility = found
    goal = step + (at.THINNING if reached > past.rows else at.SEEKING)
    while step < goal:
        count, changed = propose(past, world, sends, hand, (key, step), swaps)
        step += 1
        if not changed:
            continue
        is_found = reached > past.rows
        floor = keyed_uniform(key, step - 1, 0) * plausibility if is_found else -1.0
        far, likely = replay(game, past, world, mind, policy, floor)
        if far >= reached:
            reached = far
            if is_found:
                plausibility = likely
            elif far > past.rows:
                goal = step + at.WARMING
            if far > past.rows:
                copy(game, scratch.states[1])
        else:
            for back in range(count):
                exchange(world, past.viewer, swaps[count - 1 - back])
    return step, reached, plausibility
