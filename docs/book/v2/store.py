"""Keep full results in SQLite, so that a fold never stands for something that is not safely kept.

A fold is committed only when its original was written, and then read back and found equal. When the write
failed, or nobody can say whether it worked, the full text stays in the input. Each operation opens the database
anew, so a restart of the process changes nothing, and a process that is killed leaves its last write done or not
done, never half done.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from practices import Budget, Material, MaterialRef, check_texts, fold, hash_bytes

KINDS = ("business content", "protocol message", "redacted copy")
KEY = "WHERE id = ? AND version = ?"
MADE_FROM = "WHERE made_from = ? AND version = ?"
TABLES = """
CREATE TABLE IF NOT EXISTS kept (id TEXT, version TEXT, retrieved_at TEXT, kind TEXT, transformed TEXT,
    made_from TEXT, sha256 TEXT, data BLOB, PRIMARY KEY (id, version));
CREATE TABLE IF NOT EXISTS copies (id TEXT, version TEXT, place TEXT, PRIMARY KEY (id, version, place));
CREATE TABLE IF NOT EXISTS tombstones (id TEXT, version TEXT, deleted_at TEXT, rule TEXT, remaining TEXT,
    PRIMARY KEY (id, version));
"""


@dataclass(frozen=True)
class Kept:
    """What is kept: the material, which kind of object it is, and what was changed in it before ("nothing").

    A redacted copy names the id of the original that it was `made_from`, in the same version.
    """

    material: Material
    kind: str
    transformed: str = "nothing"
    made_from: str = ""

    def __post_init__(self) -> None:
        """Refuse an object that does not say what it is."""
        check_texts(transformed=self.transformed)
        if self.kind not in KINDS:
            raise ValueError(f"the kind is one of {', '.join(KINDS)}, not {self.kind!r}")
        if (self.kind == "redacted copy") != (self.transformed != "nothing" and bool(self.made_from)):
            raise ValueError("a redacted copy says what was taken out of what; no other kind does")


@dataclass(frozen=True)
class Tombstone:
    """What stays of a deleted entry: when it was deleted, under what rule, and where copies remained then."""

    id: str
    version: str
    deleted_at: str
    rule: str
    remaining: tuple[str, ...]


@dataclass(frozen=True)
class Fold:
    """How a fold ended: "committed", "failed" or "unknown"; what enters the input; why not, if not."""

    status: str
    content: bytes
    ref: MaterialRef | None
    reason: str = ""


class WriteFailed(Exception):
    """Nothing was written; that much is certain."""


class WriteUnknown(Exception):
    """It may have been written or not; only looking it up can tell."""


class NotKept(LookupError):
    """There is no such entry, and none was deleted."""


class Damaged(ValueError):
    """What is stored is not what was written: its hash differs."""


class Deleted(LookupError):
    """The entry was deleted; `tombstone` says when, under what rule, and what remained."""

    def __init__(self, tombstone: Tombstone) -> None:
        remaining = ", ".join(tombstone.remaining) or "none"
        super().__init__(
            f"{tombstone.id} was deleted at {tombstone.deleted_at} under the rule {tombstone.rule!r};"
            f" copies that remained: {remaining}"
        )
        self.tombstone = tombstone


class Database:
    """The file with the tables. `pages` limits its size, as a full disk would."""

    def __init__(self, path: str | Path, pages: int = 1_000_000) -> None:
        self.path, self.pages = str(path), pages
        if not self.has_tables():  # reading alone takes no lock away from a writer
            with self.writing() as db:
                for statement in TABLES.split(";"):
                    db.execute(statement)

    def has_tables(self) -> bool:
        """Tell whether the file was set up; a process killed before that leaves one without tables."""
        with closing(self.connect()) as db:
            (count,) = db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()
        return bool(count)

    def find(self, id: str, version: str) -> Kept:
        """Read an entry through a connection of its own. NotKept, Deleted, Damaged; sqlite3.Error."""
        retrieved_at, kind, transformed, made_from, sha256, data = self.entry(id, version)
        if hash_bytes(data) != sha256:
            raise Damaged(f"{id} in version {version} is damaged: its hash differs")
        return Kept(Material(id, data, version, retrieved_at), kind, transformed, made_from)

    def entry(self, id: str, version: str) -> tuple[Any, ...]:
        """Read an entry as it lies in the table, damaged or not. NotKept, Deleted; sqlite3.Error."""
        with closing(self.connect()) as db:
            entry = db.execute(f"SELECT * FROM kept {KEY}", (id, version)).fetchone()
            grave = db.execute(f"SELECT * FROM tombstones {KEY}", (id, version)).fetchone()
        if grave:
            deleted_at, rule, remaining = grave[2:]
            raise Deleted(Tombstone(id, version, deleted_at, rule, tuple(json.loads(remaining))))
        if not entry:
            raise NotKept(f"{id} in version {version} is not kept here")
        return tuple(entry[2:])

    def row_of(self, kept: Kept) -> tuple[str | bytes, ...]:
        """Return a new entry as a row of the table; the hash is taken before SQLite sees the bytes.

        ValueError: a copy made from a copy, which a deletion of the original would not find.
        Deleted: so is what it was made from.
        """
        it = kept.material
        if kept.made_from:
            with suppress(NotKept):
                origin = self.find(kept.made_from, it.version)
                if origin.made_from:
                    raise ValueError(f"{kept.made_from} was made from {origin.made_from} itself: name that")
        labels = (it.id, it.version, it.retrieved_at, kept.kind, kept.transformed, kept.made_from)
        return (*labels, hash_bytes(it.data), it.data)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it when the block ends, nothing of it when anything is raised."""
        with closing(self.connect()) as db:
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")  # not reached after an error: closing rolls back

    def connect(self) -> sqlite3.Connection:
        """Open the file: safe on disk when a COMMIT returns, and deleted bytes overwritten."""
        db = sqlite3.connect(self.path, timeout=0, isolation_level=None)
        try:
            db.execute("PRAGMA synchronous = EXTRA")
            db.execute("PRAGMA secure_delete = ON")
            db.execute(f"PRAGMA max_page_count = {self.pages:d}")
        except sqlite3.Error:  # locked, or no database: no connection is left behind
            db.close()
            raise
        return db


