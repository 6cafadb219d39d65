"""Fold the whole log, as on the pane before; then let happen in between what the scenario says."""

from dataclasses import replace

from station import WIDE, reading

from practices import Budget, Material, fold

material = reading()
size = len(material.data)
ref = fold(material, 0, size, scope="team", covers="one morning", omits="why it ends in nan", budget=WIDE)

if meanwhile == "read again":  # a new observation: other bytes, another version, its own time
    material = Material("station.log", material.data + b"\n08:41 ...", "v4", "2026-11-02T09:00:00Z")
elif meanwhile == "edited":  # somebody has swapped two digits and left the version as it was
    material = replace(material, data=material.data.replace(b"17.5", b"71.5", 1))

budget = Budget(bytes_limit=64, token_estimate_limit=16)  # for one fragment
