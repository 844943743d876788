"""Reports: one file that says all, to be read without memlab."""

from .report import Report, make_report

__all__ = ["Report", "make_report"]
