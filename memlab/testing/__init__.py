"""Doubles and makers for tests: of memlab, and of agents that use memory."""
