#!/usr/bin/env python3
"""Checks that every project path in Markdown files exists.

It checks the targets of relative links with their anchors (headings), and words in code spans and shell blocks that
begin with a top-level folder (`ir/tx`, `tests/ops/<op>.mlir`). Parts in <angle brackets> and * match anything, {a,b}
matches alternatives. Generated files (.inc) are not checked.
"""

import fnmatch
import itertools
import re
import sys

import repo

FENCE = re.compile(r"^ {0,3}(```+|~~~+)[ \t]*(\w*)[^\n]*\n(.*?)^ {0,3}\1[ \t]*$", re.M | re.S)
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s[^)]*)?\)")
SHELL = ("sh", "bash", "shell", "console")


def alternatives(path):
    """a/{b,c} -> a/b, a/c; <x> -> *."""
    path = re.sub(r"<[^>]*>", "*", path)
    parts = re.split(r"\{([^{}]*)\}", path)
    parts[1::2] = [p.split(",") for p in parts[1::2]]
    parts[0::2] = [[p] for p in parts[0::2]]
    return ["".join(choice) for choice in itertools.product(*parts)]


def exists(path, known):
    if path.endswith(".inc"):
        return True
    if "*" in path:
        return any(fnmatch.fnmatch(name, path) for name in known)
    return path in known


def blank(pattern, text):
    """Returns the text with matches of the pattern replaced by spaces."""
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def mentions(text, tops):
    """Returns (offset, path) for every word in code that looks like a path of the project."""
    code = [(m.start(3), m[3]) for m in FENCE.finditer(text) if m[2] in SHELL]
    code += [(m.start(2), m[2]) for m in SPAN.finditer(blank(FENCE, text))]
    for start, words in code:
        for word in re.finditer(r"[^\s'\"=|;()]+", words):
            path = re.sub(r"^\./", "", word[0]).rstrip(".,:")
            path = re.sub(r":\d+$", "", path)
            if path.split("/")[0] in tops and "/" in path:
                yield start + word.start(), path.rstrip("/")


def anchors(text):
    """Returns the anchors of a page: its headings in lower case without punctuation, and with - for spaces."""
    found = []
    for heading in re.findall(r"^#+ +(.+?) *$", blank(FENCE, text), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.append(anchor)
        found.append(f"{anchor}-{found.count(anchor) - 1}")
    return found


def main():
    root = repo.root(__doc__)
    tracked = repo.files(root)
    known = set(tracked)
    for name in tracked:
        parts = name.split("/")
        known.update("/".join(parts[:i]) for i in range(1, len(parts)))
    tops = {name.split("/")[0] for name in tracked if "/" in name}

    bad = []
    for source in (name for name in tracked if name.endswith(".md")):
        text = (root / source).read_text(encoding="utf-8")
        found = [(o, p) for o, path in mentions(text, tops) for p in alternatives(path)]
        missing = [(o, p) for o, p in found if not exists(p, known)]
        for link in LINK.finditer(blank(FENCE, text)):
            target, _, anchor = link[1].partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            page = (root / source).parent / target if target else root / source
            if not page.exists():
                missing.append((link.start(), target))
            elif anchor and page.suffix == ".md" and anchor not in anchors(page.read_text(encoding="utf-8")):
                missing.append((link.start(), link[1]))
        bad += [f"{source}:{text.count(chr(10), 0, offset) + 1}: no such path: {path}" for offset, path in sorted(missing)]
    print("\n".join(bad + [f"check_markdown_paths: {len(bad)} missing" if bad else "check_markdown_paths: ok"]))
    sys.exit(bool(bad))


main()
