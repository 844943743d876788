"""Reports: one file that says all, to be read without memlab."""

from .report import Report, check_path, make_report

__all__ = ["Report", "check_path", "make_report"]
