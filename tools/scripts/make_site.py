#!/usr/bin/env python3
"""Makes the static site of the documentation with MkDocs: the README, CONTRIBUTING.md and the pages of
docs/ in the order of their index, docs/README.md, with search, and the API reference in api/.

Usage: tools/scripts/make_site.py FOLDER    (./dev docs runs it)
Doxygen has to have written FOLDER/html and FOLDER/fractalray.tag before. The site is FOLDER/site.
Links to headers lead to their API pages, links to other files to a copy of them. The page of the
playground has it inside if ./dev playground has made build/playground/index.html.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s#]+)(#[^)\s]*)?((?:\s+\"[^\"]*\")?\))")
# The targets of the pages outside of docs/; the index of docs/ is a page of its own.
PAGES = {"README.md": "index.md", "docs/README.md": "contents.md",
         "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def api_pages(tag_file):
    """Returns the API page of each public header, by the header's path."""
    pages = {}
    for compound in ElementTree.parse(tag_file).getroot().iter("compound"):
        if compound.get("kind") != "file":
            continue
        path = (compound.findtext("path") or "") + compound.findtext("name")
        pages[os.path.relpath(ROOT / path, ROOT)] = "api/" + compound.findtext("filename")
    return pages


def page_of(source):
    """Returns the path of a Markdown file among the pages, or None."""
    if source in PAGES:
        return PAGES[source]
    return source.removeprefix("docs/") if re.match(r"docs/.*\.md$", source) else None


class Site:
    def __init__(self, folder):
        self.pages_folder = folder / "pages"
        self.api = api_pages(folder / "fractalray.tag")

    def target(self, source):
        """Returns the path of a repository's file on the site; copies the file if it is no page."""
        path = ROOT / source
        if path.is_dir() and not source.startswith("docs/figures"):
            path = path / "README.md"
            if not path.exists():
                return None
            source = str(path.relative_to(ROOT))
        page = page_of(source)
        if page is not None:
            return page
        if source in self.api:
            return self.api[source]
        if source.startswith("docs/figures"):
            return source.removeprefix("docs/") if path.is_file() else None
        copy = f"files/{source}" + ("" if source.endswith(".txt") else ".txt")
        (self.pages_folder / copy).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, self.pages_folder / copy)
        return copy

    def add_page(self, source):
        page = page_of(source)

        def rewritten(match):
            before, link, heading, after = match.groups()
            if re.match(r"[a-z]+:", link):
                return match.group(0)
            linked = os.path.relpath((ROOT / source).parent / link, ROOT)
            target = self.target(linked)
            if target is None:
                return re.sub(r"^!?\[([^\]]*)\]\($", r"\1", before)
            return before + os.path.relpath(target, os.path.dirname(page) or ".") + (heading or "") + after

        path = self.pages_folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(LINK.sub(rewritten, (ROOT / source).read_text()))


def embed_playground(pages_folder):
    """Puts the playground's HTML file on its page, if it has been made."""
    built = ROOT / "build/playground/index.html"
    if not built.exists():
        print("without the playground: build/playground/index.html is made by ./dev playground")
        return
    shutil.copyfile(built, pages_folder / "playground/playground.html")
    page = pages_folder / "playground/README.md"
    title, rest = page.read_text().split("\n", 1)
    frame = ('<iframe src="playground.html" title="The playground" loading="lazy" '
             'style="width:100%;height:80vh;border:0"></iframe>\n\n[On a page of its own](playground.html)')
    page.write_text(f"{title}\n\n{frame}\n{rest}")


def docs_pages():
    """Returns the pages of docs/, without those of packages that npm has installed there."""
    return sorted(page for page in (ROOT / "docs").rglob("*.md") if "node_modules" not in page.parts)


def folder_of(link):
    """Returns the other pages of the folder of docs/ whose index is `link`; none for other pages."""
    index = ROOT / "docs" / link
    if index.name != "README.md":
        return []
    return sorted(str(page.relative_to(ROOT / "docs")) for page in index.parent.glob("*.md") if page != index)


def navigation():
    """Returns the pages in the order of the index, in its sections."""
    lines = ["nav:", "  - fractalray: index.md", "  - Contents: contents.md"]
    listed = set()
    text = (ROOT / "docs/README.md").read_text()
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title = section.splitlines()[0]
        links = [(name, link) for name, link in re.findall(r"\[([^\]]*)\]\(([^)#\s]+\.md)\)", section)
                 if not link.startswith("..") and link not in listed]
        if not links:
            continue
        lines.append(f"  - {title!r}:")
        for name, link in links:
            folder = folder_of(link)
            listed.update([link, *folder])
            if folder:
                lines.append(f"    - {name!r}:")
                lines += [f"      - {page}" for page in [link, *folder]]
            else:
                lines.append(f"    - {name!r}: {link}")
    left = [str(page.relative_to(ROOT / "docs")) for page in docs_pages()]
    first = [page for page in left if page not in listed and page != "README.md"]
    lines[3:3] = [f"  - {page}" for page in first]
    lines.append("  - API reference: api/index.html")
    if (ROOT / "CONTRIBUTING.md").exists():
        lines.append("  - Contributing: contributing.md")
    lines.append("  - Changes: changelog.md")
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    site = Site(folder)
    shutil.rmtree(site.pages_folder, ignore_errors=True)
    site.pages_folder.mkdir(parents=True)
    shutil.copytree(ROOT / "docs/figures", site.pages_folder / "figures")
    shutil.copytree(folder / "html", site.pages_folder / "api")
    sources = [str(page.relative_to(ROOT)) for page in docs_pages()]
    sources += [page for page in PAGES if "/" not in page and (ROOT / page).exists()]
    for source in sorted(sources):
        site.add_page(source)
    embed_playground(site.pages_folder)
    config = folder / "mkdocs.yml"
    config.write_text((ROOT / "docs/mkdocs.yml").read_text() + navigation() +
                      f"docs_dir: {site.pages_folder}\nsite_dir: {folder / 'site'}\n")
    return subprocess.call(["mkdocs", "build", "--quiet", "--strict", "--clean", "-f", str(config)])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main())
