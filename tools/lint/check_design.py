#!/usr/bin/env python3
"""Checks the form of the design pages, docs/design/NNNN-title.md.

A page has at most 120 lines, a title `# NNNN: ...`, a status, and the headings
Problem, Rejected and Consequences. docs/design/README.md has a row for each
page, with its number, title and status, and no other rows. All pages together
have fewer than 30,000 words.
"""

import re
import sys

import repo

MAX_LINES = 120
MAX_WORDS = 30000
ROW = re.compile(r"^\| \[(\d{4})\]\(([^)]+)\) \| (.+?) \| (.*?) \|", re.M)


def check(name, text, row):
    """Yields the errors of a page. `row` is its title and status in the index."""
    number = name[:4]
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        yield f"{len(lines)} lines, more than {MAX_LINES}: measurements belong in docs/lab"
    title = re.match(rf"# {number}: (.+)\n", text)
    if not title:
        yield f"the first line is not '# {number}: TITLE'"
    status = re.search(r"^Status: (.+)", "\n".join(lines[:4]), re.M)
    if not status:
        yield "no line 'Status: ...' below the title"
    for heading in ("Problem", "Rejected", "Consequences"):
        if f"\n## {heading}\n" not in text:
            yield f"no heading '## {heading}'"
    if not row:
        yield "no row in docs/design/README.md"
        return
    if title and title[1] != row[0]:
        yield f"the index calls it '{row[0]}'"
    if not row[1].strip():
        yield "no status in the index"
    elif status and status[1] != row[1]:
        yield f"the index has the status '{row[1]}', the page '{status[1]}'"


def main():
    root = repo.root(__doc__)
    folder = root / "docs/design"
    pages = {p.name: p.read_text(encoding="utf-8") for p in sorted(folder.glob("[0-9]*.md"))}
    rows = {m[2]: (m[3], m[4]) for m in ROW.finditer((folder / "README.md").read_text(encoding="utf-8"))}
    bad = [f"docs/design/{name}: {fault}" for name, text in pages.items() for fault in check(name, text, rows.get(name))]
    bad += [f"docs/design/README.md: there is no {name}" for name in rows if name not in pages]
    words = sum(len(text.split()) for text in pages.values())
    if words >= MAX_WORDS:
        bad.append(f"docs/design: {words} words in all, not fewer than {MAX_WORDS}: cut as many as you add")
    print("\n".join(bad + [f"check_design: {len(bad)} faults" if bad else "check_design: ok"]))
    sys.exit(bool(bad))


main()
