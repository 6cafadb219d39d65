"""Runs a job and records it: natively and in the browser the same code, standard library only."""
