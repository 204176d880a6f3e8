#!/usr/bin/env python3
"""Runs the entries of CTest one after another and prints the CPU time of each, longest first.

  time_tests.py [BUILD [REGEX]]

CPU times hardly depend on other load on the machine. The cases of one GoogleTest program are one row.
"""

import collections
import json
import os
import re
import resource
import subprocess
import sys
import time

build, regex = (sys.argv[1:] + ["build", "."][len(sys.argv) - 1 :])[:2]
listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
seconds, entries, failed = collections.Counter(), collections.Counter(), []


def used():
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


for test in json.loads(listed.stdout)["tests"]:
    name, command = test["name"], test.get("command")
    if not command or not re.search(regex, name):
        continue
    properties = {p["name"]: p["value"] for p in test["properties"]}
    environment = dict(os.environ)
    environment.update(item.split("=", 1) for item in properties.get("ENVIRONMENT", []))
    for item in properties.get("ENVIRONMENT_MODIFICATION", []):
        variable, _, action = item.partition("=")
        kind, _, value = action.partition(":")
        environment.pop(variable, None) if kind == "unset" else environment.__setitem__(
            variable, ":".join(filter(None, [environment.get(variable), value])))
    before = used()
    result = subprocess.run(command, env=environment, cwd=properties.get("WORKING_DIRECTORY"),
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    group = name if "." in name and name[0].islower() and "--gtest_filter" not in " ".join(command) else os.path.basename(
        command[0]) + "".join(" " + item for item in properties.get("ENVIRONMENT", []))
    seconds[group] += used() - before
    entries[group] += 1
    if result.returncode not in (0, properties.get("SKIP_RETURN_CODE", 0)):
        failed.append(name)
    print(f"{time.strftime('%X')} {name} {used() - before:.2f}", file=sys.stderr)

for group, time_used in seconds.most_common():
    print(f"{time_used:8.1f} {entries[group]:5} {group}")
print(f"{sum(seconds.values()):8.1f} {sum(entries.values()):5} altogether; failed: {failed or 'none'}")
