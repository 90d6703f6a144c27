"""Estimators for scikit-learn whose models are formulas that people can read (extra ``data``)."""

from gpkit.sklearn.estimators import FormulaClassifier, FormulaRegressor

__all__ = ["FormulaClassifier", "FormulaRegressor"]
