"""cost_programs.py TENSORC ROOT: compiles the program that each cost of codegen/kernel/CpuCosts.def is measured by."""

import pathlib
import re
import subprocess
import sys

tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
text = re.sub(r"^//.*", "", (root / "codegen/kernel/CpuCosts.def").read_text(), flags=re.M)
costs = re.findall(r'^CPU_COST\((\w+),.*?"([^"]*)"\)$', text, flags=re.M | re.S)
assert len(costs) == text.count("\nCPU_COST("), "a cost without a command"
for command in {command for _, command in costs}:
    entry, *options = command.split()
    subprocess.run([tool, "compile", root / "benchmarks/costs.mlir", f"--entry={entry}", *options, "--target=cpu:x86-64-v3",
                    "--stop-after=fuse", "-o", "/dev/null"], check=True)  # fmt: skip
print(len(costs), "costs")
