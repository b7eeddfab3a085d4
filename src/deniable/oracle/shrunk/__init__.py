"""Counts for deciding: noisy ones drawn towards what their parts, each less noisy, make likely."""
