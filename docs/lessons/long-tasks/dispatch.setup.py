"""Accept the material; then let the world be as the scenario says at the moment of starting."""

import tempfile
from pathlib import Path

from takeover import LOG, MAIL, OPEN_FILE, handover

from ledger import Action
from store import Kept, Store
from transfer import World, accept

accepted = accept(handover(), [Action("act-1", "read station.log", False, 2, "done")], [OPEN_FILE, MAIL], (2, 7))

store = Store(Path(tempfile.mkdtemp()) / "store.db")
store.keep(Kept(LOG, "business content"))
permissions = ["open_file", "send_mail"]  # asked for and given today
owners = {"station": "session-2"}
updaters = {"station": []}
scopes = ["team"]

if scenario == "permission":
    permissions.remove("send_mail")  # yesterday's session had it
elif scenario == "updater":
    owners["station"] = "session-1"
    updaters["station"].append("session-1")
elif scenario == "deleted":
    store.delete("station.log", "v3", rule="raw logs go after 30 days", at="2026-12-02T00:00:00Z")
elif scenario == "scope":
    scopes = ["public"]  # the new session runs on a service outside

world = World(
    task="station",
    permitted=permissions.__contains__,
    owner=owners.get,
    updaters=updaters.get,
    load=store.load,
    scopes=scopes,
)
