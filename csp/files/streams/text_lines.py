"""Reads a text line by line without the whole of it in memory."""

from collections.abc import Iterable, Iterator


def lines_of(parts: Iterable[str]) -> Iterator[str]:
    r"""The lines of a text, as by `str.splitlines`.

    Examples
    --------
    >>> list(lines_of(["one\r", "\ntw", "o"]))
    ['one', 'two']
    """
    begun: list[str] = []
    held = ""
    for part in parts:
        part = held + part
        # A carriage return may be the first half of a line break.
        held = "\r" if part.endswith("\r") else ""
        for line in part.removesuffix(held).splitlines(keepends=True):
            content = line.splitlines()[0]
            begun.append(content)
            if len(content) < len(line):
                yield "".join(begun)
                begun.clear()
    if begun or held:
        yield "".join(begun)
