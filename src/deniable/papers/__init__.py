"""The papers behind this package, and simulated surveys: table in, table out, plots."""
