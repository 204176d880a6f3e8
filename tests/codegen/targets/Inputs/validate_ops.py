"""Compiles every program of tests/ops to SPIR-V and checks the modules with spirv-val.

usage: validate_ops.py TENSORC OPS_FOLDER WORK_FOLDER --but=NAME,... TARGET:ENVIRONMENT...

Prints what failed, then a count for each target.
"""

import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    return (result.stdout + result.stderr).strip() or "status" if result.returncode else None


def check(tensorc, program, target, environment, work):
    """None, or what is wrong."""
    out = work / f"{program.stem}.{target}.spv"
    wrong = run([tensorc, "compile", program, f"--target={target}", "--emit=spirv", "-o", out])
    return wrong or run(["spirv-val", "--target-env", environment, out])


def main():
    tensorc, folder, work, but, *targets = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    left = but.removeprefix("--but=").split(",")
    programs = [p for p in sorted(pathlib.Path(folder).glob("*.mlir")) if p.stem not in left]
    failed = False
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for target, environment in (t.split(":") for t in targets):
            results = list(pool.map(lambda p: check(tensorc, p, target, environment, work), programs))  # noqa: B023
            for program, wrong in zip(programs, results):
                if wrong:
                    print(f"{program.name} for {target}: {wrong}")
            print(f"{target}: {results.count(None)} of {len(results)} programs validate")
            failed |= any(results)
    sys.exit(failed)


main()
