"""Hindsight: the memory server, as the agent uses it."""
