"""The command line. Thin: what the commands do lies in the rooms below."""

from __future__ import annotations

import itertools
import json
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tracepane.check import listing, report
from tracepane.check import target as targets
from tracepane.check import verify as verification
from tracepane.check.compare import compare as compare_traces
from tracepane.check.engine import ENGINES, NATIVE, EngineError, recorder
from tracepane.check.reasons import KINDS
from tracepane.lesson import check as lesson_check
from tracepane.lesson import find
from tracepane.lesson.mistake import LessonErrors
from tracepane.record.process import interrupts
from tracepane.record.trace import Trace, TraceError

EXISTING = click.Path(exists=True, path_type=Path)
WRITTEN = click.Path(dir_okay=False, writable=True, path_type=Path)


class Failure(click.ClickException):
    """Something that the user can mend. Exit code 2: nothing was proved, either way."""

    exit_code = 2


@contextmanager
def said() -> Iterator[None]:
    """Turn the rooms' own errors into messages."""
    try:
        yield
    except LessonErrors as error:
        raise Failure("\n".join(map(str, error.errors))) from None
    except (targets.TargetError, verification.RunError, EngineError, TraceError) as error:
        raise Failure(str(error)) from None
    except BrokenPipeError:
        raise  # who read our output has enough; click ends in silence
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tracepane")
def commands() -> None:
    """Lessons in real Python: record a run, show it, compare it, and prove it equal in the browser.

    TARGET is a program (`prog.py`, traced whole) or a pane (`FILE#ID`).
    Exit codes: 0 all is well, 1 something is wrong or differs, 2 it could not be told.
    """


@commands.command()
@click.argument("pages", nargs=-1, type=EXISTING)
def check(pages: tuple[Path, ...]) -> None:
    """Find every mistake that needs no run; each with file, line and the mend.

    PAGES are pages, files of panes or folders; without any, the whole project.
    """
    found = pages or (targets.docs(Path.cwd()),)
    mistakes = lesson_check.check(found)
    for mistake in mistakes:
        click.echo(str(mistake))
    if mistakes:
        click.echo(f"{len(mistakes)} mistake{'s' if len(mistakes) > 1 else ''}", err=True)
        sys.exit(1)
    click.echo(
        f"no mistakes: {len({pane.name for page in found for pane in find.panes(page)})} panes are sound", err=True
    )


@commands.command()
@click.argument("target")
@click.option("--scenario", "-s", help="Which of a pane's scenarios; may be left out where there is one.")
@click.option(
    "--runtime", default=NATIVE, type=click.Choice([NATIVE, *ENGINES]), show_default=True, help="Where it runs."
)
@click.option("-o", "--output", required=True, type=WRITTEN, help="The trace file to write.")
def record(target: str, scenario: str | None, runtime: str, output: Path) -> None:
    """Run TARGET once and write its trace. Standard input is the program's."""
    with said():
        job = targets.single(target, closed=False).job(scenario)
        with recorder(runtime) as run:
            trace = run(job) if job["scenario"] else fed(run, target)
        with patience(output):
            trace.save(output)
    click.echo(f"{output}: {listing.headline(trace)}", err=True)
    for line in listing.ending(trace.end):
        click.echo(line, err=True)


@contextmanager
def patience(output: Path) -> Iterator[None]:
    """Let one Ctrl-C pass while a recording is written: it was most likely meant for the run, which is over."""
    asked = itertools.count()

    def wait() -> None:
        if next(asked):
            raise KeyboardInterrupt
        click.echo(f"{output} is being written; Ctrl-C once more gives it up", err=True)

    with interrupts(wait):
        yield


def fed(run: Callable[[dict[str, Any]], Trace], target: str) -> Trace:
    """Run a program on its own; when it asks for input, run it again with what standard input gives.

    At a terminal that is one line at a time, as the program asks for it; otherwise everything at once.
    """
    text, closed, shown = "", False, 0
    while True:
        trace = run(targets.single(target, text, closed).job(None))
        if trace.end["status"] != "input" or closed:
            return trace
        if sys.stdin.isatty():
            out = trace.expand(0, 0)["stdout"]
            click.echo(out[shown:], nl=False)
            shown, line = len(out), sys.stdin.readline()
            text, closed = text + line, not line
        else:
            text, closed = decoded(sys.stdin.buffer.read()), True


