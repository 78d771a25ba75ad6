"""Estimators: arrays in, plain frozen results out.

They know no game, no table and no file; they import numpy and scipy only. A *block* is the unit that
chance makes independent: rows of one block may depend on each other in any way, and every standard error
here allows for that.
"""
