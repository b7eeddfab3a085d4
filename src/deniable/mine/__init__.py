"""Miners, one of each, written against an oracle's answers only.

Plain, disguised, pooled and secure counts are mined by the same code.
"""
