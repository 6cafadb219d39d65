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


def _encodes(text):
    """Tell whether the text can be written as UTF-8 (no lone surrogates)."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
