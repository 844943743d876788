"""Text as the agents see it: JavaScript's lengths, blanks, numbers, dates and order."""
