"""Compiles every program of tests/ops to SPIR-V and checks the modules with the validator of SPIRV-Tools.

usage: validate_ops.py FOLDER_OF_TOOLS OPS_FOLDER WORK_FOLDER --but=NAME,... TARGET:ENVIRONMENT...

For each target a process compiles all programs (tests/served.py), and one validates them. Prints what failed, then a count
for each target.
"""

import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", ".."))
import served  # noqa: E402


def check(server, validator, program, target, environment, work):
    """None, or what is wrong."""
    out, err = (str(work / f"{program.stem}.{target}.{suffix}") for suffix in ("spv", "err"))
    words = ["tensorc", "compile", str(program), f"--target={target}", "--emit=spirv", "-o", out]
    status = server.ask({"words": words, "in": "", "out": os.devnull, "err": err}, seconds=600)
    if status != 0:
        return pathlib.Path(err).read_text() or f"status {status}"
    validator.stdin.write(f"{environment} {out}\n")
    validator.stdin.flush()
    answer = validator.stdout.readline().strip()
    return None if answer == "ok" else answer or "the validator ended"


def check_all(tools, programs, target, environment, work):
    server = served.Server(f"{tools}/tensorc-test-server", dict(os.environ), work)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([f"{tools}/tensorc-validate-spirv"], **pipes) as validator:
        results = [check(server, validator, p, target, environment, work) for p in programs]
        validator.stdin.close()
    server.process.communicate()
    return results


def main():
    tools, folder, work, but, *targets = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    left = but.removeprefix("--but=").split(",")
    programs = [p for p in sorted(pathlib.Path(folder).glob("*.mlir")) if p.stem not in left]
    failed = False
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        split = [t.split(":") for t in targets]
        all_results = pool.map(lambda t: check_all(tools, programs, *t, work), split)
        for (target, _), results in zip(split, all_results):
            for name, wrong in zip(programs, results):
                if wrong:
                    print(f"{name.name} for {target}: {wrong}")
            print(f"{target}: {results.count(None)} of {len(results)} programs validate")
            failed |= any(results)
    sys.exit(failed)


main()
