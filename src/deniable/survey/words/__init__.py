"""The page's own words: the languages that come along, and those that researchers bring."""
