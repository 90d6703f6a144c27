"""Games from one file: their declaration, and the contract that every game must meet."""
