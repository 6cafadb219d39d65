"""Watches a run and turns what it sees into events and versions of objects."""

from tracepane.record.recorder.recorder import Recorder

__all__ = ["Recorder"]
