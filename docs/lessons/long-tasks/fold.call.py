"""Fold the range and say what stays in the input."""

from station import log

from practices import fold

try:
    ref = fold(material, start, end, scope="team", covers=covers, omits=omits, budget=budget)
    print(ref.encoded().decode())
    print(f"{end - start} bytes leave the input; a stub of {len(ref.encoded())} bytes stays")
except ValueError as error:
    print(f"{type(error).__name__}: {error}")
    print("no stub: the text stays in the input as it is")

print("original still held in full:", material.data == log())
