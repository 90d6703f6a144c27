"""Estimators for scikit-learn whose models are formulas and trees that people can read."""

from gpkit.sklearn.estimators import FormulaClassifier, FormulaRegressor, TreeClassifier, TreeRegressor

__all__ = ["FormulaClassifier", "FormulaRegressor", "TreeClassifier", "TreeRegressor"]
