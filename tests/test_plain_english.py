"""Prose avoids the words in the table "Preferred words" of the glossary: docstrings, comments, messages and pages."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"
#: The folders and files that are already clean.
CLEAN = (
    ".ci", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "MANIFEST.in", "README.md", "__init__.py", "api", "cli",
    "csp", "docs", "estimators", "instances", "models", "pyproject.toml", "render", "research", "tests",
)  # fmt: skip
#: Tests that quote the words.
QUOTING = ("tests/test_plain_english.py", "tests/cli/test_main.py")
#: Passages whose first line number in the file is known.
Passages = Iterator[tuple[int, str]]


def patterns(table: str) -> dict[str, re.Pattern[str]]:
    """The words to avoid, each with its pattern. `is None` is Python, so only the first letter may be a capital."""
    (cells,) = re.findall(r"^\| avoid \|.*\n\|[-| ]*\n((?:\|.*\n?)+)", table, re.MULTILINE)
    phrases = [phrase.strip() for row in cells.splitlines() for phrase in row.split("|")[1].split(",")]
    return {phrase: _pattern(phrase) for phrase in phrases}


def _pattern(phrase: str) -> re.Pattern[str]:
    words, ends = re.subn(r" \(adverb\)$", "", phrase)
    between = r"\s+".join(r"\S+(?:\s+\S+){0,2}?" if word == "…" else re.escape(word) for word in words.split())
    end = r"(?=\s*(?:[.,;:)]|$))" if ends else r"\b"
    return re.compile(rf"\b(?:{between}|{between[0].upper()}{between[1:]}){end}")


def passages_of(path: Path) -> Passages:
    text = path.read_text(errors="replace")
    if path.suffix == ".py":
        return of_python(text)
    if path.suffix == ".json":
        return of_json(text)
    if path.suffix in (".js", ".css"):
        return of_script(text)
    if path.suffix == ".html":
        return of_template(text)
    return of_page(text if path != GLOSSARY else text.partition("| avoid |")[0])


def of_python(text: str) -> Passages:
    """Docstrings and other string literals of more than a word, and comments."""
    # What follows "#" in a literal is read twice, which harms nobody; to look for tokens takes longer.
    lines = ((number, line.partition("#")) for number, line in enumerate(text.splitlines(), 1))
    yield from _joined([(number, comment.lstrip("#:")) for number, (_, sign, comment) in lines if sign])
    inner = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr):
            inner.update(node.values)
            parts = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inner:
            yield node.lineno, node.value


def _joined(lines: list[tuple[int, str]]) -> Passages:
    """Comments on lines that follow one another, each block as one passage."""
    first, block = 0, []
    for number, line in lines:
        if number != first + len(block):
            yield first, "\n".join(block)
            first, block = number, []
        block.append(line)
    yield first, "\n".join(block)


def of_json(text: str) -> Passages:
    """The texts, which other keys than these do not have."""
    for found in re.finditer(r'"(?:about|source|name|caption|title)":\s*("(?:[^"\\]|\\.)*")', text):
        yield text.count("\n", 0, found.start()) + 1, json.loads(found[1])


def of_script(text: str) -> Passages:
    """Comments, and string literals."""
    literals = r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`'
    for found in re.finditer(literals, text, re.DOTALL):
        yield text.count("\n", 0, found.start()) + 1, found[0].strip("\"'`")


def of_template(text: str) -> Passages:
    """What stands between the tags, and in attributes; of what Jinja computes, the string literals."""
    for found in re.finditer(r"\{[{%](.*?)[}%]\}", text, re.DOTALL):
        for literal in re.findall(r'"[^"]*"', found[1]):
            yield text.count("\n", 0, found.start()) + 1, literal.strip('"')
    yield 1, re.sub(r"\{[{%].*?[}%]\}", lambda found: re.sub(r"[^\n]+", "{}", found[0]), text, flags=re.DOTALL)


def of_page(text: str) -> Passages:
    """Everything but names in code: `a`, x["a"] and x.a."""
    yield 1, re.sub(r'\["\w+"\]|(?<=\w)\.\w+', "", text)


def hits(passages: Passages, avoided: dict[str, re.Pattern[str]]) -> list[tuple[int, str]]:
    """Line and phrase of each phrase to avoid."""
    found, begins = set(), [re.split(r" […(]", phrase)[0] for phrase in avoided]
    for first, passage in passages:
        if " " not in passage.strip():
            continue  # a key, or a name
        plain = " ".join(passage.lower().split())
        if not any(begin in plain for begin in begins):
            continue
        # Names: in backticks, before "=", and those of parameters in a docstring.
        prose = re.sub(r"`[^`\n]+`|\b\w+=", "`", passage)
        prose = re.sub(r"^ *[\w, *]+ :(?= |$)|^ *>>> .*", "", prose, flags=re.MULTILINE)
        for phrase, pattern in avoided.items():
            found |= {(first + prose.count("\n", 0, hit.start()), phrase) for hit in pattern.finditer(prose)}
    return sorted(found)


def files() -> list[Path]:
    """All text files of the clean folders; `_build` has pages made by Sphinx."""
    paths = [path for name in CLEAN for path in (ROOT / name, *(ROOT / name).rglob("*"))]
    texts = {".py", ".json", ".js", ".css", ".html", ".md", ".toml", ".cff", ".sh", ".c", ".txt", ".in", ""}
    return [path for path in paths if path.is_file() and path.suffix in texts and "_build" not in path.parts]


AVOIDED = patterns(GLOSSARY.read_text())


def test_no_file_has_words_to_avoid():
    assert [name for name in CLEAN if not (ROOT / name).exists()] == []
    found = [
        f"{path.relative_to(ROOT)}:{line}: {phrase}"
        for path in files()
        if str(path.relative_to(ROOT)) not in QUOTING
        for line, phrase in hits(passages_of(path), AVOIDED)
    ]
    assert not found, "see docs/reference/glossary.md for better words:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("passages", "expected"),
    [
        (of_python('"""It is none.\n\n    Whoever is\n    told.\n"""'), [(1, "is none"), (3, "whoever"), (4, "told")]),
        (of_python("x = 1  # so\n# many\n# here"), [(1, "so many")]),
        (of_python('f"of {n} so many"'), [(1, "so many")]),
        (of_python('"""None if `x` is None, else `told`."""\ntold = record["told"]\nrun("say(told=1) f()")'), []),
        (of_python('"""A.\n\nParameters\n----------\ntold : int\n    What is told.\n"""'), [(6, "told")]),
        (of_python('"leave all of them away" "; besides"'), [(1, "besides (adverb)"), (1, "leave … away")]),
        (of_python('"besides the frame, worthwhile"'), []),
        (of_json('{\n"about": "as told by", "told": "a b"}'), [(2, "told")]),
        (of_script('told(); // told\n"a told b"; /* x\n told */'), [(1, "told"), (2, "told"), (3, "told")]),
        (of_template('{% if x is none %}\n<p>is none</p>{{ "is none" if told }}'), [(2, "is none")]),
        (of_page('x["told"] y.told `told`\nis\nnone.'), [(2, "is none")]),
    ],
)  # fmt: skip
def test_words_are_found(passages, expected):
    assert hits(passages, AVOIDED) == expected


def test_every_phrase_of_the_glossary_is_matched():
    for phrase, pattern in AVOIDED.items():
        text = phrase.replace("…", "one of them").replace(" (adverb)", ".")
        assert pattern.search(f"It {text}")
        assert pattern.search(text[0].upper() + text[1:])
    assert len(AVOIDED) == 32
