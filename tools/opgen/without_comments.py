#!/usr/bin/env python3
"""Copies generated headers without the comments that stand on lines of their own: sources that include them are not
compiled again when a description gets other words. A copy that would be the same is not written.

  without_comments.py FROM TO [FROM TO ...]
"""

import pathlib
import re
import sys

COMMENT = re.compile(r"^[ \t]*(//.*|/\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.MULTILINE)

for source, copy in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    text, copy = COMMENT.sub("", pathlib.Path(source).read_text()), pathlib.Path(copy)
    if not copy.exists() or copy.read_text() != text:
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
