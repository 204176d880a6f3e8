#!/usr/bin/env python3
"""Interrupted compilations: the process ends at once, by its own handler or without, and leaves no partial file.

  processes_test.py PROGRAM
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

with tempfile.TemporaryDirectory() as folder:
    for mode, status, said in (("interrupted", -signal.SIGINT, ""), ("interrupted-handler", 7, "handled")):
        names = {"TENSORC_CACHE_DIR": folder, "TENSORC_DEVICE": "cpu"}
        process = subprocess.Popen([sys.argv[1], mode], env=os.environ | names, stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "compiling\n"
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == status and out.strip() == said, (mode, process.returncode, out)
        assert time.monotonic() - began < 5, "it did not end at once"
        assert not list(pathlib.Path(folder).iterdir()), list(pathlib.Path(folder).iterdir())
