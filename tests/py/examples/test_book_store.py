"""The store's rules: a fold stands only for what is safely kept, and a deletion says what it left."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from practices import Budget, Material, expand
from store import Damaged, Deleted, Kept, NotKept, Outline, Store, WriteFailed, WriteUnknown

WIDE = Budget(10_000, 10_000)
LOG = Kept(Material("log-7", "启动 ok\n".encode() * 50, "v3", "2026-11-02T08:15:00Z"), "business content")
RULE = {"rule": "personal data after 30 days", "at": "2026-12-02T00:00:00Z"}


def fold(store, kept=LOG, budget=WIDE):
    """Fold the whole of an entry."""
    return store.fold_away(kept, 0, len(kept.material.data), Outline("team", "the start", "the rest"), budget)


class LockedAfterwards(Store):
    """A store whose entry is written, whereupon another program locks the database: it cannot be read back."""

    other = None

    def holds(self, kept):
        """Let the first look pass, and lock before the second."""
        if self.other is None:
            self.other = sqlite3.connect(self.path, isolation_level=None)
            return super().holds(kept)
        self.other.execute("BEGIN EXCLUSIVE")
        return super().holds(kept)


def test_a_fold_is_committed_when_its_original_can_be_read(tmp_path):
    """The stub stands in the input, and the whole original in the store."""
    store = Store(tmp_path / "store.db")
    done = fold(store)
    assert (done.status, done.content, done.reason) == ("committed", done.ref.encoded(), "")
    assert store.find("log-7", "v3") == LOG


def test_a_failed_write_keeps_the_full_text(tmp_path):
    """A full disk: the input stays as long as it was, and nothing is in the store."""
    store = Store(tmp_path / "store.db", pages=10)
    large = replace(LOG, material=replace(LOG.material, data=b"x" * 100_000))
    done = fold(store, large)
    assert (done.status, done.content, done.ref) == ("failed", large.material.data, None)
    assert "full" in done.reason
    with pytest.raises(NotKept):
        store.find("log-7", "v3")


def test_a_locked_database_is_a_failed_write(tmp_path):
    """Another writer holds it: it is certain that nothing was written."""
    store = Store(tmp_path / "store.db")
    with store.writing(), pytest.raises(WriteFailed, match="locked"):
        store.keep(LOG)
    assert fold(store).status == "committed"


def test_an_unknown_write_keeps_the_full_text_and_may_be_tried_again(tmp_path):
    """Written but not read back: no stub. Later the entry is found, and is not written twice."""
    store = LockedAfterwards(tmp_path / "store.db")
    done = fold(store)
    assert (done.status, done.content, done.ref) == ("unknown", LOG.material.data, None)
    store.other.close()
    again = Store(tmp_path / "store.db", pages=1)  # there is no room for a second write
    assert fold(again).status == "committed"


def test_what_is_read_back_otherwise_is_unknown(tmp_path, monkeypatch):
    """The confirmation is a comparison of the bytes, not the absence of an error."""
    store = Store(tmp_path / "store.db")
    monkeypatch.setattr(store, "holds", lambda _: False)
    with pytest.raises(WriteUnknown, match="read back"):
        store.keep(LOG)


def test_a_stub_over_the_budget_is_refused_before_anything_is_written(tmp_path):
    """An error of the caller's leaves no entry behind."""
    store = Store(tmp_path / "store.db")
    with pytest.raises(ValueError, match="over the limit"):
        fold(store, budget=Budget(10, 10))
    with pytest.raises(NotKept):
        store.find("log-7", "v3")


def test_expansion_works_after_a_restart(tmp_path):
    """Another process, with nothing but the stub and the file, gets the very bytes."""
    ref = fold(Store(tmp_path / "store.db")).ref
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1]);"
        "from store import Store; from practices import Budget, MaterialRef, expand;"
        "ref = MaterialRef(**json.loads(sys.argv[3])); original = Store(sys.argv[2]).load(ref);"
        "print(expand(ref, original, allowed=['team'], budget=Budget(99, 99), start=3, end=8).hex())"
    )
    book = str(Path(sys.modules["store"].__file__).parent)
    command = [sys.executable, "-I", "-B", "-c", program, book, str(tmp_path / "store.db"), ref.encoded().decode()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert bytes.fromhex(done.stdout) == LOG.material.data[3:8]  # it cuts a character, and stays as it is


def test_one_id_and_version_name_one_thing(tmp_path):
    """Other bytes, another kind or another time under the same name are refused."""
    store = Store(tmp_path / "store.db")
    store.keep(LOG)
    with pytest.raises(ValueError, match="is kept, and differs"):
        store.keep(replace(LOG, material=replace(LOG.material, data=b"other")))
    with pytest.raises(ValueError, match="is kept, and differs"):
        store.keep(replace(LOG, kind="protocol message"))
    store.keep(replace(LOG, material=replace(LOG.material, version="v4", data=b"other")))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "note"},
        {"transformed": ""},
        {"kind": "redacted copy"},
        {"kind": "redacted copy", "transformed": "names"},
        {"transformed": "names", "made_from": "log-6"},
    ],
)
def test_an_object_says_what_it_is(wrong):
    """Its kind is one of three, and only a redacted copy was transformed, and says from what."""
    with pytest.raises(ValueError, match=r"kind|copy|text"):
        replace(LOG, **wrong)


