"""Estimators for scikit-learn whose models are formulas or trees that people can read (extra ``data``)."""

from gpkit.sklearn.estimators import FormulaClassifier, FormulaRegressor
from gpkit.sklearn.trees import TreeClassifier, TreeRegressor

__all__ = ["FormulaClassifier", "FormulaRegressor", "TreeClassifier", "TreeRegressor"]
