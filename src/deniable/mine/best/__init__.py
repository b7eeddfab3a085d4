"""Several miners compared by what the known errors allow, and the best of them."""