def test_a_deletion_leaves_a_tombstone_that_names_the_copies(tmp_path):
    """Redacted copies in the store and noted places outside; the reference says when and under what rule."""
    store = Store(tmp_path / "store.db")
    ref = fold(store).ref
    redacted = Kept(replace(LOG.material, id="log-7-redacted", data=b"..."), "redacted copy", "names", "log-7")
    store.keep(redacted)
    store.note_copy("log-7", "v3", "backup of Monday")
    grave = store.delete("log-7", "v3", **RULE)
    assert grave.remaining == ("log-7-redacted", "backup of Monday")
    with pytest.raises(Deleted, match=r"2026-12-02.*30 days.*log-7-redacted, backup of Monday") as told:
        Store(tmp_path / "store.db").load(ref)
    assert told.value.tombstone == grave
    assert store.find("log-7-redacted", "v3") == redacted


def test_deleted_bytes_are_gone_from_the_file(tmp_path):
    """They are overwritten, not only unlinked from the table."""
    path = tmp_path / "store.db"
    store = Store(path)
    store.keep(LOG)
    assert LOG.material.data in path.read_bytes()
    store.delete("log-7", "v3", **RULE)
    assert b"ok\n" not in path.read_bytes()


def test_what_was_deleted_is_not_kept_again_unasked(tmp_path):
    """Folding the text once more may not bring it back past the rule: the caller has to decide."""
    store = Store(tmp_path / "store.db")
    store.keep(LOG)
    store.delete("log-7", "v3", **RULE)
    with pytest.raises(Deleted):
        fold(store)
    with pytest.raises(Deleted):
        store.delete("log-7", "v3", **RULE)


def test_damage_is_noticed(tmp_path):
    """A changed byte in the file is no original, and the entry is not taken for written."""
    store = Store(tmp_path / "store.db")
    ref = fold(store).ref
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE kept SET data = ?", (LOG.material.data[:-1] + b"!",))
    with pytest.raises(Damaged):
        store.load(ref)
    done = fold(store)
    assert (done.status, done.content) == ("failed", LOG.material.data)


def test_an_expansion_checks_what_the_store_gives(tmp_path):
    """The store hands out the original; the permission is asked for again by `expand`."""
    store = Store(tmp_path / "store.db")
    ref = fold(store).ref
    with pytest.raises(ValueError, match="may not be shown"):
        expand(ref, store.load(ref), allowed=["public"], budget=WIDE)


def test_what_is_damaged_can_be_deleted(tmp_path):
    """The rule holds for whatever bytes there are; the tombstone answers as any other does."""
    store = Store(tmp_path / "store.db")
    ref = fold(store).ref
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE kept SET data = ?", (LOG.material.data[:-1] + b"!",))
    store.delete("log-7", "v3", **RULE)
    with pytest.raises(Deleted):
        store.load(ref)
    assert b"ok\n" not in Path(store.path).read_bytes()


def redacted(id, made_from):
    """Return a redacted copy."""
    return Kept(replace(LOG.material, id=id, data=b"..."), "redacted copy", "names", made_from)


def test_a_copy_is_made_from_an_original(tmp_path):
    """From another copy it would not be found when the original is deleted: then the tombstone would lie."""
    store = Store(tmp_path / "store.db")
    store.keep(LOG)
    store.keep(redacted("public", "log-7"))
    with pytest.raises(ValueError, match="public was made from log-7 itself"):
        store.keep(redacted("press", "public"))
    store.keep(redacted("press", "log-7"))
    assert store.delete("log-7", "v3", **RULE).remaining == ("press", "public")


def test_nothing_is_made_from_what_was_deleted(tmp_path):
    """Its tombstone has named the copies that remained, and there are no others."""
    store = Store(tmp_path / "store.db")
    store.keep(LOG)
    store.delete("log-7", "v3", **RULE)
    with pytest.raises(Deleted):
        store.keep(redacted("public", "log-7"))
    store.keep(redacted("other", "log-6"))  # whose original is elsewhere


@pytest.mark.parametrize("missing", ["rule", "at"])
def test_a_deletion_says_under_what_rule_and_when(tmp_path, missing):
    """Or nothing is deleted."""
    store = Store(tmp_path / "store.db")
    store.keep(LOG)
    with pytest.raises(ValueError, match=f"{missing} must be text"):
        store.delete("log-7", "v3", **(RULE | {missing: " "}))
    assert store.find("log-7", "v3") == LOG


def test_reading_needs_no_lock(tmp_path):
    """Another writer at work does not keep a process from opening the store and finding what is there."""
    store = Store(tmp_path / "store.db")
    store.keep(LOG)
    with store.writing():
        assert Store(tmp_path / "store.db").find("log-7", "v3") == LOG
