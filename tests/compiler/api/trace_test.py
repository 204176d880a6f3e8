#!/usr/bin/env python3
"""TENSORC_TRACE and TENSORC_DUMP of a program that evaluates one expression.

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


def log(topics):
    names = {"TENSORC_LOG": topics, "TENSORC_DEVICE": "cpu"}
    return subprocess.run([sys.argv[1]], check=True, env=os.environ | names, capture_output=True, text=True).stderr


assert "new structure: " in log("cache,compile"), log("cache,compile")
assert log("cache,placement") == "", log("cache,placement")
unknown = "tensorc: TENSORC_LOG: 'kernels' is not a topic; there are: compile, cache, placement, all\n"
assert log("kernels,cache") == unknown, log("kernels,cache")
