"""The project's files, as the models may see them."""

from pathlib import Path

READ_LIMIT = 20_000  # characters of a file that a model may ask for


class Files:
    """The files below one directory, and nothing outside of it."""

    def __init__(self, directory):
        self.directory = Path(directory)

    def inside(self, path):
        """Return the file that a model means; PermissionError if it lies elsewhere."""
        found = (self.directory / path).resolve()
        if self.directory.resolve() not in found.parents:
            raise PermissionError(f"{path} is outside of the project")
        return found

    def read(self, path):
        """Return the whole text of a file; ValueError if it is too large to be given in full."""
        text = self.inside(path).read_text(encoding="utf-8")
        if len(text) > READ_LIMIT:
            raise ValueError(f"{path} has {len(text)} characters, over {READ_LIMIT}: ask for a smaller file")
        return text


def compared(output, expected):
    """Return `equal`, or in words where the output first differs; one line more or less is a difference."""
    if output == expected:
        return "equal"
    have, want = output.splitlines(keepends=True), expected.splitlines(keepends=True)
    differing = (number for number, two in enumerate(zip(have, want, strict=False)) if two[0] != two[1])
    line = next(differing, min(len(have), len(want)))
    return (
        f"not equal; lines of output {len(have)}, expected {len(want)}; "
        f"at line {line + 1} there is {have[line : line + 1]} for {want[line : line + 1]}"
    )
