"""Waits until the process whose number is in a file has ended: ended.py FILE."""

import pathlib
import sys
import time

status = pathlib.Path("/proc") / pathlib.Path(sys.argv[1]).read_text().strip() / "status"


def runs():
    try:
        return "Z (zombie)" not in status.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


end = time.monotonic() + 200  # by itself it would take longer
while runs():
    if time.monotonic() > end:
        sys.exit("it still runs")
    time.sleep(0.05)
