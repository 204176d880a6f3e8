#!/usr/bin/env python3
"""The line that long work shows on a terminal.

  progress_test.py PROGRAM TENSORC MODULE
"""

import os
import pty
import re
import subprocess
import sys
import tempfile

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
# The remaining time is known between the first kernel and the last one.
assert re.search(r"tensorc: ([1-9]\d*)/(?!\1 )\d+ kernels \[[# ]{20}\] \d+ s left", text), text[:400]
assert not re.search(r"tensorc: 0/\d+ kernels \[[# ]{20}\] \d", text), text[:400]
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

with tempfile.TemporaryDirectory() as folder:
    # The import takes longer than the line's thread needs to run, while it reads and while it converts: with more ops on
    # a busy machine. The called function counts twice.
    program = os.path.join(folder, "long.mlir")
    for count in (10000, 40000, 160000):
        with open(program, "w") as file:
            file.write("func.func private @half(%x0: tensor<4xf32>) -> tensor<4xf32> {\n")
            file.writelines(f"%x{i + 1} = stablehlo.add %x{i}, %x{i} : tensor<4xf32>\n" for i in range(count))
            file.write(f"return %x{count} : tensor<4xf32> }}\n")
            file.write("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n")
            file.write("%y = call @half(%x) : (tensor<4xf32>) -> tensor<4xf32>\n")
            file.write("%z = call @half(%y) : (tensor<4xf32>) -> tensor<4xf32>\n")
            file.write("return %z : tensor<4xf32> }\n")
        text = on_terminal([tensorc, "compile", program, "--stop-after=import", "-o", "/dev/null"], TENSORC_PROGRESS="0")
        states = [tuple(map(int, pair)) for pair in re.findall(r"long: (\d+)/(\d+) ops \[[# ]{20}\]", text)]
        if "long: reading" in text and states:
            break
    assert "long: reading" in text and text.endswith(CLEAR), repr(text[-400:])
    # Each call and each function is an op, too.
    assert states and states == sorted(states) and {total for _, total in states} == {2 * (count + 3) + 2}, states[-9:]
    # A search shows one line, and none of its compilations.
    command = [tensorc, "tune", module, "--shape=x:64,64", "--time=0.2s", "-o", os.path.join(folder, "tuned.tctune")]
    text = on_terminal(command, TENSORC_PROGRESS="0")
    assert re.search("tune: (measuring|0/1 kernels)", text) and "tensorc:" not in text and text.count(CLEAR + CLEAR) == 0, repr(text)
