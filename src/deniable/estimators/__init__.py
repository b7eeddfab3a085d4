"""The miners as scikit-learn estimators: the design is a parameter."""
