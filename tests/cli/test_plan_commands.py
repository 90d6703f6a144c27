"""Commands with plans: pictures, games that are followed step by step, and what a run of games visited."""

from pathlib import Path

from case_files import case_text

PLAN = case_text("games/every.plan")
FILES = {"every.plan": PLAN}


def test_flow_charts_have_diamonds_circles_boxes_and_grey_branches(folder: Path, gpkit) -> None:
    outcome = gpkit("draw", "every.plan", "-o", "every.dot")
    assert outcome.code == 0, outcome.err
    dot = (folder / "every.dot").read_text()
    assert (dot.count("shape=diamond"), dot.count("shape=circle"), dot.count("shape=hexagon")) == (1, 1, 2)
    assert dot.count("shape=box") == 6
    assert dot.count("label=yes") == 2
    assert dot.count("never reached") == 2  # the step, and the legend
    assert "yes: do queen  (never reached)" in gpkit("draw", "every.plan").out
    assert "W340" in gpkit("check", "every.plan").out


def test_several_games_show_what_none_of_them_visited(folder: Path, gpkit) -> None:
    one, many = (gpkit("draw", "every.plan", "--trace", "--games", str(n)).out for n in (1, 12))
    assert one.count("(not visited)") in (1, 4)
    assert "not visited" not in many
    assert "yes: do spawning_pool" in many
    assert "repeat 2  (24 times)" in many


def test_games_are_followed_step_by_step(folder: Path, gpkit) -> None:
    steps = gpkit("trace", "every.plan", "--until", "step == 5", "--deal", "3").out
    assert "decide env.tick > 300 and env.tick < 200: no" in steps
    assert steps.count("step ") == 6


def test_changes_are_laid_over_each_other(folder: Path, gpkit) -> None:
    (folder / "other.plan").write_text(
        PLAN.replace("repeat 3", "repeat 4").replace("do queen", "do hatchery")
    )
    shown = gpkit("draw", "other.plan", "--diff", "every.plan").out
    assert "~ repeat 3 → repeat 4" in shown
    assert "~    ├─ do queen → do hatchery" in shown
    (folder / "alone.plan").write_text("// game: build_order\ndo drone\n")
    assert "- repeat 2" in gpkit("draw", "alone.plan", "--diff", "every.plan").out


def test_plans_that_go_up_have_arrows_to_the_root(folder: Path, gpkit) -> None:
    up = folder / "up.plan"
    up.write_text(
        "// game: build_order\n// direction: up\ndo zerglings\nmerge\n  from drone:\n    do drone\n"
        "  from zerglings:\n    do spawning_pool\nend\n"
    )
    dot = up.with_suffix(".dot")
    assert gpkit("draw", up, "-o", dot).code == 0
    assert "dir=back" in dot.read_text()
    shown = gpkit("draw", up, "--trace").out
    assert "drone: do drone  (not visited)" in shown
    assert "zerglings: do spawning_pool" in shown
    assert gpkit("check", "--strict", up).code == 0
