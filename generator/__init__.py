"""Flipbook: a static site generator for animated explainers."""

__version__ = "0.1.0"
