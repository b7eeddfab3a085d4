"""Joint tables of a few attributes: by inversion, and by maximum likelihood."""
