"""The evolution of programs: its loop, subjects, selection, fitting of constants, executors and run folders."""
