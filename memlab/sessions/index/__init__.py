"""The index of session logs: one SQLite file, two rankings."""
