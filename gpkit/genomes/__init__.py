"""Program values that evolution varies, each with its create, mutate, crossover and check."""
