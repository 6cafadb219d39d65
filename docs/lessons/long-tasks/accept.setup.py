"""Put together what the old session leaves, and what the new one has."""

from dataclasses import replace

from takeover import MAIL, OPEN_FILE, handover

from ledger import Action

material = handover()
actions = [
    Action("act-1", "read station.log", False, 2, "done"),
    Action("act-2", "mail the chief", True, 4, "not done"),
]
tools = [OPEN_FILE, MAIL]
current = (2, 7)  # revision of the goal, version of the context

if scenario == "unknown":
    actions[1] = replace(actions[1], state="unknown")
elif scenario == "same_name":
    tools[1] = replace(MAIL, version="3", schema='{"text":"string","to":"array"}')  # now it takes a list of people
elif scenario == "three":
    actions.append(Action("act-3", "watch the sensor until noon", False, 5))
    tools.pop(0)
    current = (3, 7)
