"""Make the store of the scenario: a real database in the temporary folder of this run."""

import sqlite3
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from station import reading

from store import Kept, Store

path = Path(tempfile.mkdtemp()) / "store.db"
store = Store(path)
kept = Kept(reading(), "business content")
other = sqlite3.connect(path, isolation_level=None)  # another program that uses the same file


class Disturbed(Store):
    """A store that the other program locks right after each COMMIT: written, but not to be read back."""

    @contextmanager
    def writing(self):
        """Write as the store does, and then have bad luck."""
        with super().writing() as db:
            yield db
        other.execute("BEGIN EXCLUSIVE")


if scenario == "full":
    store = Store(path, pages=8)  # eight pages of 4,096 bytes are the whole disk
    kept = Kept(replace(reading(), data=reading().data * 60), "business content")
elif scenario == "locked":
    other.execute("BEGIN EXCLUSIVE")
elif scenario == "unknown":
    store = Disturbed(path)
