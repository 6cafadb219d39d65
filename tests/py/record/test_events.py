"""Every kind of event, told apart exactly, natively and in Pyodide."""

from __future__ import annotations

from collections.abc import Callable

from recording import events

from tracepane.record.trace import Trace

Record = Callable[..., Trace]


def test_call_line_return(record: Record) -> None:
    """A call shows its arguments; a line shows what the line before it did."""
    assert events(record("def f(x):\n    y = x + 1\n    return y\nz = f(2)\n")) == [
        "call <module>:0",
        "line <module>:1",
        "line <module>:4 f=function#1(f)",
        "call f:1 x=2",
        "line f:2",
        "line f:3 y=3",
        "return f:3 → 3",
        "return <module>:4 z=3 → None",
        "end",
    ]


def test_generator(record: Record) -> None:
    """A generator is called when it is first asked, then yields and resumes; the end of a `for` is no exception."""
    source = "def g():\n    yield 1\nfor x in g():\n    pass\n"
    assert events(record(source), ("call", "resume", "yield", "return", "raise", "unwind")) == [
        "call <module>:0",
        "call g:1",
        "yield g:2 → 1",
        "resume g:2 x=1",
        "return g:2 → None",
        "return <module>:3 → None",
    ]


def test_unwinding_is_not_returning_none(record: Record) -> None:
    """An exception is raised once where it is raised and once in each caller, and leaves frames by `unwind`."""
    source = "def low():\n    raise KeyError('k')\ndef mid():\n    low()\ntry:\n    mid()\nexcept KeyError:\n    pass\n"
    assert events(record(source), ("return", "raise", "unwind")) == [
        "raise low:2 ! KeyError('k')",
        "unwind low:2 ! KeyError('k')",
        "raise mid:4 ! KeyError('k')",
        "unwind mid:4 ! KeyError('k')",
        "raise <module>:6 ! KeyError('k')",
        "return <module>:8 → None",
    ]


def test_the_exception_that_unwinds(record: Record) -> None:
    """A `finally` that met another exception on its way raises the first one again."""
    source = """\
def f():
    try:
        raise ValueError(1)
    finally:
        try:
            raise TypeError(2)
        except TypeError:
            pass
try: f()
except ValueError: pass
"""
    assert events(record(source), ("raise", "unwind")) == [
        "raise f:3 ! ValueError(1)",
        "raise f:6 ! TypeError(2)",
        "unwind f:8 ! ValueError(1)",
        "raise <module>:9 ! ValueError(1)",
    ]


def test_await(record: Record) -> None:
    """Coroutines suspend through all frames, and what ends an `await` is no exception."""
    source = """\
class Later:
    def __await__(self):
        got = yield "need"
        return got * 2
async def job():
    return await Later()
c = job()
c.send(None)
try: c.send(4)
except StopIteration: pass
"""
    found = events(record(source), ("resume", "yield", "return", "raise"))
    assert found[-7:] == [
        "yield job:6 → 'need'",
        "resume job:6 c=coroutine#4(job, 'suspended')",
        "resume Later.__await__:3 c=coroutine#4(job, 'suspended')",
        "return Later.__await__:4 → 8",
        "return job:6 → 8",
        "raise <module>:9 c=coroutine#4(job, 'closed') ! StopIteration(8)",
        "return <module>:10 → None",
    ]


def test_decorated_call_is_at_its_def(record: Record) -> None:
    """A decorated function is entered at the line of its `def`."""
    source = "def d(f):\n    return f\n@d\n@d\ndef g():\n    pass\ng()\n"
    assert [line for line in events(record(source), ("call",)) if " g:" in line] == ["call g:5"]


def test_code_of_others_is_not_the_lessons(record: Record) -> None:
    """Strings that are executed have lines of their own, even under the lesson's file name."""
    source = "exec('a = 1\\nb = 2')\nexec(compile('c = 3\\nd = 4', __file__, 'exec'))\n"
    assert events(record(source)) == [
        "call <module>:0",
        "line <module>:1",
        "line <module>:2 a=1 b=2",
        "return <module>:2 c=3 d=4 → None",
        "end",
    ]


