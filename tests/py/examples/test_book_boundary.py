"""The commit at a control boundary: everything agrees, or the old representation stays selected."""

from dataclasses import asdict, replace

import pytest

from boundary import BASIS, Basis, Moment, Rewrite, Selected, commit_at_boundary, go_back, record_keeper
from practices import canonical_json

OLD = Selected([{"role": "user", "content": "启动"}, {"role": "assistant", "content": "a long text"}])
NOW = Moment(Basis(7, 2, b'{"limit":30}', ("act-2",), ("was it sent?",)))
REWRITE = Rewrite(NOW.basis, [{"role": "user", "content": "short"}])
CHANGED = {"revision": 8, "goal_revision": 3, "fields": b'{"limit":30.0}', "open_actions": (), "unknowns": ("why?",)}


@pytest.fixture
def save(tmp_path):
    """The real keeper of records, in a folder of the test."""
    return record_keeper(tmp_path)


def assert_kept(reason, now, save, rewrite=REWRITE):
    """Nothing is committed, the very same representation stays selected, and the reason is told."""
    outcome = commit_at_boundary(OLD, now, rewrite, save)
    assert outcome.selected is OLD
    assert not outcome.committed
    assert reason in outcome.reason


def test_a_commit_selects_the_rewrite(save):
    """With a way back."""
    outcome = commit_at_boundary(OLD, NOW, REWRITE, save)
    assert (outcome.committed, outcome.reason) == (True, "committed")
    assert outcome.selected.messages == REWRITE.messages


def test_the_way_back_leads_to_the_old_record(save, tmp_path):
    """Also over two commits, one after the other."""
    first = commit_at_boundary(OLD, NOW, REWRITE, save).selected
    second = commit_at_boundary(first, NOW, replace(REWRITE, messages=[]), save).selected
    assert go_back(second, tmp_path) == first
    assert go_back(go_back(second, tmp_path), tmp_path) == OLD


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"in_flight": ("call_3", "stream")}, "in flight: call_3, stream"),
        ({"unresolved": ("call_3",)}, "no result of call_3"),
        ({"objection": "reasoning goes back in full"}, "the adapter objects: reasoning goes back in full"),
    ],
)
def test_no_commit_outside_of_a_boundary(save, tmp_path, change, reason):
    """Something runs, a result is missing, or the adapter objects; nothing is written either."""
    assert_kept(reason, replace(NOW, **change), save)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", BASIS)
def test_no_commit_when_anything_has_changed(save, tmp_path, name):
    """Each of the five alone; nothing is written."""
    assert_kept(f"{name} was", replace(NOW, basis=replace(NOW.basis, **{name: CHANGED[name]})), save)
    assert list(tmp_path.iterdir()) == []


def test_no_commit_without_a_way_back(tmp_path):
    """The folder cannot be made, for a file stands in its place; or the record is too large."""
    (tmp_path / "records").write_text("in the way")
    assert_kept("old record not kept", NOW, record_keeper(tmp_path / "records"))
    assert_kept("there is room for 9", NOW, record_keeper(tmp_path, limit=9))


def test_a_record_may_have_the_limit_and_no_byte_more(tmp_path):
    """The folder is made when it is needed, with those above it."""
    size = len(canonical_json(asdict(OLD)))
    folder = tmp_path / "run" / "records"
    assert_kept(f"{size} bytes, and there is room for {size - 1}", NOW, record_keeper(folder, limit=size - 1))
    assert not folder.exists()
    assert commit_at_boundary(OLD, NOW, REWRITE, record_keeper(folder, limit=size)).committed
    assert [path.stat().st_size for path in folder.iterdir()] == [size]


def test_nothing_to_go_back_to(tmp_path):
    """Nothing was replaced."""
    with pytest.raises(ValueError, match="no way to go back"):
        go_back(OLD, tmp_path)


def test_a_record_that_was_changed_is_no_way_back(save, tmp_path):
    """The receipt is the hash of what was kept."""
    selected = commit_at_boundary(OLD, NOW, REWRITE, save).selected
    [record] = tmp_path.iterdir()
    record.write_bytes(record.read_bytes().replace(b"long", b"wrong"))
    with pytest.raises(ValueError, match="its hash differs"):
        go_back(selected, tmp_path)


@pytest.mark.parametrize("revision", [True, 1.0, "1", -1, None])
@pytest.mark.parametrize("name", ["revision", "goal_revision"])
def test_a_revision_is_an_int(name, revision):
    """True and 1.0 would equal 1."""
    with pytest.raises(ValueError, match="a revision is an int"):
        replace(NOW.basis, **{name: revision})
