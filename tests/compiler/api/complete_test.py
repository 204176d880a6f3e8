#!/usr/bin/env python3
"""A program uses every function that a library exports.

  complete_test.py LIBRARY PROGRAM
"""

import subprocess
import sys


def symbols(path, kind):
    lines = subprocess.run(["nm", "-D", kind, path], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


# The tools' mains (tools/mains) are not part of the interface.
missing = sorted(name for name in symbols(sys.argv[1], "--defined-only") - symbols(sys.argv[2], "--undefined-only")
                 if not name.startswith("tensorc_private_"))
print("never used:", *missing)
sys.exit(bool(missing))
