"""Where Sevens and formulas meet: the decisions of programs in readable form, and traces of whole games."""
