"""What a browser cannot give is refused, by an ordinary error, and nothing of ours is to be seen."""

from __future__ import annotations

import pytest
from running import run

THREADS = "RuntimeError: can't start new thread"
PROCESSES = "OSError: a lesson cannot start or signal other processes: it runs in a browser too"
NETWORK = "OSError: a lesson cannot open network connections: it runs in the reader's browser, alone"


def error(source: str) -> str:
    """The last line that an uncaught exception prints."""
    found = run(source)
    assert found.status == "exception", found
    return found.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize(
    "source",
    [
        "import threading; threading.Thread(target=print).start()",
        "import threading; threading.Timer(1, print).start()",
        "import _thread; _thread.start_new_thread(print, ())",
        "from concurrent.futures import ThreadPoolExecutor as T; T().submit(print)",
        "import asyncio; asyncio.run(asyncio.to_thread(print))",
    ],
)
def test_threads_are_refused(source: str) -> None:
    """As Pyodide refuses them."""
    assert error(source) == THREADS


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess; subprocess.run(['ls'])",
        "import os; os.system('ls')",
        "import os; os.popen('ls')",
        "import os; os.fork()",
        "import os; os.execv('/bin/ls', ['ls'])",
        "import os; os.kill(1, 9)",
        "import posix; posix.fork()",
        "import posix; posix.system('ls')",
        "import multiprocessing as m; m.Process(target=print).start()",
    ],
)
def test_processes_are_refused(source: str) -> None:
    """Neither started nor signalled."""
    assert error(source) == PROCESSES


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import socket; socket.socket()", NETWORK),
        ("import socket; socket.create_connection(('localhost', 80))", NETWORK),
        ("import socket; socket.gethostbyname('localhost')", NETWORK),
        (
            "import urllib.request as u; u.urlopen('http://example.com')",
            f"urllib.error.URLError: <urlopen error {NETWORK[9:]}>",
        ),
    ],
)
def test_the_network_is_refused(source: str, message: str) -> None:
    """Ordinary Python errors."""
    assert error(source) == message


@pytest.mark.parametrize("name", "js pyodide pyodide_js _pyodide _pyodide_core tracepane _ctypes pwd".split())
def test_modules_that_are_not_there(name: str) -> None:
    """They fail as in a CPython that lacks them, and a look for them finds nothing."""
    assert error(f"import {name}") == f"ModuleNotFoundError: No module named '{name}'"
    assert run(f"import importlib.util\nprint(importlib.util.find_spec('{name}'))").stdout == "None\n"


def test_a_signal_to_oneself_runs_its_handler() -> None:
    """Others never arrive."""
    source = (
        "import os, signal\nsignal.signal(signal.SIGUSR1, lambda n, f: print('got', n))\n"
        "os.kill(os.getpid(), signal.SIGUSR1)"
    )
    assert run(source).stdout == "got 10\n"


def test_a_deadly_signal_ends_the_run() -> None:
    """No `finally` runs; the exit code is the shell's."""
    found = run("import os, signal\ntry: os.kill(os.getpid(), signal.SIGTERM)\nfinally: print('never')")
    assert (found.status, found.exit, found.stdout) == ("exit", 143, "")


def test_what_lies_under_os_is_no_way_around_it() -> None:
    """`posix` has what `os` has, whoever imports it."""
    source = (
        "import os, posix\n"
        "print([n for n in 'fork kill getpid urandom times uname cpu_count'.split() "
        "if getattr(os, n) is not getattr(posix, n)])\n"
        "print(hasattr(posix, 'getrandom'), hasattr(posix, 'posix_spawn'))\n"
        "posix._exit(3)\n"
    )
    found = run(source)
    assert (found.stdout, found.exit) == ("[]\nFalse False\n", 3)


def test_waiting_for_a_lock_moves_the_clock_or_is_an_error() -> None:
    """Nobody hangs in a program of one thread."""
    source = (
        "import queue, threading, time\nt = time.monotonic()\n"
        "print(threading.Event().wait(5), round(time.monotonic() - t))\nqueue.Queue().get()"
    )
    found = run(source)
    assert found.stdout == "False 5\n"
    assert found.stderr.splitlines()[-1].startswith("RuntimeError: this waits for ever")


def test_nothing_of_ours_is_on_the_stack() -> None:
    """The program's module is the outermost frame, and what we put in the place of a function adds none."""
    source = (
        "import inspect, sys, traceback\n"
        "print(sys._getframe().f_back, len(inspect.stack()), len(traceback.extract_stack()))\n"
        "print([n for n in sys.modules if 'tracepane' in n], sys.gettrace(), sys.argv[0] == __file__)\n"
        "try: open('missing')\nexcept OSError as error: print(len(traceback.extract_tb(error.__traceback__)))"
    )
    assert run(source).stdout == "None 1 1\n[] None True\n1\n"


def test_recursion_is_counted_as_in_cpython() -> None:
    """From the program's own first frame."""
    source = (
        "import sys\ndef f(n):\n try: return f(n + 1)\n except RecursionError: return n\n"
        "print(f(1), sys.getrecursionlimit())\nsys.setrecursionlimit(64)\nprint(f(1), sys.getrecursionlimit())\n"
        "try: sys.setrecursionlimit(1)\nexcept RecursionError as e: print(e)"
    )
    assert run(source).stdout == (
        "999 1000\n63 64\ncannot set the recursion limit to 1 at the recursion depth 1: the limit is too low\n"
    )


def test_the_environment_is_fixed() -> None:
    """No variable of the machine's; the job's own are added."""
    found = run(
        "import os\nprint(sorted(os.environ), os.environ['JOB'], os.getpid(), os.cpu_count())", env={"JOB": "x"}
    )
    assert found.stdout == (
        "['HOME', 'JOB', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'PWD', 'PYTHONHASHSEED', 'PYTHONTZPATH', "
        "'TERM', 'TMPDIR', 'TZ', 'USER'] x 42 1\n"
    )


def test_the_one_thread_has_a_number_of_its_own() -> None:
    """A real one is an address, another one in every run; log records and event loops show it."""
    source = """
import asyncio, logging, sys, threading, _thread
print(threading.get_ident(), threading.main_thread().ident, threading.current_thread() is threading.main_thread())
print(logging.LogRecord('n', 10, 'p', 1, 'm', (), None).thread, list(sys._current_frames()))
print(sys._current_frames()[1] is sys._getframe(), sys._current_exceptions())
async def number():
    return asyncio.get_running_loop()._thread_id
print(asyncio.run(number()))
lock = threading.RLock()
with lock, lock:
    print(lock._is_owned())
"""
    assert run(source).stdout == "1 1 True\n1 [1]\nTrue {1: None}\n1\nTrue\n"


@pytest.mark.parametrize("record", [False, True])
def test_a_signal_handler_gets_the_frame_that_was_interrupted(record: bool) -> None:
    """The program's own, not one of ours."""
    source = """
import os, signal, sys
def handler(number, frame):
    print(frame.f_code.co_name, frame is sys._getframe(1), number == signal.SIGUSR1)
signal.signal(signal.SIGUSR1, handler)
def work():
    os.kill(os.getpid(), signal.SIGUSR1)
work()
signal.raise_signal(signal.SIGUSR1)
"""
    assert run(source, record=record).stdout == "work True True\n<module> True True\n"
