"""Games that users define in a file: the declaration of games, and the contract that every game must fulfil."""
