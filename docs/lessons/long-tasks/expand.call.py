"""Expand the range, and show that the reference outlives a failure."""

from practices import ExpansionFailed, expand

try:
    fragment = expand(ref, material, allowed=allowed, budget=budget, start=start, end=end)
    print(f"bytes [{start}, {end}): {fragment!r}")
    print("shown to people:", fragment.decode("utf-8", errors="replace"))
    print("the same bytes as in the original:", fragment == material.data[start:end])
except ExpansionFailed as error:
    print("ExpansionFailed:", error)
    print("same reference as before:", error.ref is ref)
