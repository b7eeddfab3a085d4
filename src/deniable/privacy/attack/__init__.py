"""A real attacker, and an audit of what randomizers are seen to do."""
