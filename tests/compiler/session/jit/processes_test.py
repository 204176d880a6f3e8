#!/usr/bin/env python3
"""Interrupted compilations: the process ends at once, by its own handler or without, and the disk cache has no partial entry.

  processes_test.py PROGRAM
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time


def entries(folder):
    """Of the cache: the name and the inode of each; one that is damaged is removed when it is read."""
    return {(path.name, path.stat().st_ino) for path in pathlib.Path(folder).iterdir() if not path.name.startswith(".tmp-")}


with tempfile.TemporaryDirectory() as folder:
    before = set()
    # The third reads what the first two have stored, which takes it less time.
    for mode, status, said, seconds in (("interrupted", -signal.SIGINT, "", 0.3), ("interrupted-handler", 7, "handled", 1),
                                        ("interrupted", -signal.SIGINT, "", 2)):
        names = {"TENSORC_CACHE_DIR": folder, "TENSORC_DEVICE": "cpu"}
        process = subprocess.Popen([sys.argv[1], mode], env=os.environ | names, stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "compiling\n"
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        # It compiles for ever unless the signal ends it.
        out, _ = process.communicate(timeout=3600)
        assert process.returncode == status and out.strip() == said, (mode, process.returncode, out)
        after = entries(folder)
        assert before <= after, ("entries were damaged", before - after)
        before = after
