#!/usr/bin/env python3
"""Writes a C table of the element-wise functions that ops.h declares.

  list_ops.py OPS_H OUT
"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
lines = []
for name, parameters in re.findall(r"\b(tensorc_\w+)\(\s*([^)]*)\)", text):
    arity = len(re.findall(r"\btensorc_arg \*", parameters))
    cells = [f"{name}" if i + 1 == arity else "NULL" for i in range(3)]
    lines.append(f'    {{"{name}", {", ".join(cells)}}},')
pathlib.Path(sys.argv[2]).write_text("\n".join(lines) + "\n")
