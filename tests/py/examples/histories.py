"""Histories for the tests: one builder by hand, one for random ones."""

from hypothesis import strategies as st

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
RESULT_TEXT = TEXT | st.builds(lambda text, times: text * times, TEXT, st.integers(1, 40))
BOOLEANS = st.booleans()


def call(call_id, **arguments):
    """One tool call."""
    return {"type": "tool_use", "id": call_id, "name": "read", "input": arguments}


def result(call_id, content="done", is_error=False):
    """One tool result."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": is_error}


def pair(*results):
    """The two messages of one exchange: a call for each result."""
    calls = [call(block["tool_use_id"]) for block in results]
    return [{"role": "assistant", "content": calls}, {"role": "user", "content": list(results)}]


def history(*groups, question="Why does the build fail?"):
    """A question and then one pair for each group of results."""
    return [{"role": "user", "content": question}, *(message for group in groups for message in pair(*group))]


def short_pairs(count, size=20):
    """A history of that many pairs, each with one result of `size` characters."""
    return history(*([result(f"call_{number}", "x" * size)] for number in range(1, count + 1)))


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
