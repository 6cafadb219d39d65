"""A recorded trace, read back and asked. The host's tools use this room, on Python 3.11 too; no run loads it."""

from tracepane.record.format.container import TraceError
from tracepane.record.trace.reader import Trace

__all__ = ["Trace", "TraceError"]
