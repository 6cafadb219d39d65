"""The digest of a trace: who keeps one works it out, as to do so costs no run anything. Source: trace-format.md."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from tracepane.record.format.container import write_json
from tracepane.record.format.encoding import raw
from tracepane.record.format.layout import COLUMNS

NOT_IN_DIGEST = ("digest", "wall", "steps")


def digest(columns: Mapping[str, Any], end: Mapping[str, Any]) -> str:
    """In hexadecimal: of all columns, and of the end's document without NOT_IN_DIGEST."""
    whole = sha256()
    for name in COLUMNS:
        whole.update(sha256(raw(columns[name])).hexdigest().encode("ascii") + b"\n")
    whole.update(write_json({key: value for key, value in end.items() if key not in NOT_IN_DIGEST}))
    return whole.hexdigest()
