"""Records in memory, counted by NumPy."""
