"""The machine: one instruction table, verified programs, the compiled loops and a disassembler."""
