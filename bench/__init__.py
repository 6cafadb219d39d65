"""Measures Tracepane, and recorders that others wrote, in one run: `make bench`, or `python -m bench --help`."""
