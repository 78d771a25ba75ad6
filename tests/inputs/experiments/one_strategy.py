"""A strategy in a file, for the experiments beside it: they resolve without importing it."""
