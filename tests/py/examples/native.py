"""The CPython on which lessons run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def python():
    """The CPython 3.14 to run on, or a skip that says why."""
    beside = Path(sys.executable).with_name("python3.14")
    found = os.environ.get("TRACEPANE_PYTHON") or (str(beside) if beside.exists() else shutil.which("python3.14"))
    if not found:
        pytest.skip("no CPython 3.14 here: `make setup` installs one")
    return found


VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


def interpreter(version):
    """A CPython of this version, or a skip that says where it was looked for."""
    for found in places(version):
        # A name on the path may be a shim that leads nowhere.
        told = subprocess.run([found, "-c", ASK], capture_output=True, encoding="utf-8", check=False)
        if told.stdout.strip() == version:
            return found
    pytest.skip(f"no CPython {version} here: not beside this one, not on the path, not in pyenv")


ASK = "import sys; print('.'.join(map(str, sys.version_info[:2])))"


def places(version):
    """Where an interpreter of this version may be."""
    name = f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    known = [Path(sys.executable).with_name(name), *sorted(pyenv.glob(f"{version}.*/bin/{name}"))]
    on_path = shutil.which(name)
    return [str(path) for path in known if path.exists()] + ([on_path] if on_path else [])


def run(python, *arguments, **options):
    """Run an interpreter with these arguments and give what it printed; its exit code must be 0."""
    done = subprocess.run([python, *arguments], capture_output=True, encoding="utf-8", check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_on_ascii(*arguments, **options):
    """Run this Python with a terminal that knows only ASCII: what came of it."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii:strict"}
    command = [sys.executable, "-B", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, encoding="ascii", check=False, **options)


def run_tests(files):
    """Run test files of this folder where readers run the pages (pytest is plain Python, so it can be lent)."""
    environment = os.environ | {
        "PYTHONPATH": str(Path(pytest.__file__).parents[1]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    # What the other tests share needs this project, which that interpreter has not.
    alone = ["-p", "no:cacheprovider", f"--confcutdir={HERE}"]
    told = run(python(), "-B", "-m", "pytest", "-q", *alone, *[str(HERE / file) for file in files], env=environment)
    assert " passed" in told
