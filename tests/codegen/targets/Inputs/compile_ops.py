"""Compiles every program of tests/ops for GPU targets and checks the artefacts.

usage: compile_ops.py TENSORC OPS_FOLDER WORK_FOLDER TARGET...

For cuda: targets the PTX goes through ptxas (check_ptx.py's rules, and no spills in
contractions); for rocm: targets the code object is linked. Prints what failed, then a count
for each target.
"""

import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

BAD = re.compile(r"error|warning|fatal|\bC75\d\d\b")


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def divides(ptx, name):
    body = re.search(rf"\.entry {re.escape(name)}\(.*?^}}", ptx, re.M | re.S)
    return body and re.search(r"\b(div|rem)\.[us]64", body[0])


def spilled(text, ptx):
    """Names of contractions that ptxas says spill. Where one divides 64-bit numbers, ptxas calls a
    subroutine and saves registers around it; that is not a lack of them."""
    names = []
    for name, used in re.findall(r"Function properties for (\S+)\n\s*(.*)", text):
        if "dot_general" in name and not re.search(r"\b0 bytes spill stores", used) and not divides(ptx, name):
            names.append(f"{name}: {used}")
    return names


def check(tensorc, program, target, work):
    """None, or what is wrong."""
    backend, chip = target.split(":")
    kind = "ptx" if backend == "cuda" else "hsaco"
    out = work / f"{program.stem}.{chip}.{kind}"
    status, text = run([tensorc, "compile", program, f"--target={target}", f"--emit={kind}", "-o", out])
    if status:
        return text.strip()
    if kind == "ptx" and ".entry" in out.read_text():
        status, text = run(["ptxas", "-v", f"-arch={chip}", out, "-o", os.devnull])
        bad = [line for line in text.splitlines() if BAD.search(line)] + spilled(text, out.read_text())
        if status or bad:
            return "\n".join(bad[:3])
    return None


def main():
    tensorc, folder, work, *targets = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    programs = sorted(pathlib.Path(folder).glob("*.mlir"))
    jobs = [(program, target) for target in targets for program in programs]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: check(tensorc, *job, work), jobs))
    for (program, target), wrong in zip(jobs, results):
        if wrong:
            print(f"{program.name} for {target}: {wrong}")
    for target in targets:
        good = sum(not wrong for (_, t), wrong in zip(jobs, results) if t == target)
        print(f"{target}: {good} of {len(programs)} programs compile")
    sys.exit(any(results))


main()
