"""Put a native CPython 3.14 at `.venv/bin/python3.14`, whatever this machine has.

What is present is used, in this order: the environment variable TRACEPANE_PYTHON, `python3.14` on the path, uv's
Pythons, and at last the packages of Debian's testing suite, unpacked into `build/` and run through their own loader.
Nothing outside the checkout changes. Standard library only: it runs before anything is installed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WRAPPER = ROOT / ".venv" / "bin" / "python3.14"
UV_HOME = ROOT / "build" / "uv-python"
DEBIAN = ROOT / "build" / "python3.14"

# What a lesson may import and a broken unpacking would miss: each of these has a shared library of its own.
PROBE = (
    "import sys, ctypes, zlib, hashlib, decimal, _asyncio, ssl, sqlite3, lzma, bz2, uuid, xml.parsers.expat;"
    "import compression.zstd, subprocess;"
    "assert sys.version_info[:2] == (3, 14), sys.version;"
    "assert sys.implementation.name == 'cpython', sys.implementation.name;"
    "print(subprocess.check_output([sys.executable, '-I', '-S', '-c', 'import sys; print(sys.version.split()[0])'],"
    " text=True).strip())"
)


class SetupError(Exception):
    """What could not be set up, with the way out."""


def say(text: str) -> None:
    """Show progress at once, also when the output is a pipe."""
    print(f"[python3.14] {text}", flush=True)


def probe(python: Path) -> str | None:
    """Return the version of `python` when it is a whole CPython 3.14 that can start itself again."""
    command = [str(python), "-I", "-S", "-c", PROBE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def from_environment() -> Path | None:
    """The interpreter that the user names; a wrong one is an error, never silently replaced."""
    named = os.environ.get("TRACEPANE_PYTHON")
    if not named:
        return None
    if probe(Path(named)) is None:
        raise SetupError(f"TRACEPANE_PYTHON={named} is no complete CPython 3.14; correct it or unset it")
    return Path(named)


def from_path() -> Path | None:
    """`python3.14` on the path, our own wrapper aside."""
    folders = [f for f in os.get_exec_path() if Path(f).resolve() != WRAPPER.parent]
    found = shutil.which("python3.14", path=os.pathsep.join(folders))
    return Path(found) if found else None


def from_uv(uv: str | None = None) -> Path | None:
    """A Python that uv has, or that it installs below `build/`."""
    uv = uv or shutil.which("uv")
    if uv is None:
        return None
    environment = os.environ | {"UV_PYTHON_INSTALL_DIR": str(UV_HOME), "UV_NO_CONFIG": "1"}
    say("uv is here: asking it for CPython 3.14 (below build/uv-python)")
    subprocess.run([uv, "python", "install", "3.14"], env=environment, check=False, cwd=ROOT)
    done = subprocess.run(
        [uv, "python", "find", "--no-project", "3.14"],
        env=environment, capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    return Path(done.stdout.strip()) if done.returncode == 0 and done.stdout.strip() else None


def debian_mirror() -> str | None:
    """The address that this machine's own apt configuration has for Debian's main archive."""
    suite = ""
    for line in Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        if line.startswith("VERSION_CODENAME="):
            suite = line.partition("=")[2].strip('"')
    # indextargets reads one-line and deb822 sources alike.
    form = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    listed = subprocess.run(["apt-get", "indextargets", "--format", form], capture_output=True, text=True, check=False)
    for line in listed.stdout.splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[1] == suite and parts[2] == "main" and "debian" in parts[0]:
            return parts[0]
    return None


def private_apt(folder: Path, mirror: str) -> dict[str, str]:
    """Write an apt configuration of our own into `folder` and return the environment that selects it."""
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    # An empty status makes apt resolve the whole closure, libc6 and loader included, as if nothing were installed.
    (folder / "status").write_text("", encoding="utf-8")
    keyring = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
    signed = f"[signed-by={keyring}] " if keyring.exists() else ""
    (folder / "sources.list").write_text(f"deb {signed}{mirror} testing main\n", encoding="utf-8")
    user = 'APT::Sandbox::User "root";\n' if os.geteuid() == 0 else ""
    (folder / "apt.conf").write_text(
        f'Dir::State "{folder}";\nDir::State::lists "{folder}/lists";\nDir::State::status "{folder}/status";\n'
        f'Dir::Cache "{folder}/cache";\nDir::Log "{folder}/log";\n'
        f'Dir::Etc::sourcelist "{folder}/sources.list";\nDir::Etc::sourceparts "-";\n'
        f'Dir::Etc::preferencesparts "-";\nDPkg::Post-Invoke {{}};\nAcquire::Languages "none";\n{user}',
        encoding="utf-8",
    )
    return os.environ | {"APT_CONFIG": str(folder / "apt.conf"), "DEBIAN_FRONTEND": "noninteractive"}


def fetch_packages(folder: Path, mirror: str) -> list[Path]:
    """Download Python's packages of the testing suite with apt's own client, signatures checked."""
    environment = private_apt(folder, mirror)
    update = ["apt-get", "-q", "update"]
    say(f"reading the package list of {mirror} testing")
    if run(update, environment) != 0:
        # An index that a mirror keeps past its date is still signed; only the date check is dropped, for this list.
        say("that list is refused; trying once more without the check of its date (its signature is still checked)")
        if run([*update, "-o", "Acquire::Check-Valid-Until=false"], environment) != 0:
            raise SetupError("apt could not read Debian's testing suite; see its message above")
    say("downloading about 16 MB of packages")
    install = ["apt-get", "-q", "-y", "--no-install-recommends", "--download-only", "install"]
    if run([*install, "python3.14-minimal", "libpython3.14-stdlib"], environment) != 0:
        raise SetupError("apt could not download python3.14 of Debian's testing suite; see its message above")
    return sorted((folder / "cache" / "archives").glob("*.deb"))


def run(command: list[str], environment: dict[str, str]) -> int:
    """Run one tool, its output shown only when it fails."""
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        print(done.stdout, flush=True)
    return done.returncode


def from_debian() -> Path | None:
    """CPython of Debian's testing suite, unpacked below `build/` and run through its own loader."""
    if not all(shutil.which(tool) for tool in ("apt-get", "dpkg-deb")) or not Path("/etc/os-release").exists():
        return None
    wrapper = DEBIAN / "usr" / "bin" / "python3.14"
    if probe(wrapper):
        return wrapper
    mirror = debian_mirror()
    if mirror is None:
        return None
    say("taking CPython 3.14 from Debian's testing suite into build/python3.14 (the system is not changed)")
    shutil.rmtree(DEBIAN, ignore_errors=True)
    packages = fetch_packages(DEBIAN / "apt", mirror)
    say(f"unpacking {len(packages)} packages")
    for package in packages:
        subprocess.run(["dpkg-deb", "-x", str(package), str(DEBIAN)], check=True)
    for waste in ("apt", "usr/share", "etc", "var"):
        shutil.rmtree(DEBIAN / waste, ignore_errors=True)
    write_loader(wrapper)
    say("compiling its library once, so that every later start is quick")
    library = str(DEBIAN / "usr" / "lib" / "python3.14")
    subprocess.run([str(wrapper), "-I", "-S", "-m", "compileall", "-q", "-j0", library], check=False)
    return wrapper


