"""Courses: the populations of a run, whatever else is kept of it; and who is taken from them."""

from dataclasses import replace

from kernel_marks import compiled_only
from tiny_paper import CONFIG

from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import run_search
from gpkit.evolution.setup import after_generations
from gpkit.evolution.subjects import resolve
from gpkit_experiments.papers.courses import fittest, follow, middling

pytestmark = compiled_only

SERIAL = SerialExecutor()
SEARCH = resolve(replace(CONFIG, seed=5)).search()


def test_a_course_is_what_the_command_evolve_does() -> None:
    course = follow(SEARCH, (0, 2, 3), SERIAL)
    for generation, population in course.populations.items():
        stored = run_search(SEARCH, SERIAL, after_generations(generation))
        assert stored.state.islands == (population,)
    assert list(course.populations) == [0, 2, 3]
    assert course.seed == 5


def test_sizes_are_those_of_every_generation() -> None:
    course = follow(SEARCH, (0, 1, 2), SERIAL)
    assert len(course.sizes) == 3
    for generation, population in course.populations.items():
        assert course.sizes[generation] == sum(i.size for i in population) / len(population)


def test_the_watch_hears_of_every_generation() -> None:
    heard: list[str] = []
    follow(SEARCH, (2,), SERIAL, heard.append)
    assert [text.partition(",")[0] for text in heard] == [f"generation {g} of 2" for g in range(3)]


def test_the_fittest_and_the_middling_are_different_programs() -> None:
    population = follow(SEARCH, (1,), SERIAL).populations[1]
    order = list(dict.fromkeys(individual.genome for individual in population))
    assert len(order) < len(population), "clones are what this test is about"
    assert fittest(population, 4) == order[:4]
    middle = middling(population, 4)
    places = [order.index(genome) for genome in middle]
    assert places == list(range(places[0], places[0] + 4))
    assert abs(places[0] - (len(order) - places[-1] - 1)) <= 1
    assert fittest(population, 1000) == middling(population, 1000) == order
