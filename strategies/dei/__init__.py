"""Strategies for D.E.I."""
