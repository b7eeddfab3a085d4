"""How time and memory of each miner grow with records, attributes, groups and values."""
