"""How runs end."""

from __future__ import annotations

import pytest
from lone_job import job
from running import run


def test_exceptions_print_as_in_cpython() -> None:
    """The lesson's frames and no others, with the place in the line."""
    found = run("def f():\n    1/0\nf()")
    assert found.stderr == (
        "Traceback (most recent call last):\n"
        f'  File "{root()}/src/prog.py", line 3, in <module>\n    f()\n    ~^^\n'
        f'  File "{root()}/src/prog.py", line 2, in f\n    1/0\n    ~^~\n'
        "ZeroDivisionError: division by zero\n"
    )
    assert found.end["exception"] == {
        "type": "ZeroDivisionError",
        "message": "division by zero",
        "args": "('division by zero',)",
        "traceback": [
            {"file": "prog.py", "line": 3, "function": "<module>"},
            {"file": "prog.py", "line": 2, "function": "f"},
        ],
    }


def root() -> str:
    """The directory of the jobs here."""
    return str(job("")["root"])


def test_deep_tracebacks_are_folded() -> None:
    """Equal frames are counted, not listed."""
    found = run("def f(): f()\nf()")
    assert [entry.get("repeated") for entry in found.end["exception"]["traceback"]] == [None, None, None, 996]


def test_library_frames_are_the_same_everywhere() -> None:
    """Under one path, without lines, which differ from version to version."""
    found = run("import json\njson.loads('{')")
    assert 'File "/usr/lib/python3.14/json/decoder.py", line ?, in raw_decode' in found.stderr
    assert found.end["exception"]["traceback"][-1] == {
        "file": "/usr/lib/python3.14/json/decoder.py",
        "line": 0,
        "function": "JSONDecoder.raw_decode",
    }


def test_an_exception_s_own_str_is_not_called_for_the_end() -> None:
    """The traceback calls it, as CPython does; the end reads type and args."""
    source = "class E(Exception):\n    def __str__(self): return 'mine'\nraise E(1, [2])"
    found = run(source)
    assert (found.end["exception"]["message"], found.stderr.splitlines()[-1]) == ("(1, [2])", "E: mine")


def test_syntax_errors_are_exceptions_of_the_run() -> None:
    """They print without frames, as for a script."""
    found = run("x = 1\nif x\n")
    assert found.stderr == f"  File \"{root()}/src/prog.py\", line 2\n    if x\n        ^\nSyntaxError: expected ':'\n"
    assert found.end["exception"]["message"] == "expected ':' (prog.py, line 2)"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\nimport wrong", "invalid syntax (wrong.py, line 2)"),
        ("exec('a b')", "invalid syntax (<string>, line 1)"),
        ("raise SyntaxError('no')", "no"),
        ("raise SyntaxError('no', (None, 3, 1, 'x'))", "no (line 3)"),
    ],
)
def test_a_syntax_error_names_its_own_file(source: str, message: str) -> None:
    """As its text in CPython: it may not be the program's."""
    found = run(source, support={"wrong.py": "y = 1\ny z\n"})
    assert found.end["exception"]["message"] == message


@pytest.mark.parametrize(
    ("source", "code", "stderr"),
    [
        ("raise SystemExit", 0, ""),
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit('no')", 1, "no\n"),
        ("exit(257)", 1, ""),
    ],
)
def test_exit_codes(source: str, code: int, stderr: str) -> None:
    """Of SystemExit in its forms."""
    found = run(source)
    assert (found.status, found.exit, found.stderr) == ("exit", code, stderr)


def test_os_exit_leaves_at_once() -> None:
    """Past `finally`, `atexit` and `except`; what was printed stays."""
    source = (
        "import os, atexit\natexit.register(print, 'never')\nprint('x', end='')\n"
        "try: os._exit(7)\nfinally: print('never')"
    )
    found = run(source, record=True)
    assert (found.status, found.exit, found.stdout) == ("exit", 7, "x")


def test_the_order_of_the_exit() -> None:
    """Exit handlers last in first out, then what has finalizers: what CPython 3.14.8 prints."""
    source = (
        "import atexit\nclass D:\n    def __init__(self, n): self.n = n\n    def __del__(self): print('del', self.n)\n"
        "a = D('a')\n_b = D('_b')\ncycle = D('cycle')\ncycle.me = cycle\n"
        "atexit.register(print, 1)\natexit.register(print, 2)\n"
        "def keeps(): return a"
    )
    assert run(source).stdout == "2\n1\ndel a\ndel _b\ndel cycle\n"


def test_a_hook_for_exceptions_is_called() -> None:
    """And when it raises, both are shown."""
    found = run("import sys\nsys.excepthook = lambda *a: 1/0\nraise KeyError('k')")
    lines = found.stderr.splitlines()
    assert lines[0] == "Error in sys.excepthook:"
    assert "Original exception was:" in lines
    assert lines[-1] == "KeyError: 'k'"


def test_a_run_over_its_seconds_is_ended() -> None:
    """Whatever it catches."""
    source = "while True:\n    try:\n        while True: pass\n    except BaseException: print('caught')"
    found = run(source, limits={"seconds": 1})
    assert (found.status, found.end["limit"], found.stdout) == ("limit", "seconds", "")


def test_a_loop_in_c_is_killed() -> None:
    """The parent does it, and what arrived is kept."""
    found = run("print('x')\nsum(range(10**13))", limits={"seconds": 1})
    assert (found.status, found.end["limit"], found.stdout) == ("limit", "seconds", "x\n")


def test_a_crash_keeps_what_was_recorded() -> None:
    """The end names what killed the interpreter."""
    source = "import faulthandler, sys\nprint('x')\nsys.stdout.flush()\nfaulthandler._sigsegv()"
    found = run(source)
    assert (found.status, found.stdout) == ("crashed", "x\n")
    assert "SIGSEGV" in found.end["detail"]


def test_sources_run_in_one_main() -> None:
    """Each under its own name; what an earlier one binds, a later one finds; `__main__` is real."""
    source = (
        "import __main__, pickle\nclass P: pass\n"
        "print(scenario, __main__.P is P, type(pickle.loads(pickle.dumps(P()))) is P)"
    )
    found = run(source, support={"scenario.py": "scenario = 'normal'\n"}, before=["scenario.py"])
    assert found.stdout == "normal True True\n"


def test_modules_of_the_job_can_be_imported() -> None:
    """From its own import root, and what the program writes at once."""
    source = (
        "import pkg.mod\nprint(pkg.mod.X)\nimport importlib, os, sys\nsys.path.append('.')\n"
        "for n in range(3):\n    open('made.py', 'w').write(f'N = {n}')\n"
        "    import made\n    importlib.reload(made)\n    print(made.N)"
    )
    found = run(source, support={"pkg/mod.py": "X = 1\n"})
    assert found.stdout == "1\n0\n1\n2\n"
