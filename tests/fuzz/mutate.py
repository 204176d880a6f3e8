#!/usr/bin/env python3
"""Runs the tool on broken programs: it must refuse them, never crash or hang.

  mutate.py BIN [--seed=1] [--count=2000] [--jobs=2] [--keep=DIR] [--compare]

Each mutant is a function of tests/ops with a few random edits: bytes or lines
removed, repeated or moved, numbers made huge or negative, dtypes, ops and values
exchanged. A part of them is broken after the stage `fuse` instead, and goes on by
--start-from. Allowed are the statuses 0, 1 with an error message, and 2, within
the time limit and 4 GB. Mutant i has the seed `seed + i`; those that fail are
kept in DIR with the command.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBERS = """0 1 -1 2 3 7 64 65 1000 100000 2147483647 2147483648 -2147483648
4294967296 1000000000000000 4611686018427387904 9223372036854775807
-9223372036854775808 9223372036854775808 18446744073709551616 1e400 0x7fc00000
""".split()
DTYPES = ["f32", "f64", "bf16", "f16", "i1", "i8", "i32", "i64", "ui32", "index",
          "f80", "i128", "i3", "tensor<f32>", "complex<f32>", "none"]


def functions(path):
    """The functions of a file, each with the file's aliases."""
    lines = [line for line in path.read_text().splitlines()
             if line and not line.lstrip().startswith("//")]
    aliases = [line for line in lines if line.startswith("#")]
    found, current = [], None
    for line in lines:
        if line.startswith("func.func"):
            current = aliases[:]
        if current is not None:
            current.append(line)
        if line.startswith("}") and current:
            found.append("\n".join(current) + "\n")
            current = None
    return found


def replace(text, rng, pattern, choices):
    spots = list(re.finditer(pattern, text))
    if not spots:
        return text
    spot = rng.choice(spots)
    return text[:spot.start()] + rng.choice(choices) + text[spot.end():]


def mutate(text, rng, words):
    lines = text.splitlines(keepends=True)
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    at = rng.randrange(len(text))
    kind = rng.randrange(12)
    if kind == 0:
        return text[:at] + text[at + rng.randint(1, 8):]
    if kind == 1:
        return text[:at] + chr(rng.randrange(256)) + text[at:]
    if kind == 2:
        del lines[i]
        return "".join(lines)
    if kind == 3:
        lines.insert(j, lines[i])
        return "".join(lines)
    if kind == 4:
        lines[i], lines[j] = lines[j], lines[i]
        return "".join(lines)
    if kind == 5:
        return replace(text, rng, r"\b(f32|f64|bf16|f16|i1|i8|i32|i64|index)\b", DTYPES)
    if kind == 6:
        return replace(text, rng, r"tx\.\w+", words["ops"])
    if kind == 7:
        return replace(text, rng, r"%\w+", re.findall(r"%\w+", text) or ["%0"])
    if kind == 8:
        # The same number everywhere: shapes that fit each other, but not memory.
        number = rng.choice(re.findall(r"\d+", text) or ["4"])
        return re.sub(rf"(?<![\w%]){number}(?=\D)", rng.choice(NUMBERS), text)
    if kind == 9:
        return replace(text, rng, r"#tx\.dims<\[[^]]*\]>|\[[^\[\]]*\]", words["lists"])
    return replace(text, rng, r"(?<![\w%])-?\d+", NUMBERS)


def make(seed, seeds, words):
    rng = random.Random(seed)
    text, stage = rng.choice(seeds[rng.random() < 0.25] or seeds[0])
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        text = mutate(text, rng, words) or text
    return text, stage


def limit(seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    # Processor time of all threads together: it does not depend on the load.
    seconds *= os.cpu_count()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def run(command, timeout):
    """The status and stderr; "hangs" as the status when time is up."""
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=20 * timeout, preexec_fn=lambda: limit(timeout))
    except subprocess.TimeoutExpired:
        return "hangs", ""
    if done.returncode == -signal.SIGXCPU:
        return "hangs", ""
    return done.returncode, done.stderr.decode(errors="replace")


def fused(tool, text, folder):
    """What the stage fuse makes of a function; none where it is refused."""
    path = folder / "seed.mlir"
    path.write_text(text)
    done = subprocess.run([tool, "compile", path, "--stop-after=fuse"],
                          capture_output=True, text=True)
    return [(done.stdout, "fuse")] if done.returncode == 0 else []


class Checker:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.tool = os.path.join(options.bin, "tensorc")
        sources = [text for path in sorted((ROOT / "tests/ops").glob("*.mlir"))
                   for text in functions(path)]
        self.seeds = {False: [(text, None) for text in sources], True: []}
        everything = "".join(sources)
        self.words = {"ops": sorted(set(re.findall(r"tx\.\w+", everything))),
                      "lists": sorted(set(re.findall(
                          r"#tx\.dims<\[[^]]*\]>|\[[^\[\]]*\]", everything)))}
        if options.stages:
            for text in sources[::3]:
                self.seeds[True] += fused(self.tool, text, folder)

    def check(self, seed):
        """The status, and a description if it is not allowed."""
        text, stage = make(seed, self.seeds, self.words)
        path = self.folder / f"{seed}.mlir"
        path.write_bytes(text.encode(errors="surrogateescape"))
        if stage:
            command = [self.tool, "compile", path, f"--start-from={stage}",
                       "--emit=asm", "-o", "/dev/null"]
        else:
            # A loop may run for ever by what it says.
            command = [self.tool, "run", path, "--device=cpu", "--random-inputs",
                       f"--max-time={max(1, self.options.timeout // 2)}"]
            if self.options.compare:
                command.append("--compare=reference")
        status, errors = run(command, self.options.timeout)
        silent = status == 1 and "error: " not in errors
        mismatch = "differ from the reference" in errors
        if status in (0, 1, 2) and not silent and not mismatch:
            path.unlink()
            return status, None
        why = "says no reason" if silent else "MISMATCH" if mismatch else status
        first = [line for line in errors.splitlines()
                 if re.search(r"ssert|ERROR|terminate|what|runtime error|LLVM", line)]
        return status, (f"seed {seed}: status {why}: {' '.join(map(str, command))}\n"
                        + "\n".join(first[:3]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=60, help="seconds that a mutant may take on an idle machine")
    parser.add_argument("--keep", help="a folder for mutants that fail")
    parser.add_argument("--no-stages", dest="stages", action="store_false")
    parser.add_argument("--compare", action="store_true",
                        help="compare what runs with the interpreter (slow for large sizes)")
    options = parser.parse_args()
    folder = pathlib.Path(options.keep or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    checker = Checker(options, folder)
    counts, failures = {}, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for status, failure in pool.map(
                checker.check, range(options.seed, options.seed + options.count)):
            counts[status] = counts.get(status, 0) + 1
            if failure:
                failures += 1
                print("FAILED", failure, flush=True)
    print(f"{options.count} mutants, {failures} failed; statuses:",
          ", ".join(f"{status}: {n}" for status, n in sorted(counts.items(), key=str)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
