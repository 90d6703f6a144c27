"""The evolution of programs: its loop, subjects, selection, executors and run folders."""
