"""Games defined in a file: their declaration, and the contract that every game must meet."""
