"""Tables in files, counted in memory or by DuckDB."""
