"""cost_programs.py TENSORC ROOT: compiles the programs that the costs of processors and GPUs (codegen/kernel) are measured by."""

import pathlib
import re
import subprocess
import sys

tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
TARGETS = {"CPU_COST": "cpu:x86-64-v3", "GPU_COST": "sim:sm_80"}
commands, count = set(), 0
for path in sorted((root / "codegen/kernel").glob("*Costs.def")) + sorted((root / "codegen/kernel/costs").glob("*.def")):
    text = re.sub(r"^//.*", "", path.read_text(), flags=re.M)
    costs = re.findall(r'^([CG]PU_COST)\(.*?"([^"]*)"\)$', text, flags=re.M | re.S)
    assert len(costs) == len(re.findall(r"^[CG]PU_COST\(", text, flags=re.M)), f"{path.name}: a cost without a command"
    commands |= {(TARGETS[kind], command) for kind, command in costs}
    count += len(costs)
for target, command in sorted(commands):
    entry, *options = command.split()
    subprocess.run([tool, "compile", root / "benchmarks/costs.mlir", f"--entry={entry}", *options, f"--target={target}",
                    "--stop-after=fuse", "-o", "/dev/null"], check=True)  # fmt: skip
print(count, "costs")
