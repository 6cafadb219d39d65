"""Prove a lesson: compare traces, verify native against browser, report."""
