"""The standard library lies under one path wherever it really lies, and shows no source."""

from __future__ import annotations

import subprocess

import pytest
from running import run

from tracepane.record import process


def test_modules_say_the_path_that_is_shown() -> None:
    """In their repr, file, spec and search path; those in C are built in, as in a browser."""
    source = """
import json, json.decoder, math, os, sys, array, random
print(json, json.__file__, json.__path__, json.__spec__.origin)
print(json.decoder, os.__file__, os.path.__file__)
print(math, array, hasattr(array, '__file__'))
print(json.loads.__code__.co_filename, random.Random.seed.__module__)
print(sys.path[1:], sys.prefix, sys.base_prefix, sys.executable)
"""
    assert run(source).stdout == (
        "<module 'json' from '/usr/lib/python3.14/json/__init__.py'> /usr/lib/python3.14/json/__init__.py "
        "['/usr/lib/python3.14/json'] /usr/lib/python3.14/json/__init__.py\n"
        "<module 'json.decoder' from '/usr/lib/python3.14/json/decoder.py'> /usr/lib/python3.14/os.py "
        "/usr/lib/python3.14/posixpath.py\n"
        "<module 'math' (built-in)> <module 'array' (built-in)> False\n"
        "/usr/lib/python3.14/json/__init__.py random\n"
        "['/usr/lib/python314.zip', '/usr/lib/python3.14', '/usr/lib/python3.14/lib-dynload'] /usr /usr "
        "/usr/bin/python3\n"
    )


@pytest.mark.parametrize("record", [False, True])
def test_importing_goes_on_as_ever(record: bool) -> None:
    """Submodules, reloading, specs, resources, and a search path that the program changes."""
    source = """
import importlib, importlib.util, json, os, sys, xml.etree.ElementTree, email.mime.text, encodings.cp1252
print(importlib.reload(json) is json, json.__file__)
print(importlib.util.find_spec('textwrap').name, importlib.util.find_spec('json.scanner').name)
print(importlib.util.find_spec('nowhere'), importlib.import_module('collections.abc').__name__)
os.mkdir('more')
open('more/extra.py', 'w').write('value = 5')
sys.path.append('more')
import extra
print(extra.value, extra.__file__.endswith('more/extra.py'))
sys.path[:] = ['more']
try:
    import wave
except ModuleNotFoundError as error:
    print(error)
"""
    assert run(source, record=record).stdout.splitlines() == [
        "True /usr/lib/python3.14/json/__init__.py",
        "textwrap json.scanner",
        "None collections.abc",
        "5 True",
        "No module named 'wave'",
    ]


def test_the_library_shows_no_source() -> None:
    """A browser has none; the program's own is shown."""
    source = """
import inspect, linecache, textwrap
def mine(): return 1
print(inspect.getsource(mine), end='')
print(inspect.getsourcefile(textwrap.dedent))
try:
    inspect.getsource(textwrap.dedent)
except OSError as error:
    print(error)
print(repr(linecache.getline(textwrap.__file__, 1)))
"""
    assert run(source).stdout == (
        "def mine(): return 1\n/usr/lib/python3.14/textwrap.py\ncould not get source code\n''\n"
    )


def test_no_path_of_the_machine_is_printed() -> None:
    """Not in tracebacks, frames, warnings, profiles or symbols."""
    source = """
import collections, json, sys, traceback, tracemalloc, warnings
warnings.simplefilter('always')
def key(value):
    print(sys._getframe(1).f_code.co_filename)
    return value
collections.UserList([1]).sort(key=key)
try:
    json.loads('{')
except ValueError as error:
    print([frame.filename for frame in traceback.extract_tb(error.__traceback__)], error.__traceback__.tb_next.tb_frame)
print(json.JSONDecoder.decode.__code__)
json.loads('{')
"""
    found = run(source)
    assert found.stderr.count('File "/usr/lib/python3.14/json/') == 3
    where = [process.find_python(), "-c", "import os, sys; print(os.path.dirname(os.__file__), sys.prefix)"]
    lies, prefix = subprocess.run(where, capture_output=True, text=True, check=True).stdout.split()
    machine = [place for place in (lies, prefix) if not "/usr/lib/python3.14".startswith(place)]
    for place in (*machine, "python314.zip", "site-packages"):
        assert place not in found.stdout + found.stderr
