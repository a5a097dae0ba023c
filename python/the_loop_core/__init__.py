"""Keeps unattended coding agents honest: the Python face of the-loop core."""
