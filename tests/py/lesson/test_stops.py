"""Where a breakpoint stops: no line may look active and never stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracepane.lesson import interpreter, program
from tracepane.lesson.source import Source, shown_range, stops
from tracepane.record import process

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases" / "programs"


def targets(text: str, show: str | None = None) -> dict[int, int]:
    """For each line that is shown: where a breakpoint on it stops."""
    source = Source("core.py", "shown", text.encode())
    return stops(source, shown_range(source, show))


def case(number: str) -> str:
    """The text of a case, which the checkout itself does not hold."""
    found = list(CASES.glob(f"{number}_*.py"))
    if not found:
        pytest.skip(f"the cases are not beside this checkout: no {CASES}/{number}_*.py")
    return found[0].read_text("utf-8")


def test_a_statement_over_several_lines_stops_where_its_run_begins() -> None:
    """Each line of a call, of a `for` head and of a continued line leads to the first event of the statement."""
    found = targets(case("044"))
    assert {line: found[line] for line in range(15, 31)} == {
        **{15: 15, 16: 16, 17: 18},
        **dict.fromkeys(range(18, 24), 18),
        **dict.fromkeys((24, 25, 26), 26),
        **{27: 27, 28: 28, 29: 28, 30: 30},
    }


def test_annotations_that_never_run_slide_on() -> None:
    """On 3.14 a bare annotation in a class gets no event, one in a module does."""
    found = targets(case("049"))
    assert {line: found[line] for line in range(15, 22)} == {15: 15, 16: 17, 17: 17, 18: 18, 19: 20, 20: 20, 21: 21}


def test_empty_lines_comments_and_docstrings_slide_on() -> None:
    """They lead to the next line that runs; a module's docstring and a stray string run."""
    found = targets(case("051"))
    expected = {13: 13, 14: 16, 15: 16, 16: 16, 17: 19, 18: 19, 19: 19, 20: 21, 21: 21, 22: 22, 23: 23, 24: 24}
    assert {line: found[line] for line in range(13, 25)} == expected


def test_only_traced_code_stops() -> None:
    """A shown function's `def` belongs to the module, which is not traced; its end has nowhere to slide to."""
    text = "import x\n\n@x.y\ndef f(\n    a: int,\n):\n    global b\n    b = a\n    # the end\n\ndef g(): return 1\n"
    assert targets(text, "f") == dict.fromkeys(range(3, 9), 8)
    assert targets(text, "3-10") == dict.fromkeys(range(3, 9), 8)
    assert targets(text, "g") == {11: 11}


def test_else_and_unreachable_code_slide_on() -> None:
    """`else:` and `finally:` have no event, and what the compiler drops has none either."""
    text = "try:\n    a = 1\nexcept E:\n    a = 2\nelse:\n    a = 3\nfinally:\n    b = 1\nif 0:\n    c = 1\nd = 1\n"
    found = targets(text)
    assert (found[5], found[7], found[10]) == (6, 8, 11)


def programs() -> list[Path]:
    """All cases, or a stand-in that is skipped."""
    return sorted(CASES.glob("*.py")) or [CASES / "none.py"]


@pytest.mark.parametrize("path", programs(), ids=lambda path: path.stem)
def test_no_breakpoint_looks_active_and_never_stops(path: Path) -> None:
    """If anything of a statement ran, the line where its breakpoints stop had an event; no event was unforeseen."""
    if not path.is_file():
        pytest.skip(f"the cases are not beside this checkout: no {CASES}")
    assert interpreter.exact(), "no CPython 3.14 reads the sources"
    job = program.job(path, limits={"steps": 3000, "seconds": 3})
    trace = process.record(job)
    events = {trace.line(step) for step in range(trace.steps) if trace.kind(step) == "line"}
    source = Source(path.name, "shown", path.read_bytes())
    span = {line: tuple(each) for each in source.syntax["statements"] for line in range(each[0], each[1] + 1)}
    ran = {span[line] for line in events}
    silent = {target for target in stops(source, (1, len(source.lines))).values() if span[target] in ran} - events
    assert silent == set()
    assert events <= {line for code in source.syntax["codes"] for line in code["starts"]}


def test_without_cpython_3_14_the_host_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site can be built where there is none; lines that get no event slide there too."""
    monkeypatch.setattr(interpreter, "reader", lambda: None)
    interpreter.describe.cache_clear()
    try:
        text = 'def f():\n    """Text."""\n    # note\n    return (\n        1 + x\n    )\n\nf()\n'
        assert targets(text, "f") == dict.fromkeys(range(1, 7), 5)
    finally:
        interpreter.describe.cache_clear()


def test_a_compiler_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The source that it died of is blamed; the next one is read by a new process."""
    child = interpreter.reader()
    assert child is not None
    child.kill()
    child.wait()
    interpreter.describe.cache_clear()
    monkeypatch.setattr(interpreter, "SAME", False)
    assert interpreter.describe(b"first = 1")["error"]["message"] == "the compiler crashes on it"
    assert interpreter.describe(b"second = 2")["error"] is None
