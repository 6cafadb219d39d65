"""The workspace: what the program does to files becomes file events."""

from __future__ import annotations

from running import run


def changes(source: str, **options: object) -> list[tuple[str, str, bytes]]:
    """The file events of a program, each statement on a line of its own, recorded."""
    return list(run(source, record=True, **options).files)  # type: ignore[arg-type]


def test_text_shows_when_it_is_flushed() -> None:
    """Not when it is written into a buffer."""
    source = "f = open('a.txt', 'w')\nf.write('one')\nf.flush()\nf.write('two')\nf.close()"
    assert changes(source) == [
        ("a.txt", "created", b""),
        ("a.txt", "changed", b"one"),
        ("a.txt", "changed", b"onetwo"),
    ]


def test_writing_the_same_bytes_is_no_change() -> None:
    """Files are compared by content."""
    source = "open('a', 'w').write('x')\nopen('b', 'w').write('y')\nopen('c', 'r+').write('z')"
    assert changes(source, files={"c": "z"}) == [("a", "created", b"x"), ("b", "created", b"y")]


def test_a_change_within_one_tick_of_the_file_clock_is_seen() -> None:
    """Same size, at once."""
    source = "for n in range(5):\n    with open('n', 'w') as f: f.write(str(n))"
    contents = [content for _, _, content in changes(source)]
    assert [c for c in contents if c] == [b"0", b"1", b"2", b"3", b"4"]


def test_the_first_change_of_a_given_file_holds_it_whole() -> None:
    """What the job gave is in no trace; later changes keep what stays."""
    source = "for text in 'bc':\n    with open('a', 'a') as f: f.write(text)"
    trace = run(source, record=True, files={"a": "given", "b": "never changed"}).trace
    assert [trace.columns[f"file_{name}"].tolist() for name in ("prefix", "count")] == [[0, 6], [6, 1]]
    assert trace.expand()["files"] == {"a": {"size": 7, "text": "givenbc"}}


def test_a_given_file_that_is_replaced_is_created_anew() -> None:
    """Deleted, it is nothing that a later file of that name could keep."""
    source = "import os\nos.remove('a')\nopen('a', 'w').write('given more')\nopen('a', 'a').write('!')"
    assert changes(source, files={"a": "given"}) == [
        ("a", "deleted", b""),
        ("a", "created", b"given more"),
        ("a", "changed", b"given more!"),
    ]


def test_renaming_is_deleting_and_creating() -> None:
    """Of files, of folders, and over another file."""
    source = (
        "import os\nos.mkdir('d')\nopen('d/a', 'w').write('1')\n"
        "os.rename('d', 'e')\nos.replace('e/a', 'b')\nos.remove('b')"
    )
    assert changes(source, files={"b": "0"}) == [
        ("d/a", "created", b"1"),
        ("d/a", "deleted", b""),
        ("e/a", "created", b"1"),
        ("e/a", "deleted", b""),
        ("b", "changed", b"1"),
        ("b", "deleted", b""),
    ]


def test_every_way_to_write() -> None:
    """Bare descriptors, unbuffered files, pathlib, copies and archives."""
    source = (
        "import os, pathlib, shutil\nfd = os.open('fd', os.O_CREAT | os.O_WRONLY)\nos.write(fd, b'1')\nos.close(fd)\n"
        "open('raw', 'wb', buffering=0).write(b'\\xff')\npathlib.Path('p').write_text('é')\nshutil.copy('p', 'q')\n"
        "os.truncate('p', 0)\nprint('end')"
    )
    assert changes(source) == [
        ("fd", "created", b""),
        ("fd", "changed", b"1"),
        ("raw", "created", b"\xff"),
        ("p", "created", "é".encode()),
        ("q", "created", "é".encode()),
        ("p", "changed", b""),
    ]


def test_temporary_files_are_outside_of_the_workspace() -> None:
    """Their names are the same in every run."""
    source = "import tempfile\nwith tempfile.NamedTemporaryFile() as f: print(f.name)"
    first, second = run(source), run(source)
    assert first.files == ()
    assert first.stdout == second.stdout


def test_listings_are_in_order() -> None:
    """Whatever order the file system has."""
    source = (
        "import glob, os, pathlib\nfor n in 'dbca': open(n, 'w').close()\n"
        "print(os.listdir(), [e.name for e in os.scandir()], next(os.walk('.')))\n"
        "print(glob.glob('*'), [*pathlib.Path().iterdir()])"
    )
    assert run(source).stdout == (
        "['a', 'b', 'c', 'd'] ['a', 'b', 'c', 'd'] ('.', [], ['a', 'b', 'c', 'd'])\n"
        "['a', 'b', 'c', 'd'] [PosixPath('a'), PosixPath('b'), PosixPath('c'), PosixPath('d')]\n"
    )


def test_times_of_files_are_the_clock_s() -> None:
    """Of the last write, and as `os.utime` sets them."""
    source = (
        # A minute on the simulated clock, no time on ours.
        "import os, time\ntime.sleep(60)\nopen('a', 'w').write('x')\n"
        "print(os.stat('a').st_mtime, os.stat('a').st_uid)\n"
        "os.utime('a', (1, 2))\nprint(os.path.getmtime('a'), os.fstat(0).st_ino >= 0)"
    )
    assert run(source).stdout == "1767225660.0 1000\n2.0 True\n"


def test_errors_are_cpython_s_own() -> None:
    """Nothing of ours in between."""
    source = (
        "for name, mode in (('m', 'r'), ('m', 'rw'), ('/', 'w'), ('no/x', 'w')):\n"
        "    try: open(name, mode)\n    except Exception as e: print(repr(e), getattr(e, 'filename', None))"
    )
    assert run(source).stdout == (
        "FileNotFoundError(2, 'No such file or directory') m\n"
        "ValueError('must have exactly one of create/read/write/append mode') None\n"
        "IsADirectoryError(21, 'Is a directory') /\n"
        "FileNotFoundError(2, 'No such file or directory') no/x\n"
    )


def test_odd_names() -> None:
    """Spaces, percent signs, other scripts."""
    source = "for n in ('a b', '100%', 'あ', 'x;y'): open(n, 'w').write(n)"
    assert sorted({path for path, _, _ in changes(source)}) == ["100%", "a b", "x;y", "あ"]


def test_nothing_is_left_behind() -> None:
    """The next run starts in a clean directory."""
    source = "import os\nprint(os.listdir('.'), os.listdir(os.environ['TMPDIR']))\nopen('left', 'w').close()"
    assert [run(source).stdout for _ in range(2)] == ["[] []\n"] * 2
