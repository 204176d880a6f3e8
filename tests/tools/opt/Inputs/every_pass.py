"""Runs every pass that is registered over valid files that it does not expect: it may
refuse them, but not crash, and says why it refuses: BIN FOLDER [TARGET...]"""

import pathlib
import re
import subprocess
import sys

BIN, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).parent
TARGETS = sys.argv[3:] or ("cpu:x86-64-v3", "cuda:sm_80", "cuda:sm_90a", "rocm:gfx942", "sim:sm_80")
STAGES = ("import", "tensor", "fuse", "emit", "lower")
OURS = re.compile(r"^\s*(?:--)?((?:tx|txp|txk|cpu|sim|nvptx|amdgpu)-[\w-]+)\s+-\s", re.M)
UPSTREAM = ("canonicalize", "cse", "inline", "symbol-dce", "sccp", "mem2reg")


def run(*arguments):
    try:
        return subprocess.run(arguments, capture_output=True, text=True, errors="replace", timeout=3600)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, "does not end", "", "")


def stages():
    """What a program becomes, stage by stage, for every kind of target."""
    for target in TARGETS:
        for stage in STAGES:
            for source in ("row.mlir", "dot.mlir"):
                yield run(BIN / "tensorc", "compile", HERE / source, f"--target={target}", f"--stop-after={stage}").stdout


passes = OURS.findall(run(BIN / "tensorc-opt", "--list-passes").stdout)
assert len(passes) > 20, passes
odd = (HERE / "odd.mlir").read_text()
texts = {"odd": odd, "stages": "\n// -----\n".join(stages())}
bad = 0
for kind, text in texts.items():
    path = folder / f"{kind}.mlir"
    path.write_text(text)
    plain = run(BIN / "tensorc-opt", path, "--split-input-file")
    if plain.returncode:
        sys.exit(f"{kind}: not valid:\n{plain.stderr}")
    for name in [*passes, *UPSTREAM]:
        result = run(BIN / "tensorc-opt", path, "--split-input-file", "--mlir-disable-threading", f"--{name}")
        silent = result.returncode == 1 and "error:" not in result.stderr
        if result.returncode not in (0, 1) or silent:
            bad += 1
            print(f"--{name} over {kind}: status {result.returncode}\n{result.stderr[-2000:]}", flush=True)
print(f"{len(passes)} passes, {bad} bad")
