"""The side that asks: it brings everybody together, mines, and hands out the result."""
