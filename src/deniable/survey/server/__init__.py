"""The survey on the web."""
