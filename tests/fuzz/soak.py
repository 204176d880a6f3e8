#!/usr/bin/env python3
"""Everything that searches by chance, for so many minutes: soak.py BUILD MINUTES [--state=FOLDER] [--only=PART;...]

Each part has its share of the time and stops by itself. What was done is kept in the folder: a later run goes on
behind it, with other programs, and the table at the end has both. Exit status 1 if anything crashed or was wrong.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests/fuzz/programs"
COUNTS = ("programs", "inputs", "crashes", "wrong")


class Soak:
    def __init__(self, build, state):
        self.build, self.state = build.resolve(), state.resolve()
        self.bin, self.lib = self.build / "bin", self.build / "lib"
        self.state.mkdir(parents=True, exist_ok=True)
        self.path = self.state / "state.json"
        self.parts = json.loads(self.path.read_text()) if self.path.exists() else {}

    def part(self, name):
        return self.parts.setdefault(name, {**dict.fromkeys(COUNTS, 0), "next": 1, "seconds": 0, "note": ""})

    def save(self):
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.parts, indent=1))
        new.replace(self.path)

    def run(self, command, seconds, **environment):
        """(status, output); "hangs" as the status where it does not end by itself."""
        command = [str(word) for word in command]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.state,
                                  timeout=seconds + 900, errors="replace", env=os.environ | environment)  # fmt: skip
            status, output = done.returncode, done.stdout
        except subprocess.TimeoutExpired as late:
            status, output = "hangs", (late.stdout or b"").decode(errors="replace")
        if status != 0:
            with open(self.state / "failures.txt", "a") as out:
                out.write(f"$ {' '.join(command)}\n{output[-4000:]}\nstatus {status}\n\n")
        return status, output


# Random programs -------------------------------------------------------------------------------------------------


def programs(kind, first=1, **environment):
    def run(soak, part, seconds):
        journal = soak.state / f"{kind}-{first}.journal"
        soak.run([sys.executable, PROGRAMS / "check.py", soak.lib, f"--tool={soak.bin / 'tensorc'}", f"--kind={kind}",
                  f"--seed={first}", "--count=10000000", f"--seconds={seconds}", f"--resume={journal}"],
                 seconds, **environment)  # fmt: skip
        records = [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
        failures = [why for record in records for _, why in record["failures"]]
        part["programs"] = records[-1]["next"] - first if records else 0
        part["crashes"] = sum(why.startswith(("died", "as a package: died")) for why in failures)
        part["wrong"] = len(failures) - part["crashes"]

    return run


def in_chunks(chunk, command):
    """A tool that takes --seed and --count and prints how many of them failed."""

    def run(soak, part, seconds):
        end, words = time.monotonic() + seconds, command(soak)
        if not pathlib.Path(words[0]).exists():
            part["note"] = "not built"
            return
        while time.monotonic() < end:
            status, output = soak.run([*words, f"--seed={part['next']}", f"--count={chunk}"], 600)
            found = re.search(r"(\d+) (?:programs|mutants).*, (\d+) failed", output)
            part["programs" if "mutate.py" not in str(words) else "inputs"] += int(found[1]) if found else 0
            part["crashes"] += not found
            part["wrong"] += int(found[2]) if found else 0
            part["next"] += chunk
            soak.save()

    return run


def threads(soak):
    return [sys.executable, PROGRAMS / "threads.py", soak.lib]


def generator(soak):
    return [soak.bin / "tensorc-fuzz"]


def mutants(soak):
    return [sys.executable, ROOT / "tests/fuzz/mutate.py", soak.bin, "--timeout=120", "--no-stages"]


# Random bytes ----------------------------------------------------------------------------------------------------


def fuzzer(name, *options):
    """libFuzzer; what it found is kept, and where it begins next time."""

    def run(soak, part, seconds):
        if not (soak.bin / f"tensorc-fuzz-{name}").exists():
            part["note"] = "not built"
            return
        found = soak.state / f"found-{name}"
        found.mkdir(exist_ok=True)
        status, output = soak.run([soak.bin / f"tensorc-fuzz-{name}", f"-max_total_time={int(seconds)}",
                                   "-print_final_stats=1", f"-artifact_prefix={soak.state}/{name}-", *options, found,
                                   ROOT / f"tests/fuzz/{name}/seeds"], seconds)  # fmt: skip
        executed = re.findall(r"number_of_executed_units: (\d+)", output) or re.findall(r"#(\d+)", output)
        part["inputs"] += int(executed[-1]) if executed else 0
        part["crashes"] += status != 0

    return run


# What is there once ----------------------------------------------------------------------------------------------


FAULTS = r"(^|/)(OutOfMemory|Stress|Corrupt|Disk|Fork)\.|^runtime\.fakes|^cache\.processes"


def faults(soak, part, seconds):
    """Every allocation, device call and file operation that a test lets fail."""
    status, output = soak.run(["ctest", "--test-dir", soak.build, "-R", FAULTS, "--timeout", "3600"], 7200)
    ends = re.findall(r"Test +#\d+: (\S+) \.+ *(Passed|\*\*\*\S+(?: Run)?)", output)
    unbuilt = [name for name, end in ends if "Not Run" in end or "NOT_BUILT" in name]
    part["programs"] = len(ends) - len(unbuilt)
    part["wrong"] += sum(end != "Passed" and name not in unbuilt for name, end in ends)
    part["note"] = f"{len(unbuilt)} not built" if unbuilt else ""


def memory(soak, part, seconds):
    """As many distinct expressions as there is time for, at most 50,000."""
    status, output = soak.run([sys.executable, PROGRAMS / "memory.py", soak.lib, "--count=50000", f"--seconds={seconds}"], seconds)
    last = re.search(r"(\d+) expressions: ([\d.]+) MiB resident at first, ([\d.]+) at the end, (-?\d+) bytes", output)
    part["crashes"] += not last or status != 0
    if last:
        part["programs"] = int(last[1])
        part["note"] = f"RSS {last[2]} -> {last[3]} MiB, {last[4]} bytes each in the second half"


def calls(soak, part, seconds):
    """Calls from Python, errors among them: as many as there is time for."""
    if not (soak.build / "python/tensorc").exists():
        part["note"] = "not built"
        return
    status, output = soak.run([sys.executable, ROOT / "tests/fuzz/calls.py", "--count=1000000000", f"--seconds={seconds}",
                               "--most=0.1"], seconds, PYTHONPATH=str(soak.build / "python"))  # fmt: skip
    last = re.search(r"(\d+) calls of \d+ kinds: (.*)", output)
    part["crashes"] += not last
    part["wrong"] += status != 0
    if last:
        part["inputs"] = int(last[1])
        part["note"] = last[2]


PARTS = {  # name: (share of the time, function)
    "programs, small": (12, programs("small")),
    "programs, small, guarded": (8, programs("small", 20000001, TENSORC_CHECK="memory")),
    "programs, deep": (8, programs("deep")),
    "programs, deep, guarded": (7, programs("deep", 20000001, TENSORC_CHECK="memory")),
    "programs, interpreter": (15, in_chunks(200, generator)),
    "8 threads": (8, in_chunks(400, threads)),
    "broken programs": (8, in_chunks(100, mutants)),
    "pipeline, any text": (10, fuzzer("pipeline", "-timeout=120", "-rss_limit_mb=4096")),
    "arrays, any bytes": (4, fuzzer("arrays", "-timeout=120")),
    "packages, rehashed": (8, fuzzer("package", "-timeout=120")),
    "injected faults": (4, faults),
    "memory": (8, memory),
    "calls from Python": (4, calls),
}  # fmt: skip


def table(soak):
    lines = ["| part | minutes | programs | inputs | crashes | wrong | |", "|---|---|---|---|---|---|---|"]
    for name in PARTS:
        if name in soak.parts:
            part = soak.parts[name]
            numbers = " | ".join(str(part[count]) for count in COUNTS)
            lines.append(f"| {name} | {part['seconds'] / 60:.0f} | {numbers} | {part['note']} |")
    parts = soak.parts.values()
    total = " | ".join(str(sum(part[count] for part in parts)) for count in COUNTS)
    lines.append(f"| all | {sum(part['seconds'] for part in parts) / 60:.0f} | {total} | |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="a build folder")
    parser.add_argument("minutes", type=float)
    parser.add_argument("--state", type=pathlib.Path, help="where to keep what was done; default BUILD/soak")
    parser.add_argument("--only", help="the beginnings of some parts' names, with ; between")
    parser.add_argument("--forget", action="store_true", help="begin anew")
    options = parser.parse_args()
    state = options.state or options.build / "soak"
    if options.forget:
        shutil.rmtree(state, ignore_errors=True)
    soak = Soak(options.build, state)
    chosen = {name: part for name, part in PARTS.items()
              if not options.only or any(name.startswith(word) for word in options.only.split(";"))}  # fmt: skip
    shares = sum(share for share, _ in chosen.values())
    for name, (share, run) in chosen.items():
        part, begin = soak.part(name), time.monotonic()
        print(f"{name} ...", flush=True)
        run(soak, part, 60 * options.minutes * share / shares)
        part["seconds"] += time.monotonic() - begin
        soak.save()
    print(table(soak))
    return 1 if any(part["crashes"] or part["wrong"] for part in soak.parts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
