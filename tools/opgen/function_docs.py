"""Generates the tables of docs/functions.md between the lines `<!-- functions: SECTION -->` and `<!-- end -->`."""

import re

import records

BLOCK = re.compile(r"(<!-- functions: (.*?) -->\n).*?(<!-- end -->\n)", re.DOTALL)
HEADER = "| | | |\n|---|---|---|\n"


def signature(w):
    parameters = [p.name + (f" = {p.fallback}" if p.fallback else "") for p in w.parameters]
    return f"`{w.name}({', '.join(parameters)})`"


def rows(f):
    for w in f.wrappers:
        mark = " ".join(["*c*"] * (w.name in f.composites) + ["*m*"] * f.methods)
        yield f"| {signature(w)} | {mark} | {w.comment.replace('|', chr(92) + '|')} |\n"


def generate(api, old):
    """Returns the document with new tables."""
    sections = {f.section for f in api.functions if f.wrappers}
    found = {match[2] for match in BLOCK.finditer(old)}
    if sections != found:
        raise records.Refused(f"docs/functions.md: its sections and Api.td's differ: {sorted(sections ^ found)}")

    def table(match):
        return match[1] + HEADER + "".join(row for f in api.functions if f.section == match[2] for row in rows(f)) + match[3]

    return BLOCK.sub(table, old)
