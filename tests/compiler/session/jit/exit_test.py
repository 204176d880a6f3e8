#!/usr/bin/env python3
"""Evaluations while the process exits, as docs/embedding.md promises them.

  exit_test.py PROGRAM [known]

With `known` nothing is compiled while the process exits: a shared LLVM is taken apart then.
"""

import os
import subprocess
import sys

LATE = "computed\nkept: 5\n"
EXPECTED = {
    "static": f"static: {LATE}",
    "atexit": "atexit: computed\n",
    # Of the second thread, then of the main thread.
    "thread-local": f"thread-local: {LATE}" * 2,
    # Other threads are in the middle of compilations and runs.
    "threads": "",
    "exit-in-thread": "",
}

for device in ("cpu", "sim", "reference"):
    for mode, expected in EXPECTED.items():
        for _ in range(5 if expected == "" and device == "cpu" else 1):
            environment = os.environ | {"TENSORC_DEVICE": device}
            if expected == "" and device == "sim":
                # A simulated block has a stack of its own, where LeakSanitizer does not look for what a thread that
                # is in the middle of a run holds.
                environment["LSAN_OPTIONS"] = "detect_leaks=0"
            process = subprocess.run([sys.argv[1], mode, *sys.argv[2:]], env=environment,
                                     capture_output=True, text=True, timeout=3600)  # fmt: skip
            assert (process.returncode, process.stdout, process.stderr) == (0, expected, ""), (device, mode, process)
