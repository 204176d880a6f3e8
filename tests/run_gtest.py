"""Runs the cases of a GoogleTest program in one process; an entry of CTest.

  run_gtest.py RESULTS.json PROGRAM [--alone=FILTER]

A case that ends the process is reported, and the next ones run in another. A case
that fails runs again by itself: if it passes there, it depends on what ran before,
and fails still. If only the end of the process fails (a leak, say), each case runs by
itself to find which one it is. Those that match --alone always do. The results are written as
lit writes its own.
"""

import json
import os
import re
import subprocess
import sys

results_path, program, *options = sys.argv[1:]
alone = "".join(option.removeprefix("--alone=") for option in options)
LONGEST = 3600  # seconds of a process: only a hang reaches it, also on a loaded machine


def listed(filter_):
    """The names of the cases."""
    lines = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={filter_}"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    names, suite = [], ""
    for line in lines:
        name = line.split("#")[0].rstrip()
        if name.endswith(".") and not line.startswith(" "):
            suite = name
        elif line.startswith("  "):
            names.append(suite + name.strip())
    return [name for name in names if "DISABLED_" not in name]


def run(names):
    """The codes of the cases that a process came to, its exit status, its output."""
    command = [program, "--gtest_color=no"] + (["--gtest_filter=" + ":".join(names)] if names != cases else [])
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST)
        output, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as expired:
        output, status = (expired.stdout or b"") + b"\nran too long\n", -1
    output = output.decode(errors="replace")
    codes = {}
    for kind, name in re.findall(r"\[ +(RUN|OK|FAILED|SKIPPED) +\] ([^\s,]+)", output):
        code = {"RUN": "FAIL", "OK": "PASS", "FAILED": "FAIL", "SKIPPED": "SKIPPED"}[kind]
        if name in names and codes.get(name) in (None, "FAIL"):
            codes[name] = code
    return codes, status, output


def runs_alone(name):
    codes, status, output = run([name])
    code = codes.get(name, "FAIL")
    return ("FAIL" if status and code != "FAIL" else code), output


cases = listed("*")
own = set(listed(alone)) if alone else set()
codes = {}
for name in own:
    codes[name], output = runs_alone(name)
    if codes[name] == "FAIL":
        print(output)
left = [name for name in cases if name not in own]
while left:
    found, status, output = run(left)
    wrong = [name for name in found if found[name] == "FAIL"]
    for name in wrong:
        code, by_itself = runs_alone(name)
        print(by_itself if code == "FAIL" else f"{output}\n{name} passes by itself, but not after the cases before it")
    codes.update(found)
    later = [name for name in left if name not in found]
    if status and not wrong:
        # Its end, or its beginning where no case ran.
        guilty = {name: runs_alone(name) for name in left}
        wrong = [name for name in left if guilty[name][0] == "FAIL"]
        print(*(guilty[name][1] for name in wrong) if wrong else [output], sep="\n")
        codes.update({name: "FAIL" for name in wrong or left[-1:]})
        later = []
    if not found:
        codes.update((name, "FAIL") for name in left if name not in codes)
        break
    left = later

with open(results_path, "w", encoding="utf-8") as file:
    json.dump({"tests": [{"name": f"{os.path.basename(program)}::{name}", "code": code} for name, code in codes.items()]}, file)
passed = list(codes.values()).count("PASS")
print(f"{passed} of {len(cases)} passed")
sys.exit(1 if "FAIL" in codes.values() or set(codes) != set(cases) else 0)
