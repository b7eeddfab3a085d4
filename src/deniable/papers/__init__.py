"""The papers behind this package: their data sets, and simulated surveys with plots."""
