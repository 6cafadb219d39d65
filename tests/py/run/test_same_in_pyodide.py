"""The same programs give the same traces in Pyodide, under Node: quicker than a browser, and the same interpreter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from interpreters import Interpreters
from lone_job import job

from tracepane.record import process
from tracepane.record.trace import Trace

PROGRAMS = {
    "chance": """
import os, random, secrets, tempfile, time, uuid
print(random.random(), random.Random().random(), os.urandom(4), uuid.uuid4(), uuid.uuid1(), secrets.token_hex())
print(tempfile.mktemp(), time.time(), time.localtime(), time.strftime('%c %Z'), time.tzname)
from datetime import datetime
print(datetime.now(), repr(datetime.min))
""",
    "asyncio": """
import asyncio
async def work(name, seconds):
    await asyncio.sleep(seconds)
    print(name)
    if name == 'c': raise ValueError(name)
async def main():
    await asyncio.gather(work('a', 3), work('b', 1))
    async with asyncio.TaskGroup() as group:
        group.create_task(work('c', 1))
        group.create_task(work('d', 2))
asyncio.run(main())
""",
    "frozen": """
import importlib, importlib.util
open('made.py', 'w').write('raise ValueError(1)\\n')
spec = importlib.util.spec_from_file_location('made', 'made.py')
module = importlib.util.module_from_spec(spec)
try:
    importlib.import_module('nothing')
except ImportError:
    import traceback
    traceback.print_exc()
spec.loader.exec_module(module)
""",
    "withheld": """
import sys
print(sorted(sys.modules))
import os, posix, signal, socket, subprocess, threading, urllib.request
def attempt(function, *arguments):
    try: print(function(*arguments))
    except BaseException as error: print(type(error).__name__, error)
attempt(threading.Thread(target=print).start)
attempt(subprocess.run, ['ls'])
attempt(os.fork)
attempt(posix.fork)
print(posix.getpid(), posix.urandom(4), posix.uname().nodename)
attempt(os.system, 'ls')
attempt(socket.socket)
attempt(urllib.request.urlopen, 'http://example.com')
attempt(urllib.request.urlopen, 'https://example.com')
names = 'js pyodide pyodide_js _pyodide _pyodide_core tracepane _ctypes curses pwd'
for name in names.split(): attempt(__import__, name)
attempt(signal.raise_signal, signal.SIGINT)
print(os.getpid(), os.cpu_count(), sys.stdout.isatty(), sorted(os.environ.items()))
""",
    "files": """
import os, pathlib, shutil, zipfile
os.makedirs('d/e')
for name in 'cab': pathlib.Path('d', name).write_text(name)
print(os.listdir('d'), list(os.walk('.')), os.stat('d/a')[:9])
os.rename('d/a', 'd/z')
shutil.copytree('d', 'f')
zipfile.ZipFile('z.zip', 'w').close()
shutil.make_archive('t', 'tar', 'f')
shutil.rmtree('d')
file = open('last', 'w')
print(file.fileno(), file.buffer)
file.write('not closed')
""",
    "errors": """
import json, traceback, warnings
class D:
    def __del__(self): print('gone')
d = D(); d.me = d
warnings.warn('careful')
def f():
    try: json.loads('{')
    except ValueError as error: raise KeyError('k') from error
try: f()
except KeyError: traceback.print_exc()
try: raise ExceptionGroup('g', [ValueError(1), OSError(2)])
except ExceptionGroup: traceback.print_exc()
def deep(n): return deep(n + 1)
deep(0)
""",
    "exit": """
import atexit, os
atexit.register(print, 'never')
print('before', end='')
try: os._exit(3)
finally: print('never')
""",
    "input": """
import sys
print(input('name? '), sys.stdin.readline())
input('more? ')
""",
    "stack": """
import inspect, sys, traceback
print(sys._getframe().f_back, len(inspect.stack()), sys.argv, __file__, sorted(globals()))
traceback.print_stack()
def f(n):
    try: return f(n + 1)
    except RecursionError: return n
print(f(1))
sys.setrecursionlimit(200)
print(f(1), sys.getrecursionlimit())
""",
    "waiting": """
import queue, threading, time
print(threading.Event().wait(2), threading.Lock().acquire(), time.monotonic())
queue.Queue().get()
""",
}


@pytest.mark.parametrize("record", [False, True], ids=["silent", "recorded"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_native_and_pyodide_agree(name: str, record: bool, interpreters: Interpreters) -> None:
    """Output, files, end and, when recorded, every event and value."""
    document = job(PROGRAMS[name], name=f"{name}.py", stdin="Ada\nb\n", closed=False)
    native, browser = process.record(document, record=record), interpreters.record(document, record)
    assert list(texts(browser)) == list(texts(native))
    assert browser.end["digest"] == native.end["digest"]


def texts(trace: Trace) -> Iterator[tuple[int, str]]:
    """Output events, for a readable difference."""
    columns = trace.columns
    for kind, arg in zip(columns["event_kind"], columns["event_arg"], strict=True):
        if kind in (7, 8):
            yield kind, trace.strings[arg]
