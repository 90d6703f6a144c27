"""What evolution knows of programs, a module for each language."""