def write_loader(wrapper: Path) -> None:
    """Put a script in the place of the unpacked binary, so that `sys.executable` can be started again."""
    binary = wrapper.with_name("python3.14.bin")
    wrapper.rename(binary)
    loaders = sorted(DEBIAN.glob("usr/lib/*/ld-linux*.so.*")) + sorted(DEBIAN.glob("lib/*/ld-linux*.so.*"))
    if not loaders:
        raise SetupError(f"no loader among the packages in {DEBIAN}; delete that folder and try again")
    libraries = ":".join(str(folder) for folder in sorted({loaders[0].parent, *DEBIAN.glob("lib/*-linux-gnu*")}))
    # The name given as argv[0] is where CPython looks for its library, and what it calls sys.executable.
    command = [str(loaders[0]), "--library-path", libraries, "--argv0", str(wrapper), str(binary)]
    write_script(wrapper, command)


def write_script(path: Path, command: list[str]) -> None:
    """Write a shell script that becomes `command`; put in place in one act, for readers beside us."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
    draft.chmod(0o755)
    draft.replace(path)


def from_pypi_uv() -> Path | None:
    """Where neither a Python 3.14 nor Debian is at hand: uv from PyPI, installed into `.venv`."""
    pip = [str(ROOT / ".venv" / "bin" / "python"), "-m", "pip", "install", "--quiet", "uv"]
    say("installing uv into .venv")
    if subprocess.run(pip, check=False).returncode != 0:
        return None
    return from_uv(str(ROOT / ".venv" / "bin" / "uv"))


def find() -> tuple[Path, str]:
    """Go through the sources in order; return the first interpreter that is whole, and its version."""
    sources: list[Callable[[], Path | None]] = [from_environment, from_path, from_uv, from_debian, from_pypi_uv]
    for source in sources:
        python = source()
        version = probe(python) if python else None
        if python and version:
            return python, version
    raise SetupError(
        "no CPython 3.14 found, and none could be installed; install it (for example `uv python install 3.14`) "
        "and name it in the environment variable TRACEPANE_PYTHON"
    )


def main() -> int:
    """Make `.venv/bin/python3.14` work; exit 0 when it does."""
    if not os.environ.get("TRACEPANE_PYTHON") and (version := probe(WRAPPER)):
        say(f"CPython {version} is ready")
        return 0
    try:
        python, version = find()
    except SetupError as error:
        print(f"[python3.14] error: {error}", file=sys.stderr)
        return 2
    # A script, not a link: a link inside .venv would take that environment's settings for its own.
    write_script(WRAPPER, [str(python)])
    say(f"CPython {version} is ready: .venv/bin/python3.14 -> {python}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
