#!/usr/bin/env python3
"""Checks the links of the Markdown files: that the files they name exist and have the named headings,
and that the index of the documentation, docs/README.md, names every page of it, itself or by the index
of the page's folder, such as docs/decisions/README.md.

Usage: tools/scripts/check_links.py    (exit code 1 and a line for each broken link)
Links into the network are not followed.
"""

import pathlib
import re
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")


def without_code(text):
    return INLINE_CODE.sub("", FENCE.sub("", text))


def anchor(heading):
    """Returns the anchor that a heading gets on the usual hosts."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    headings = re.findall(r"^#{1,6}\s+(.+?)\s*#*$", FENCE.sub("", path.read_text()), re.MULTILINE)
    seen = {}
    found = set()
    for heading in headings:
        name = anchor(heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(name if count == 0 else f"{name}-{count}")
    return found


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    pages = sorted(page for page in root.rglob("*.md")
                   if not {"build", "out", "node_modules"} & set(page.relative_to(root).parts))
    index = root / "docs" / "README.md"
    indexes = {page for page in pages if page.name == "README.md" and index.parent in page.parents}
    indexed = {index}
    broken = []
    links = 0
    for page in pages:
        name = page.relative_to(root)
        for target in LINK.findall(without_code(page.read_text())):
            if re.match(r"[a-z]+:", target):
                continue
            links += 1
            file_part, _, fragment = target.partition("#")
            path = (page.parent / file_part).resolve() if file_part else page
            if page in indexes:
                indexed.add(path)
            if not path.exists():
                broken.append(f"{name}: {target}: there is no such file")
            elif fragment and path.suffix == ".md" and fragment not in anchors(path):
                broken.append(f"{name}: {target}: no such heading")
    for page in pages:
        if index.parent in page.parents and page not in indexed:
            broken.append(f"docs/README.md: {page.relative_to(root)} is not linked from the index")
    for line in broken:
        print(line, file=sys.stderr)
    print(f"{links} links in {len(pages)} pages, {len(broken)} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
