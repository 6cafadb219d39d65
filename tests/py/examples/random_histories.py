"""Random histories for the property tests: always whole, otherwise anything."""

from histories import call, result
from hypothesis import strategies as st

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
RESULT_TEXT = TEXT | st.builds(lambda text, times: text * times, TEXT, st.integers(1, 40))
BOOLEANS = st.booleans()


@st.composite
def exchanges(draw):
    """A random pair: one to three calls, perhaps some text, results in any order."""
    ids = draw(st.lists(st.text(min_size=1, max_size=8).filter(_encodes), min_size=1, max_size=3, unique=True))
    blocks = [{"type": "text", "text": draw(TEXT)} for _ in range(draw(st.integers(0, 1)))]
    blocks += [call(name, path=draw(TEXT)) for name in ids]
    results = [result(name, draw(RESULT_TEXT), draw(BOOLEANS)) for name in draw(st.permutations(ids))]
    return [{"role": "assistant", "content": blocks}, {"role": "user", "content": results}]


@st.composite
def histories(draw, max_pairs=6):
    """A random whole history."""
    groups = draw(st.lists(exchanges(), max_size=max_pairs))
    return [{"role": "user", "content": draw(TEXT)}, *(message for group in groups for message in group)]


JSON = st.recursive(
    st.none() | BOOLEANS | st.integers(-1, 9) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def damaged(draw):
    """A random history in which one place, anywhere, holds something else or nothing."""
    messages = draw(histories(4))
    places = list(_places(messages))
    holder, key = draw(st.sampled_from(places))
    if draw(BOOLEANS):
        del holder[key]
    else:
        holder[key] = draw(JSON | st.sampled_from(["user", "assistant", "text", "tool_use", "tool_result"]))
    return messages


def _places(value):
    """Every place in a value: a list and an index, or a dict and a key."""
    for key, inner in enumerate(value) if isinstance(value, list) else value.items():
        yield value, key
        if isinstance(inner, list | dict):
            yield from _places(inner)


def _encodes(text):
    """Tell whether the text can be written as UTF-8 (no lone surrogates)."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
