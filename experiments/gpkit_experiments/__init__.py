"""gpkit's experiments: papers, schedules and scripts, whose records are in ``experiments/data``."""
