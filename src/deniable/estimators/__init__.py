"""The miners as scikit-learn estimators: the design is a parameter.

Their names are exported by `deniable` itself, which imports them when they are first used.
"""
