"""Assembles PTX with ptxas and fails on what must not be in it.

usage: check_ptx.py [--no-spills] CHIP FILE.ptx

Always: errors, warnings, and ptxas's notes C75xx, which say that it gave up asynchrony of
matrix instructions. With --no-spills: registers that went to memory.
"""

import re
import subprocess
import sys

arguments = sys.argv[1:]
spills = "--no-spills" in arguments
if spills:
    arguments.remove("--no-spills")
chip, path = arguments
command = ["ptxas", "-v", f"-arch={chip}", path, "-o", "/dev/null"]
result = subprocess.run(command, capture_output=True, text=True)
text = result.stdout + result.stderr
bad = [line for line in text.splitlines() if re.search(r"error|warning|fatal|\bC75\d\d\b", line)]
kernels = 0
for line in text.splitlines():
    match = re.search(r"(\d+) bytes spill stores", line)
    kernels += bool(match)
    if spills and match and match[1] != "0":
        bad.append(line.strip())
print("\n".join(bad) if bad else f"{chip}: {kernels} kernels assembled")
sys.exit(result.returncode != 0 or bool(bad))
