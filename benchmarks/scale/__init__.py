"""How far one machine carries, and what a cluster would take: one pass, then work on counts."""
