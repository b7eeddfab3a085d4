"""Association rules, and the item sets they are made of."""
