"""Random programs through the C interface, judged by NumPy in f64 (tests/fuzz/README.md).

  check.py LIBRARY_FOLDER [--tool=tensorc] [--kind=small|deep] [--seed=1] [--count=100] [--seconds=N] [--resume=FILE]

Program i has the seed `seed + i`. Each is evaluated, traced and called with one and two threads, and with a tool
compiled to a package and loaded: all results must lie within the judge's bounds, and agree in all bits. A refusal is
a failure. Programs run in processes of their own, a batch each; what one that crashes was at is known. --resume keeps
a journal and goes on behind it; --seconds ends in time, with the journal kept. --print prints a program,
--minimize looks for a smaller one that fails.
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from program import generate
from values import difference


def worst(program, results):
    """What is wrong with the first wrong output; None if all are right."""
    for i, array in zip(program.outputs, results):
        why = difference(array, program.values[i])
        if why is not None:
            return f"v{i} ({program.nodes[i].kind} {program.nodes[i].type}): {why}"
    return None


def same_bits(program, results, others, ways, exempt=()):
    for i, x, y in zip(program.outputs, results, others):
        if i not in exempt and x.tobytes() != y.tobytes():
            return f"v{i} ({program.nodes[i].type}): {ways} differ in their bits"
    return None


class Checker:
    """Runs in a worker."""

    def __init__(self, session):
        self.session, self.results = session, {}

    def in_process(self, seed, program):
        from binding import Refused

        try:
            lazy = self.session.lazy(program)
            one, two = self.session.traced(program, [1, 2])
        except Refused as error:
            return f"refused: {error}"
        self.results[seed] = one
        return (worst(program, lazy) or same_bits(program, lazy, one, "evaluation and traced function")
                or same_bits(program, one, two, "one and two threads"))  # fmt: skip

    def packages(self, programs):
        """(seed, what is wrong) of those that fail as a package."""
        from binding import Refused

        programs = [(seed, p) for seed, p in programs if seed in self.results and p.has_text()]
        if not programs:
            return []
        with tempfile.TemporaryDirectory() as folder:
            try:
                module, entries = self.session.compile([p for _, p in programs], pathlib.Path(folder))
            except Refused as error:
                if len(programs) == 1:
                    return [(programs[0][0], f"refused as a package: {error}")]
                return [failure for one in programs for failure in self.packages([one])]
            failures = []
            for (seed, program), entry in zip(programs, entries):
                try:
                    results = self.session.download(entry(self.session.leaves(program), len(program.outputs)))
                    why = worst(program, results) or same_bits(
                        program, self.results[seed], results, "traced function and package", program.folded())
                except Refused as error:
                    why = f"the package: {error}"
                if why:
                    failures.append((seed, why))
            self.session.release(module)
            return failures


def report(**record):
    print(json.dumps(record), flush=True)


def work(options):
    """A worker: a line when it begins a program, one for each that fails, one at the end."""
    from run import Session

    checker = Checker(Session(options.library, options.tool))
    batch = []
    for seed in range(options.seed, options.seed + options.count):
        report(at=seed)
        program = generate(seed, options.kind == "deep")
        if options.cuts is not None:
            program = program.with_cuts({int(c) for c in options.cuts.split(",") if c},
                                        [int(c) for c in options.outputs.split(",")])  # fmt: skip
        if program is None or not program.outputs:
            continue
        why = checker.in_process(seed, program)
        if why:
            report(failed=seed, why=why)
        batch.append((seed, program))
    if options.tool:
        report(at="package")
        for seed, why in checker.packages(batch):
            report(failed=seed, why=why)
    report(done=True)


def run_worker(options, first, count, extra=()):
    """(failures, seed after the last that was checked)."""
    command = [sys.executable, __file__, options.library, "--worker", f"--kind={options.kind}", f"--seed={first}",
               f"--count={count}", *extra]  # fmt: skip
    if options.tool:
        command.append(f"--tool={options.tool}")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, errors="replace")
        output, status, errors = done.stdout, done.returncode, done.stderr
    except subprocess.TimeoutExpired as late:
        output, status, errors = (late.stdout or b"").decode(errors="replace"), "hangs", ""
    records = [json.loads(line) for line in output.splitlines() if line.startswith("{") and line.endswith("}")]
    failures = [(r["failed"], r["why"]) for r in records if "failed" in r]
    if any("done" in r for r in records) and status == 0:
        return failures, first + count
    at = [r["at"] for r in records if "at" in r]
    died = f"died with {signal.Signals(-status).name if isinstance(status, int) and status < 0 else status}"
    died += f": {errors.strip()[-400:]}" if errors.strip() else ""
    if not at:
        sys.exit(f"the worker {died}")
    if at[-1] == "package":
        if count == 1:
            return failures + [(first, f"as a package: {died}")], first + 1
        return failures + [f for i in range(count) for f in run_worker(options, first + i, 1, extra)[0]], first + count
    return failures + [(at[-1], died)], at[-1] + 1


def minimize(options, seed):
    """The cuts and outputs of a smaller program that fails."""
    program = generate(seed, options.kind == "deep")

    def fails(cuts, outputs):
        small = program.with_cuts(cuts, outputs)
        if small is None or not outputs:
            return False
        extra = [f"--cuts={','.join(map(str, sorted(cuts)))}", f"--outputs={','.join(map(str, outputs))}"]
        return bool(run_worker(options, seed, 1, extra)[0])

    cuts, outputs = set(), program.outputs
    if not fails(cuts, outputs):
        return None
    size = max(1, len(outputs) // 2)
    while size:
        for start in range(0, len(outputs), size):
            fewer = outputs[:start] + outputs[start + size :]
            if fails(cuts, fewer):
                outputs = fewer
                break
        else:
            size //= 2
    size = max(1, len(program.nodes) // 2)
    while size:
        left = [i for i in program.with_cuts(cuts, outputs).needed() if i not in cuts and program.nodes[i].kind != "input"]
        for start in range(0, len(left), size):
            more = cuts | set(left[start : start + size])
            if more - cuts and fails(more, outputs):
                cuts = more
                break
        else:
            size //= 2
    return program.with_cuts(cuts, outputs)


class Journal:
    """Lines of what was done, so that a run goes on where it ended. A line that a kill cut off does not count: what it
    told is done again."""

    def __init__(self, path, options):
        self.path, self.failures, self.next = path, [], options.seed
        self.what = {"kind": options.kind, "seed": options.seed}
        if path and os.path.exists(path):
            for line in pathlib.Path(path).read_text().splitlines():
                record = self.read(line)
                if record.get("kind") == options.kind and record.get("seed") == options.seed:
                    self.next = max(self.next, record["next"])
                    self.failures += [tuple(f) for f in record["failures"]]

    @staticmethod
    def read(line):
        try:
            return json.loads(line)
        except json.JSONDecodeError:
            return {}

    def add(self, failures, end):
        self.failures += failures
        self.next = end
        if self.path:
            os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
            # A new line first: the last one may have been cut off.
            with open(self.path, "a") as out:
                out.write("\n" * (out.tell() > 0) + json.dumps({**self.what, "next": end, "failures": failures}))


def tell(options, failure):
    seed, why = failure
    print(f"FAILED: check.py --kind={options.kind} --seed={seed} --count=1: {why}", flush=True)


def check(options):
    journal = Journal(options.resume, options)
    begin = time.monotonic()
    while journal.next < options.seed + options.count and time.monotonic() - begin < options.seconds:
        size = min(options.batch, options.seed + options.count - journal.next)
        failures, end = run_worker(options, journal.next, size)
        for failure in failures:
            tell(options, failure)
        journal.add(failures, end)
    done = journal.next - options.seed
    print(f"{done} {options.kind} programs, {len(journal.failures)} failed")
    return 1 if journal.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", help="the folder of libtensorc.so")
    parser.add_argument("--tool", help="tensorc, to compile packages with")
    parser.add_argument("--kind", choices=["small", "deep"], default="small")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--batch", type=int, help="programs of a process and a package")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--timeout", type=float, default=3600, help="seconds for a batch")
    parser.add_argument("--resume", metavar="FILE")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--minimize", action="store_true")
    for hidden in ("--cuts", "--outputs"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.batch = options.batch or (4 if options.kind == "deep" else 40)
    if options.worker:
        return work(options)
    if options.print:
        print(generate(options.seed, options.kind == "deep").text())
        return 0
    if options.minimize:
        small = minimize(options, options.seed)
        print(small.text() if small else "it does not fail")
        return 1 if small else 0
    return check(options)


if __name__ == "__main__":
    sys.exit(main())
