"""The state of a search as the JSON values of a checkpoint."""

import math
from collections.abc import Mapping
from typing import Any

from gpkit.core.errors import CheckpointError, GpkitError
from gpkit.core.json_values import LARGEST, items, member, number, text, whole
from gpkit.core.work_folder import digest
from gpkit.evolution.engine import Search
from gpkit.evolution.individual import STRIDE, Genome, Individual, Origin
from gpkit.evolution.problem import Representation
from gpkit.evolution.search import Champion, State

MAX_GENERATION = LARGEST // STRIDE - 1
"""The last generation whose individuals have numbers that a database holds."""


def encode_state(state: State[Genome], representation: Representation[Genome]) -> dict[str, Any]:
    """A state as JSON values; programs are their canonical text."""
    champion = state.champion
    return {
        "generation": state.generation,
        "evaluations": state.evaluations,
        "islands": [[encode_individual(i, representation) for i in island] for island in state.islands],
        "hall": [representation.print(genome) for genome in state.hall],
        "champion": {
            "individual": encode_individual(champion.individual, representation),
            "score": encode_number(champion.score),
            "fitness": encode_number(champion.fitness),
            "generation": champion.generation,
        },
    }


def decode_state(data: Mapping[str, Any], search: Search[Genome]) -> State[Genome]:
    """The state of JSON values, which must be one of this search.

    Raises:
        CheckpointError: a value is missing or of the wrong kind, a program does not parse or is of another game, or
            there are more or fewer islands or individuals than in the search.
    """
    representation = search.representation
    try:
        generation = whole(member(data, "generation"), 0, MAX_GENERATION)
        champion = member(data, "champion")
        state = State(
            generation=generation,
            islands=tuple(
                tuple(decode_individual(one, representation, generation) for one in items(island))
                for island in items(member(data, "islands"))
            ),
            champion=Champion(
                decode_individual(member(champion, "individual"), representation, generation),
                decode_score(member(champion, "score")),
                decode_score(member(champion, "fitness")),
                whole(member(champion, "generation"), 0, generation),
            ),
            hall=tuple(representation.parse(text(one)) for one in items(member(data, "hall"))),
            evaluations=whole(member(data, "evaluations")),
        )
        _check_counts(state, search)
    except (ValueError, GpkitError) as error:
        raise CheckpointError(f"the checkpoint does not hold a state: {error}") from error
    return state


def _check_counts(state: State[Genome], search: Search[Genome]) -> None:
    """Check that there are as many of everything as in a search.

    Raises:
        ValueError: there are not.
    """
    islands, size = search.islands.left(state.generation), search.parameters.size
    counts = [("island", len(state.islands), islands)]
    for what, found, count in counts + [("individual", len(island), size) for island in state.islands]:
        if found != count:
            raise ValueError(f"it has a number of {what}s of {found}, and the run one of {count}")
    if len(state.hall) > search.hall:
        raise ValueError(f"its hall of fame has {len(state.hall)} programs, of at most {search.hall}")


def encode_individual(
    individual: Individual[Genome], representation: Representation[Genome]
) -> dict[str, Any]:
    """An individual as JSON values."""
    origin = individual.origin
    return {
        "number": individual.number,
        "program": representation.print(individual.genome),
        "operator": origin.operator,
        "parents": list(origin.parents),
        "places": [list(place) for place in origin.places],
        "score": encode_number(individual.score),
        "fitness": encode_number(individual.fitness),
        "cases": [encode_number(case) for case in individual.cases],
        "note": individual.note,
        "trials": individual.trials,
    }


def decode_individual(
    data: Any, representation: Representation[Genome], generation: int
) -> Individual[Genome]:
    """The individual of JSON values, of a population of that generation.

    Raises:
        ValueError: a value is missing or of the wrong kind.
        GpkitError: the program is none.
    """
    genome = representation.parse(text(member(data, "program")))
    own = whole(member(data, "number"), 0, (generation + 1) * STRIDE - 1)
    places = [items(place) for place in items(member(data, "places"))]
    if any(len(place) != 2 for place in places):
        raise ValueError("a place must be a name and a position")
    return Individual(
        number=own,
        genome=genome,
        size=representation.size(genome),
        origin=Origin(
            text(member(data, "operator")),
            tuple(whole(parent, 0, own) for parent in items(member(data, "parents"))),
            tuple((text(name), whole(position, -LARGEST)) for name, position in places),
        ),
        score=decode_score(member(data, "score")),
        fitness=decode_score(member(data, "fitness")),
        cases=tuple(decode_number(case) for case in items(member(data, "cases"))),
        note=text(member(data, "note")),
        trials=whole(member(data, "trials")),
    )


def encode_number(number: float) -> float | str:
    """A float as a JSON value; JSON has no infinities."""
    return number if math.isfinite(number) else repr(number)


def decode_number(value: Any) -> float:
    """The float of a JSON value.

    Raises:
        ValueError: it is neither a number nor what ``encode_number`` writes for one that is not finite.
    """
    return float(value) if value in ("inf", "-inf", "nan") else number(value)


def decode_score(value: Any) -> float:
    """The score or the fitness of a JSON value: a number, or that of what could not be evaluated.

    Raises:
        ValueError: it is something else.
    """
    return -math.inf if value == "-inf" else number(value)


def state_digest(state: State[Genome], representation: Representation[Genome]) -> str:
    """The SHA-256 of a state: equal for equal populations, champions and halls of fame."""
    data = encode_state(state, representation)
    return digest(data)
