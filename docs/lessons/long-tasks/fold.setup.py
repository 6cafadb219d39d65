"""Read the log, and write the outline that the scenario asks for."""

from station import WIDE, reading

material = reading()
budget = WIDE  # 400 bytes for a stub

covers = "temperatures of one morning, one a minute"
omits = {
    "given": "why the last one is no number",
    "missing": "",
    "long": "why the last one is no number, " + "who has looked after the station before, " * 5,
}[outline]
