"""Compiles the programs of tests/ops for GPU targets and checks the artefacts.

usage: compile_ops.py FOLDER_OF_TOOLS OPS_FOLDER WORK_FOLDER TARGET... [--near=TARGET] [--matrices=TARGET] [--optimize] [--only=REGEX]

A near target has another chip's kernels except where instructions multiply matrices or exchange
lanes: only those programs are compiled. --matrices: lanes are the other chip's, too.
For cuda: targets the PTX goes through ptxas (check_ptx.py's rules, and no spills in programs that it optimizes, but those of
MAY_SPILL). It optimizes programs that a chip shapes, and with --optimize (minutes) all programs; others it assembles at -O0.
For rocm: targets the code object is linked and keeps check_hsaco.py's rules.
A process for each processor compiles many programs (tests/served.py). Prints what failed, then a count for each target.
"""

import os
import pathlib
import queue
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import check_hsaco

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", ".."))
import served  # noqa: E402

# Programs that take seconds each. Their arithmetic is the same on every chip, so only the first target compiles them.
SLOW = {"betainc", "gammainc", "polygamma"}
# Programs with the same series as gammainc and polygamma.
REPEATED = {"gammaincc", "zeta"}
SHAPED = ("argmax", "attention", "conv", "cumsum", "dequantize", "dot_general", "layer_norm", "prod", "reduce", "scatter",
          "sort", "sum")
MATRICES = ("attention", "conv.", "conv_", "convolution", "dequantize", "dot_general")
# Series and fractions in f64, in kernels of thousands of instructions: registers do not suffice for all, and branches are
# long. They need not keep the rules about stacks and jumps.
LARGE = SLOW | {"digamma", "lgamma"}
# Programs whose kernels may spill registers. Of sorts with positions ptxas stores 8 bytes on the stack although it uses 48 of
# 255 registers.
MAY_SPILL = LARGE | {"sort-first", "sort-ordered", "sort-short"}
# Limit of one program.
SECONDS = 600
BAD = re.compile(r"error|warning|fatal|\bC75\d\d\b")


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def spilled(text):
    """Kernels whose registers went to memory."""
    found = re.findall(r"Function properties for (\S+)\n.* (\d+) bytes spill stores", text)
    return [f"{name}: {count} bytes spilled" for name, count in found if int(count) > 0]


def start_server(tools, work):
    return served.Server(f"{tools}/tensorc-test-server", dict(os.environ), work)


def compile_program(servers, tools, work, words, messages):
    """None, or what is wrong. A server that dies or takes too long is replaced."""
    server = servers.get()
    try:
        status = server.ask({"words": words, "in": "", "out": os.devnull, "err": str(messages)}, SECONDS)
        wrong = "the process died" if status is None else f"status {status}"
    except served.TimedOut:
        status, wrong = None, f"took longer than {SECONDS} s"
    if status is None:
        server.process.kill()
        server.process.communicate()
        server = start_server(tools, work)
    servers.put(server)
    if status == 0:
        return None
    text = messages.read_text().strip() if messages.exists() else ""
    return text if text and status is not None else f"{wrong}\n{text}".strip()


def check(servers, tools, program, target, work, optimize):
    """None, or what is wrong."""
    backend, chip = target.split(":")
    kind = "ptx" if backend == "cuda" else "hsaco"
    out = work / f"{program.stem}.{chip}.{kind}"
    messages = out.with_suffix(".err")
    words = ["tensorc", "compile", str(program), f"--target={target}", f"--emit={kind}", "-o", str(out)]
    # A file of an earlier run must not pass for this one's.
    out.unlink(missing_ok=True)
    messages.unlink(missing_ok=True)
    wrong = compile_program(servers, tools, work, words, messages)
    if wrong:
        return wrong
    if kind == "ptx" and ".entry" in out.read_text():
        optimizes = optimize or program.stem.startswith(SHAPED)
        level = [] if optimizes else ["-O0"]
        status, text = run(["ptxas", "-v", *level, f"-arch={chip}", out, "-o", os.devnull])
        bad = [line for line in text.splitlines() if BAD.search(line)]
        if optimizes and program.stem not in MAY_SPILL:
            bad += spilled(text)
        if status or bad:
            return "\n".join(bad[:3])
    if kind == "hsaco" and program.stem not in LARGE:
        return "\n".join(check_hsaco.check(chip, out)[:3]) or None
    return None


def main():
    tools, folder, work, *targets = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    optimize = "--optimize" in targets
    only = next((word[len("--only="):] for word in targets if word.startswith("--only=")), "")
    targets = [word for word in targets if word != "--optimize" and not word.startswith("--only=")]
    programs = [program for program in sorted(pathlib.Path(folder).glob("*.mlir"))
                if program.stem not in REPEATED and re.search(only, program.stem)]
    kinds = {"--near": SHAPED, "--matrices": MATRICES}
    some = dict((target, kinds[kind]) for kind, _, target in (word.partition("=") for word in targets) if target)
    targets = [target.rpartition("=")[2] for target in targets]
    jobs = [(program, target) for target in targets for program in programs
            if (program.name.startswith(some[target]) if target in some else target == targets[0] or program.stem not in SLOW)]  # fmt: skip
    servers = queue.SimpleQueue()
    for _ in range(os.cpu_count()):
        servers.put(start_server(tools, work))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: check(servers, tools, *job, work, optimize), jobs))
    while not servers.empty():
        servers.get().process.communicate()
    for (program, target), wrong in zip(jobs, results):
        if wrong:
            print(f"{program.name} for {target}: {wrong}")
    for target in targets:
        own = [wrong for (_, t), wrong in zip(jobs, results) if t == target]
        print(f"{target}: {own.count(None)} of {len(own)} programs compile")
    sys.exit(any(results))


main()
