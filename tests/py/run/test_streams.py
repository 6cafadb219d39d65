"""Output and input."""

from __future__ import annotations

from running import run


def test_every_way_to_print_arrives_in_order() -> None:
    """Text, its binary layer, the bare descriptor, the original stream, a file on the descriptor."""
    source = (
        "import os, sys\nprint('a')\nos.write(1, b'b\\n')\nsys.stdout.buffer.write(b'c\\n')\n"
        "sys.__stdout__.write('d\\n')\n"
        "open(1, 'w', closefd=False).write('e\\n')\nprint('f', end='')"
    )
    assert run(source).stdout == "a\nb\nc\nd\ne\nf"


def test_both_streams_keep_their_order() -> None:
    """Lines of one between lines of the other are events in their order."""
    found = run("import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(3)")
    kinds = list(found.trace.columns["event_kind"])
    assert kinds == [7, 8, 7, 10]


def test_a_character_may_be_written_in_parts() -> None:
    """And what is no UTF-8 shows as escapes."""
    source = "import os\nos.write(1, b'\\xc3')\nos.write(1, b'\\xa9 ')\nos.write(1, b'\\xff.')"
    assert run(source).stdout == "é \\xff."


def test_printing_needs_no_frame_of_ours() -> None:
    """A recursion that prints goes as deep as in CPython."""
    source = "def f(n):\n    print(n)\n    f(n + 1)\nf(1)"
    assert run(source).stdout.splitlines()[-1] == "999"


def test_closing_standard_output() -> None:
    """What comes after is an error, as ever."""
    found = run("import sys\nprint('x')\nsys.stdout.close()\nprint('y')")
    assert (found.stdout, found.status) == ("x\n", "exception")
    assert found.stderr.endswith("ValueError: I/O operation on closed file.\n")


def test_input_is_read_from_the_job() -> None:
    """By `input`, by line, by iteration, whole, and from the bare descriptor."""
    source = (
        "import os, sys\nprint(input('name? '), sys.stdin.readline(), next(sys.stdin))\nprint(repr(sys.stdin.read()))\n"
        "print(os.read(0, 9))\ninput()"
    )
    found = run(source, stdin="Ada\nb\nc\nd\ne")
    assert found.stdout == "name? Ada b\n c\n\n'd\\ne'\nb''\n"
    assert found.stderr.endswith("EOFError: EOF when reading a line\n")


def test_open_zero_reads_the_job_s_input() -> None:
    """As programs for contests do."""
    assert run("print(open(0).read().split())", stdin="1 2\n3\n").stdout == "['1', '2', '3']\n"


def test_input_that_runs_out_asks_for_more() -> None:
    """The run ends as `input`: no handler, no `finally`, no `atexit` runs; what was printed stays."""
    source = (
        "import atexit\natexit.register(print, 'never')\n"
        "try:\n print(input('a '))\n print(input('b '))\nfinally: print('never')"
    )
    found = run(source, stdin="1\n", closed=False)
    assert (found.status, found.stdout) == ("input", "a 1\nb ")


def test_a_line_without_end_waits_for_more_input() -> None:
    """A reader who has not pressed Enter is still typing."""
    assert run("input()", stdin="abc", closed=False).status == "input"


def test_flood_is_cut_at_the_limit_of_bytes() -> None:
    """And the end says so."""
    found = run("while True: print('x' * 1000)", limits={"bytes": 100_000})
    assert (found.status, found.end["limit"]) == ("limit", "bytes")
    assert 50_000 < len(found.stdout) < 150_000
