#!/usr/bin/env python3
"""Checks that texts do without words that have given readers trouble: home-made terms, and English
that reads as translated. Each is reported with what to write instead. Comments and strings of sources
also do without sentences that begin with a relative clause ("What is not ...", "Where it is ...").

Usage: tools/scripts/check_words.py    (exit code 1 and a line for each such word)

Checked are README.md, CONTRIBUTING.md, the top section of CHANGELOG.md, all of docs/, the comments and
strings of sources, and the words of which their identifiers consist. Not checked are code blocks and
inline code of Markdown, which quote programs, and the glossary of docs/concepts.md.
"""

import functools
import pathlib
import re
import sys

from modules import OTHERS, ROOT, read_modules, sources_of

# A pattern, for whole words in any case, and what to write instead.
BANNED = [
    (r"told|tells?|telling", "report, say, list, return"),
    (r"behind", "after, past, farther than"),
    (r"beside", "next to, besides, compared with, while"),
    (r"anew", "again, from scratch"),
    (r"whoever", "if you, the caller that"),
    (r"go(es|ing|ne)? on|went on|goOn|kGoOn", "continue, resume"),
    (r"rooms?", "module, space"),
    (r"met|meets?|meeting", "hit, intersect, touch, overlap"),
    (r"in turn|in (its|their) turn", "serially, when it is committed, again"),
    (r"held against", "compared with, tested against"),
    (r"under way", "running, in progress"),
    (r"as good as new", "reset"),
    (r"looked at", "examined, read, visited"),
    (r"places?", "position, cell, slot, ordinal, coordinate"),
]

# Idioms in which a banned word is right.
IDIOMS = re.compile(r"\b(?:in\s+(?:(?:its|their|the\s+last)\s+)?place|t(?:akes?|ook|aken|aking)"
                    r"\s+(?:the\s+)?place(?:\s+of)?)\b", re.IGNORECASE)

# Sentences of comments that begin with a relative clause; questions may. Case counts.
OPENING = re.compile(r"\b(?:Wh(?:at|ere|ether|o|oever|om|ose)|Of\s+(?:an?|the|its|th[eo]se|what|which|each|"
                     r"one|several|all))\b(?![^.?!]*\?)")

# Words that no identifier contains, as a name in camelCase or snake_case is split.
BANNED_IN_NAMES = {"told", "tell", "tells", "behind", "beside", "anew", "room", "rooms", "place", "places"}
# Names in which such a word is right: the verb, and words of the standard library.
NAMES = {"placeProtoChunk", "in_place", "in_place_index", "in_place_type", "inplace", "InPlace"}

# Lines in which a banned word stays: a path, and the text around the word. The seed of a random
# generator is test data.
EXCEPTIONS = [
    ("tests/query/entity_pass_cost_test.cc", '"EntityPassCostTest.Beside"'),
]

# Blanks in a pattern also stand for the end of a line. WORD is for text in lower case, and without
# groups: a tenth of the time that the patterns take in any case, one after another.
PATTERNS = [(re.compile(pattern.lower().replace(" ", r"\s+")), instead) for pattern, instead in BANNED]
WORD = re.compile(rf"\b(?:{'|'.join(pattern.pattern for pattern, _ in PATTERNS)})\b")
FENCE = re.compile(r"^([ ]*)(```|~~~).*?^\1\2\s*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")
LINK_TARGET = re.compile(r"\]\([^)\s]*\)")
GLOSSARY = re.compile(r"^## Glossary\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
# The text of a source: comments and strings; character literals are matched to be skipped.
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"'
                  r"|(?P<char>(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])*')", re.DOTALL)
INCLUDE = re.compile(r"^\s*#\s*include[^\n]*", re.MULTILINE)
NAME = re.compile(r"[A-Za-z_]\w*")
NAME_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def blanked(text):
    """Returns the same number of lines without their content."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


def markdown_text(path):
    """Returns the prose of a page, each line at its number."""
    text = path.read_text()
    if path.name == "CHANGELOG.md":
        releases = [m.start() for m in re.finditer(r"^## ", text, re.MULTILINE)]
        text = text[:releases[1]] if len(releases) > 1 else text
    if path == ROOT / "docs" / "concepts.md":
        text = GLOSSARY.sub(lambda m: blanked(m[0]), text)
    for pattern in (FENCE, INLINE_CODE, LINK_TARGET):
        text = pattern.sub(lambda m: blanked(m[0]), text)
    return text


def source_parts(path):
    """Returns the comments and strings of a source, and its code, each line at its number."""
    source = INCLUDE.sub(lambda m: blanked(m[0]), path.read_text())
    text, code, end = [], [], 0
    for match in TEXT.finditer(source):
        between, found = source[end:match.start()], match[0]
        blanks = blanked(found)
        text += [blanked(between), blanks if match["char"] else found]
        code += [between, blanks]
        end = match.end()
    return "".join(text) + blanked(source[end:]), "".join(code) + source[end:]


def findings(path, text):
    """Yields a line for each banned word of a text, and for each bad opening of a sentence in a source."""
    name = path.relative_to(ROOT).as_posix()
    lines = text.split("\n")
    # Words may be broken over lines: a blank stands for the end of a line and comment marks.
    joined = re.sub(r"\n(\s*//)?", lambda m: " " * len(m[0]), text)
    joined = IDIOMS.sub(lambda m: " " * len(m[0]), joined)
    found = [(match, next(instead for pattern, instead in PATTERNS if pattern.fullmatch(match[0])))
             for match in WORD.finditer(joined.lower())]
    if path.suffix != ".md":
        found += [(match, "a sentence that begins with its subject or verb")
                  for match in OPENING.finditer(joined)]
    for match, instead in found:
        line = text.count("\n", 0, match.start())
        if any(name == file and around in lines[line] for file, around in EXCEPTIONS):
            continue
        word = re.sub(r"\s+", " ", joined[match.start():match.end()])
        yield f"{name}:{line + 1}: '{word}'; write {instead}"


@functools.cache
def banned_words_in(name):
    """Returns the words of an identifier that are in BANNED_IN_NAMES."""
    if name in NAMES or "InPlace" in name:
        return []
    return [word for word in NAME_WORD.findall(name) if word.lower() in BANNED_IN_NAMES]


def bad_names(path, code):
    """Yields a line for each identifier of a source that contains one of BANNED_IN_NAMES."""
    if not any(banned_words_in(name) for name in set(NAME.findall(code))):
        return
    for match in NAME.finditer(code):
        for word in banned_words_in(match[0]):
            line = code.count("\n", 0, match.start()) + 1
            yield (f"{path.relative_to(ROOT).as_posix()}:{line}: '{word}' in {match[0]}; see BANNED for what "
                   "to write")


def sources():
    """Yields the sources of the modules, and those of tests, examples and benchmarks."""
    modules = read_modules()
    for module in modules:
        yield from (ROOT / path for path in sources_of(module, modules))
    for folder in OTHERS:
        yield from sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".h", ".cc"))


def main():
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md",
             *sorted(page for page in (ROOT / "docs").rglob("*.md") if "node_modules" not in page.parts)]
    texts = [(page, markdown_text(page)) for page in pages]
    files = list(sources())
    parts = [(path, *source_parts(path)) for path in files]
    texts += [(path, text) for path, text, _ in parts]
    found = [line for path, text in texts for line in findings(path, text)]
    found += [line for path, _, code in parts for line in bad_names(path, code)]
    for line in found:
        print(line, file=sys.stderr)
    print(f"{len(texts)} texts, {len(found)} words to replace")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
