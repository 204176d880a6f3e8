#!/usr/bin/env python3
"""The environment of a program that evaluates one expression: traces, dumps, logs, and values that are none.

  trace_test.py PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    trace, dump = pathlib.Path(folder) / "trace.json", pathlib.Path(folder) / "dump"
    names = {"TENSORC_TRACE": str(trace), "TENSORC_DUMP": str(dump), "TENSORC_LOG": "1", "TENSORC_DEVICE": "cpu"}
    run = subprocess.run([sys.argv[1]], check=True, env=os.environ | names, capture_output=True, text=True)
    events = json.loads(trace.read_text())
    stages = [event["name"] for event in events if event["cat"] == "stage"]
    launches = [event for event in events if event["cat"] == "launch"]
    assert stages == ["import", "tensor", "fuse", "emit", "lower", "serialize"], stages
    assert [event["name"] for event in events if event["cat"] == "compile"] == ["new structure"], events
    assert len(launches) == 1 and launches[0]["dur"] >= 0, launches
    assert (dump / "0" / "02-fuse.mlir").exists(), list(dump.rglob("*"))
    assert "new structure: " + launches[0]["name"] in run.stderr, run.stderr


def stderr(**names):
    names = {"TENSORC_DEVICE": "cpu"} | names
    return subprocess.run([sys.argv[1]], check=True, env=os.environ | names, capture_output=True, text=True).stderr


def log(topics):
    return stderr(TENSORC_LOG=topics)


assert "new structure: " in log("cache,compile"), log("cache,compile")
assert log("cache,placement") == "", log("cache,placement")
unknown = "tensorc: TENSORC_LOG: 'kernels' is not a topic; there are: compile, cache, placement, devices, all\n"
assert log("kernels,cache") == unknown, log("kernels,cache")

# What a variable does not take is told once and ignored; what is empty is not set.
switches = ("TENSORC_OP_BY_OP", "TENSORC_STORE_INTERMEDIATES", "TENSORC_EMBED_SIMULATED")
for name in switches:
    assert stderr(**{name: "yes"}) == f"tensorc: {name}=yes is ignored: it is not 0 or 1\n", stderr(**{name: "yes"})
for text in ("0", "-1", "many", "1k"):
    told = stderr(TENSORC_KERNEL_CACHE=text)
    assert told == f"tensorc: TENSORC_KERNEL_CACHE={text} is ignored: it is not a number of structures from 1\n", told
good = dict.fromkeys((*switches, "TENSORC_KERNEL_CACHE", "TENSORC_PROGRESS", "TENSORC_DUMP", "TENSORC_TRACE"), "")
assert stderr(**good) == "", stderr(**good)
assert stderr(TENSORC_OP_BY_OP="1", TENSORC_STORE_INTERMEDIATES="0", TENSORC_KERNEL_CACHE="7") == ""
