"""The loop of evolution: subjects, selection, executors and run folders."""
