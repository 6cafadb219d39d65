"""What becomes of a piece of a history: the table, and what stands outside of it."""

from dataclasses import replace

import pytest

from retention import DELETABLE, EVICTED, HARD_KEPT, IMPORTANT, KEPT, OBSERVATION, OUTLINE, Piece, decide

LOG = Piece("log-7", OBSERVATION, 8, source="sensor.log", version="v3")
MINOR = replace(LOG, importance=IMPORTANT - 1)
JUST = replace(LOG, importance=IMPORTANT)
THERE, GONE = {"sensor.log": "v3"}, {}
SAVED, UNSAVED = {"log-7": "v3"}, {}


@pytest.mark.parametrize(
    ("piece", "sources", "archive", "fate"),
    [
        (LOG, THERE, UNSAVED, OUTLINE),
        (JUST, THERE, UNSAVED, OUTLINE),
        (LOG, THERE, SAVED, OUTLINE),
        (LOG, GONE, SAVED, OUTLINE),
        (LOG, GONE, UNSAVED, KEPT),
        (MINOR, THERE, UNSAVED, DELETABLE),
        (MINOR, THERE, SAVED, DELETABLE),
        (MINOR, GONE, SAVED, EVICTED),
        (MINOR, GONE, UNSAVED, KEPT),
    ],
)
def test_the_table(piece, sources, archive, fate):
    """Two dimensions: how much it matters, and where the same version can be had again."""
    assert decide(piece, sources, archive).fate == fate


@pytest.mark.parametrize("importance", range(11))
def test_the_only_unsaved_observation_is_never_evicted(importance):
    """Whatever its score."""
    assert decide(replace(LOG, importance=importance), GONE, UNSAVED).fate == KEPT


@pytest.mark.parametrize("sources", [{"sensor.log": "v4"}, {"other.log": "v3"}])
def test_another_version_gives_nothing_back(sources):
    """A file that has changed since is there, and what was seen in it is not."""
    assert decide(MINOR, sources, {"log-7": "v2"}).fate == KEPT


@pytest.mark.parametrize("kind", HARD_KEPT)
def test_no_score_removes_what_is_kept_hard(kind):
    """Not the lowest one, and not when it could be had again from everywhere."""
    kept = decide(replace(LOG, kind=kind, importance=0), THERE, SAVED)
    assert (kept.fate, kept.reason) == (KEPT, f"{kind}: no score removes it")


@pytest.mark.parametrize("importance", [-1, 11, 5.0, True, "5", None])
def test_a_score_that_is_none_is_refused(importance):
    """Also for what is kept whatever its score."""
    for kind in (OBSERVATION, HARD_KEPT[0]):
        with pytest.raises(ValueError, match="importance is an int"):
            decide(replace(LOG, kind=kind, importance=importance), THERE, SAVED)


def test_an_unknown_kind_is_refused():
    """A spelling mistake must not turn a hard-kept piece into one that may be deleted."""
    with pytest.raises(ValueError, match="nobody knows the kind"):
        decide(replace(LOG, kind="goal versoin", importance=0), THERE, SAVED)


@pytest.mark.parametrize("version", [None, "", " ", 3])
def test_a_version_that_nobody_knows_is_nowhere_else(version):
    """No version there and none seen are not the same version: nothing is decided."""
    with pytest.raises(ValueError, match="version must be text"):
        decide(replace(MINOR, version=version), {"sensor.log": version}, {"log-7": version})
    with pytest.raises(ValueError, match="version must be text"):
        decide(replace(MINOR, version=version), GONE, UNSAVED)
