"""Runs a command and checks its exit status: STATUS COMMAND...

    %exits 2 %tensorc run --no-such-flag 2>&1 | FileCheck %s
"""

import subprocess
import sys

expected = int(sys.argv[1])
status = subprocess.run(sys.argv[2:]).returncode
if status != expected:
    sys.exit(f"exits: status {status}, expected {expected}")
