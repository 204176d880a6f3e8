#!/usr/bin/env python3
"""A library exports what its headers declare, and nothing else.

  exports_test.py LIBRARY PREFIX HEADER_FOLDER...
"""

import pathlib
import re
import subprocess
import sys

library, prefix, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
exported = {line.split()[-1].split("@")[0] for line in lines.splitlines()}
# The mains of the tools (tools/mains), which no installed header declares.
exported -= {"tensorc_private_tool", "tensorc_private_opt", "tensorc_private_lsp"}
declared = set()
for header in (h for folder in folders for h in pathlib.Path(folder).glob("*.h")):
    declared.update(re.findall(r"\bTENSORC_API\b[^;{]*?\b(tensorc_\w+)\(", header.read_text()))
strange = sorted(name for name in exported if not name.startswith(prefix))
print("not ours:", *strange)
print("declared but not exported:", *sorted(declared - exported))
print("exported but not declared:", *sorted(exported - declared - set(strange)))
sys.exit(exported != declared)
