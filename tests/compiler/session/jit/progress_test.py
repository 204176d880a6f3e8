#!/usr/bin/env python3
"""The line that a long compilation shows on a terminal.

  progress_test.py PROGRAM TENSORC MODULE
"""

import os
import pty
import re
import subprocess
import sys

program, tensorc, module = sys.argv[1:]
CLEAR = "\r\x1b[K"


def on_terminal(command, **names):
    """What the command writes to stderr when that is a terminal."""
    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm", "TENSORC_DEVICE": "cpu"} | names
    process = subprocess.Popen(command, env=env, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    assert process.wait() == 0, (process.returncode, text)
    os.close(ours)
    return text.decode()


long = [program, "long"]
text = on_terminal(long, TENSORC_PROGRESS="0")
# Of each compilation, up to its own clearing of the line.
longest = 0
for line in text.split(CLEAR + CLEAR):
    states = [tuple(map(int, pair)) for pair in re.findall(r"tensorc: (\d+)/(\d+) kernels \[[# ]{20}\]", line)]
    assert len({total for _, total in states}) <= 1 and states == sorted(states), states
    assert all(done <= total for done, total in states), states
    for done, total, full in re.findall(r"(\d+)/(\d+) kernels \[(#*) *\]", line):
        assert len(full) == 20 * int(done) // int(total), line
    longest = max(longest, len(states))
assert longest > 3, text[:400]
assert text.endswith(CLEAR), repr(text[-80:])

assert on_terminal(long, TENSORC_PROGRESS="off") == ""
assert on_terminal(long, TERM="dumb", TENSORC_PROGRESS="0") == ""
for text in ("no", "-1", "nan", "1s"):
    told = f"tensorc: TENSORC_PROGRESS={text} is ignored: it is not off or a number of seconds\r\n"
    assert on_terminal(long, TENSORC_PROGRESS=text).count(told) == 1, text
assert on_terminal(long, TENSORC_PROGRESS="1000") == ""
# Not a terminal.
piped = subprocess.run(long, env=os.environ | {"TENSORC_PROGRESS": "0", "TENSORC_DEVICE": "cpu"}, check=True,
                       capture_output=True, text=True)
assert piped.stderr == "", piped.stderr

# The tool names its input.
text = on_terminal([tensorc, "compile", module, "-o", "/dev/null"], TENSORC_PROGRESS="0")
assert "softmax: " in text and text.endswith(CLEAR), repr(text)