def decoded(data: bytes) -> str:
    """Standard input as text; a job carries it as UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Failure(
            f"standard input is not UTF-8 (byte {error.start}); a job carries its input as UTF-8 text"
        ) from None


def loaded(file: Path) -> Trace:
    """A trace file; what is wrong with it is told with its name."""
    try:
        return Trace.load(file)
    except TraceError as error:
        raise Failure(f"{file}: {error}") from None


@commands.command()
@click.argument("file", type=EXISTING)
@click.option("--json", "as_json", is_flag=True, help="Expanded JSON, as docs/reference/expanded-json.md describes it.")
@click.option("--from", "first", type=click.IntRange(0), help="First step to show.")
@click.option("--to", "last", type=click.IntRange(0), help="Last step to show.")
@click.option("--all", "everything", is_flag=True, help="Fold nothing, however long.")
def show(file: Path, as_json: bool, first: int | None, last: int | None, everything: bool) -> None:
    """Show a trace, for people or as JSON."""
    with said():
        trace = loaded(file)
        if as_json:
            click.echo(json.dumps(trace.expand(first or 0, None if last is None else last + 1)))
            return
        for line in listing.listing(trace, first or 0 if everything else first, last):
            click.echo(line)


@commands.command()
@click.argument("a", type=EXISTING)
@click.argument("b", type=EXISTING)
def compare(a: Path, b: Path) -> None:
    """Compare two traces: exit 0 equal, 1 different (the first divergence, in words), 2 could not compare."""
    with said():
        verdict = compare_traces(loaded(a), loaded(b), names=(a.name, b.name) if a.name != b.name else (str(a), str(b)))
    click.echo(verdict.words)
    sys.exit({"equal": 0, "different": 1}.get(verdict.status, 2))


@commands.command()
@click.argument("names", nargs=-1, metavar="[TARGET]...")
@click.option(
    "--browser", default="chromium", type=click.Choice(ENGINES), show_default=True, help="Which engine to compare with."
)
@click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Take the browser's jobs from this built site, as readers get them; the native ones are cut from the sources.",
)
@click.option("--shard", help="I/N: every N-th row from the I-th on.")
@click.option(
    "--accept",
    multiple=True,
    type=click.Choice(KINDS),
    help="A kind of known platform difference that shall not fail a row; may be repeated.",
)
@click.option("--junit", type=WRITTEN, help="Write the results as JUnit XML.")
@click.option("--json", "json_file", type=WRITTEN, help="Write the results as JSON.")
def verify(
    names: Sequence[str],
    browser: str,
    site: Path | None,
    shard: str | None,
    accept: Sequence[str],
    junit: Path | None,
    json_file: Path | None,
) -> None:
    """Run every pane and scenario natively and in a browser, and compare event by event.

    TARGET is a program, `FILE#ID`, a file of panes, a page or a folder; without any, all panes of the project.
    Exit 0 all equal, 1 something differs, 2 something could not be compared.
    """
    with said():
        for file in (junit, json_file):
            if file:
                file.touch()  # what cannot be written is told before the runs, not after them
        found = [each for name in names for each in targets.resolve(name)] if names else targets.everything(Path.cwd())
        rows = targets.rows(found, site)
        if shard:
            rows = part(rows, shard)
        results = []
        with recorder(NATIVE) as native, recorder(browser) as engine:
            for result in verification.verify(rows, native, engine, accept):
                results.append(result)
                click.echo(report.progress(len(results), len(rows), result), err=True)
        click.echo(report.table(results))
        if junit:
            junit.write_text(report.to_junit(results, browser), encoding="utf-8")
        if json_file:
            json_file.write_text(report.to_json(results, browser), encoding="utf-8")
    sys.exit(verification.exit_code(results))


def part(rows: Sequence[verification.Row], shard: str) -> list[verification.Row]:
    """The rows of one shard."""
    try:
        return verification.shard(rows, shard)
    except ValueError as error:
        raise Failure(str(error)) from None


def main() -> None:
    """Run the command line; a fault of our own is never taken for an answer."""
    try:
        commands(prog_name="tracepane")
    except Exception:
        traceback.print_exc()
        click.echo("tracepane: an internal fault (above), not one of your program's; nothing was proved", err=True)
        sys.exit(2)
