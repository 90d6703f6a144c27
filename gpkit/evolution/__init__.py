"""The generational loop and what it needs: problems, selection, executors, checkpoints."""
