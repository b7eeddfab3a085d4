"""How good a classifier is, on records that may themselves be disguised."""
