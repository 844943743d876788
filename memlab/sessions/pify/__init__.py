"""Session search exactly as the pi extension @pify/recall 0.5.0 does it."""