@dataclass(frozen=True)
class Outline:
    """What a stub says of what it stands for; see `practices.fold`."""

    scope: str
    covers: str
    omits: str


class Store(Database):
    """Results that can be folded, found again, and deleted."""

    def fold_away(
        self,
        kept: Kept,
        start: int,
        end: int,
        outline: Outline,
        budget: Budget,
    ) -> Fold:
        """Keep the original; only then may a stub stand for it."""
        full = kept.material.data
        words = asdict(outline)
        ref = fold(kept.material, start, end, **words, budget=budget)
        try:
            self.keep(kept)
        except WriteFailed as error:
            return Fold("failed", full, None, str(error))
        except WriteUnknown as error:
            return Fold("unknown", full, None, str(error))
        return Fold("committed", ref.encoded(), ref)

    def keep(self, kept: Kept) -> None:
        """Write an entry and read it back.

        The same entry again writes nothing: after an unknown, try again.
        """
        committing = False
        try:
            if self.holds(kept):
                return
            row = self.row_of(kept)
            marks = ", ".join("?" * len(row))
            with self.writing() as db:
                db.execute(f"INSERT INTO kept VALUES ({marks})", row)
                committing = True
            confirmed = self.holds(kept)
        except (sqlite3.Error, Damaged) as error:
            if committing:
                raise WriteUnknown(f"not confirmed: {error}") from error
            raise WriteFailed(f"not written: {error}") from error
        if not confirmed:
            raise WriteUnknown("not found when it was read back")

    def holds(self, kept: Kept) -> bool:
        """Tell whether this very entry can be read.

        ValueError: its id and version are those of another one.
        """
        id, version = kept.material.id, kept.material.version
        try:
            found = self.find(id, version)
        except NotKept:
            return False
        if found != kept:
            raise ValueError(f"{id} ({version}) is kept, and differs")
        return True

    def load(self, ref: MaterialRef) -> Material:
        """Return the original that a reference stands for."""
        return self.find(ref.reference, ref.version).material

    def note_copy(self, id: str, version: str, place: str) -> None:
        """Note a copy outside, which no deletion here reaches."""
        with self.writing() as db:
            copy = (id, version, place)
            db.execute("INSERT OR IGNORE INTO copies VALUES (?, ?, ?)", copy)

    def delete(self, id: str, version: str, *, rule: str, at: str) -> Tombstone:
        """Remove an entry and leave its tombstone, both or neither.

        What was copied or redacted stays, and the tombstone names it.
        """
        check_texts(rule=rule, at=at)
        self.entry(id, version)
        key = (id, version)
        with self.writing() as db:
            made = f"SELECT id FROM kept {MADE_FROM}"
            noted = f"SELECT place FROM copies {KEY}"
            remaining = []
            for search in (made, noted):
                for (name,) in db.execute(f"{search} ORDER BY 1", key):
                    remaining.append(name)
            grave = (*key, at, rule, json.dumps(remaining))
            db.execute(f"DELETE FROM kept {KEY}", key)
            db.execute("INSERT INTO tombstones VALUES (?, ?, ?, ?, ?)", grave)
        return Tombstone(id, version, at, rule, tuple(remaining))
