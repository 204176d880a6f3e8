#!/usr/bin/env python3
"""Checks that each environment variable TENSORC_* that the sources read is described in docs/.

usage: check_variables.py
"""

import re
import sys

from commands import ROOT

read = set()
for folder in ("runtime", "codegen", "compiler", "pjrt", "tools"):
    for source in (ROOT / folder).rglob("*.cpp"):
        read.update(re.findall(r'\("(TENSORC_[A-Z_]*[A-Z])"', source.read_text()))
described = "".join(document.read_text() for document in (ROOT / "docs").glob("*.md"))
missing = sorted(name for name in read if f"{name}" not in described)
if not read or missing:
    sys.exit(f"not described in docs/*.md: {' '.join(missing)}")
