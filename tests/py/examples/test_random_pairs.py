"""Random histories of batches, rewritten at random: only whole settled batches may go."""

import copy

import pytest
from batches import history
from hypothesis import given
from hypothesis import strategies as st

from pairs import OUTCOMES, Tidied, check_rewrite

outcomes = st.sampled_from([*OUTCOMES, None])
shapes = st.lists(st.lists(outcomes, min_size=1, max_size=3), max_size=4)


@given(shapes, st.data())
def test_any_history_may_lose_whole_settled_batches_and_nothing_else(shape, data):
    """Random histories, random selections of their batches; the check agrees with a rule stated here anew."""
    batches = [[(f"{turn}.{slot}", outcome) for slot, outcome in enumerate(batch)] for turn, batch in enumerate(shape)]
    kept = [data.draw(st.booleans()) for _ in batches]
    before = history(*batches)
    after = history(*[batch for batch, stays in zip(batches, kept, strict=True) if stays])
    copies = copy.deepcopy((before, after))
    gone = [pair for batch, stays in zip(batches, kept, strict=True) if not stays for pair in batch]
    if all(outcome in ("done", "failed") for _, outcome in gone):
        assert [call.id for call in check_rewrite(before, after)] == [id for id, _ in gone]
    else:
        with pytest.raises(Tidied):
            check_rewrite(before, after)
    assert (before, after) == copies
