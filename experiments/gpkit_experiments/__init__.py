"""Experiments of gpkit: papers, schedules and scripts, whose records lie in ``experiments/data``."""
