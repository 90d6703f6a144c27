"""Languages from one file: a Lark grammar and what its rules mean, which evolve like the languages of gpkit."""