def test_compiler_made_frames_are_hidden(record: Record) -> None:
    """Annotations and type parameters run in frames that nobody wrote; names that nobody wrote are no variables."""
    source = "def f[T](x: T) -> T:\n    return x\nf.__annotations__\nclass A:\n    y: int = 1\n"
    assert events(record(source), ("call", "return")) == [
        "call <module>:0",
        "call A:4",
        "return A:4 → None",
        "return <module>:4 A=type#2(A) → None",
    ]


def test_output_joins_until_the_next_event(record: Record) -> None:
    """What one line writes to one stream is one event, before the next line."""
    source = "import sys\nprint('a', end=''); print('b')\nsys.stderr.write('c\\n'); print('d')\n"
    assert events(record(source), ("output",)) == [
        "output <module>:2 'ab\\n'",
        "output <module>:3 'c\\n'",
        "output <module>:3 'd\\n'",
    ]


def test_only_the_traced_range(record: Record) -> None:
    """Code outside the range leaves no events of its own; what it prints and raises belongs to the nearest frame."""
    source = """\
def inner():
    print('x')
    return 1 / 0
def shown():
    try:
        inner()
    except ArithmeticError:
        return 2
shown()
"""
    assert events(record(source, traced=[[4, 8]])) == [
        "call shown:4 inner=function#1(inner)",
        "line shown:5",
        "line shown:6",
        "output shown:6 'x\\n'",
        "raise shown:6 ! ZeroDivisionError('division by zero')",
        "line shown:7",
        "line shown:8",
        "return shown:8 → 2",
        "end",
    ]


def test_own_trace_function(record: Record) -> None:
    """The program's trace function gets its own events, and recording goes on through it."""
    source = """\
import sys
hits = []
def spy(frame, event, arg):
    hits.append((event, frame.f_lineno, sys.gettrace() is spy))
    return spy
def work():
    a = 1
sys.settrace(spy)
work()
sys.settrace(None)
print(hits)
"""
    trace = record(source)
    assert trace.expand()["stdout"] == "[('call', 6, True), ('line', 7, True), ('return', 7, True)]\n"
    assert [event for event in events(trace) if "work:" in event] == [
        "call work:6",
        "line work:7",
        "return work:7 a=1 → None",
    ]


def test_step_limit_counts_events(record: Record) -> None:
    """The run ends right after the event that reached the limit; the end itself is one more."""
    trace = record("n = 0\nwhile True:\n    n += 1\n", limits={"steps": 10})
    assert (trace.steps, trace.end["status"], trace.end["limit"]) == (11, "limit", "steps")


def test_deep_recursion_loses_nothing(record: Record) -> None:
    """Up to the limit and back every call is recorded, and what follows too."""
    source = """\
def dive(n):
    return dive(n + 1)
try:
    dive(0)
except RecursionError as e:
    text = str(e)
last = 1
"""
    trace = record(source)
    found = events(trace)
    calls = [event for event in found if event.startswith("call dive")]
    assert calls == [f"call dive:1 n={number}" for number in range(len(calls))]
    assert sum(event.startswith("unwind dive") for event in found) == len(calls) > 900
    assert found[-3:] == [
        "line <module>:7 text='maximum recursion depth exceeded' -e",
        "return <module>:7 last=1 → None",
        "end",
    ]


def test_recursion_error_caught_at_the_bottom(record: Record) -> None:
    """Recording goes on where the deepest frame itself catches the error."""
    source = """\
import sys
sys.setrecursionlimit(60)
def dive(n):
    try:
        return dive(n + 1)
    except RecursionError:
        return n
r = dive(0)
after = [r > 40]
"""
    assert events(record(source))[-2:] == ["return <module>:9 after=list#4(True) → None", "end"]
