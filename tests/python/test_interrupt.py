"""Ctrl-C while a program compiles or runs: a process of its own gets SIGINT."""

import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import tensorc as tc

# A shell that runs it in the background may have had SIGINT ignored.
START = "import signal, time, tensorc as tc\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
FOLDER = pathlib.Path(tc.__file__).parents[1]

# Hundreds of kernels, no two of them alike: some seconds.
COMPILES = """
x = tc.ones((9, 9))
for i in range(500):
    y = x[: 2 + i % 7, : 2 + i % 5]
    x = tc.tanh(y @ y.T).sum() + x * y.max(axis=0).sum() - tc.sort(x, axis=i % 2)
print("ready", flush=True)
work = lambda: x.eval()
"""
# Some 10 ms for each of very many iterations.
LOOPS = """
def body(state):
    i, x = state
    return i + 1, tc.tanh(x @ x) * 0.5
state = tc.asarray(0), tc.ones((64, 64))
tc.while_loop(lambda s: s[0] < 2, body, state)[1].eval()
print("ready", flush=True)
work = lambda: tc.while_loop(lambda s: s[0] < 1_000_000_000, body, state)[1].eval()
"""
# NumPy asks for the value twice: by the buffer protocol, and by __array__.
EXPORTS = "import numpy\n" + LOOPS.replace("work = lambda: ", "work = lambda: numpy.asarray(").replace(
    "1_000_000_000, body, state)[1].eval()", "1_000_000_000, body, state)[1])")
INTERRUPTED = """
begin = time.process_time()
try:
    work()
except KeyboardInterrupt:
    print("interrupted", time.process_time() - begin, flush=True)
assert (tc.arange(3) * 2).tolist() == [0, 2, 4]
print("usable", flush=True)
"""


def interrupt(program, after):
    """Returns the processor time that the interrupted work took: wall time depends on the machine's load."""
    process = subprocess.Popen([sys.executable, "-c", START + textwrap.dedent(program) + INTERRUPTED], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, cwd=FOLDER)  # fmt: skip
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode == 0, err
    interrupted, usable = out.splitlines()
    assert interrupted.startswith("interrupted ") and usable == "usable"
    return float(interrupted.split()[1])


@pytest.mark.parametrize("program", [COMPILES, LOOPS, EXPORTS], ids=["compiles", "loops", "exports"])
def test_ctrl_c_ends_the_work(program):
    # Without the interrupt the loops do not end.
    assert interrupt(program, after=0.5) < 20


def test_a_handler_of_the_program_decides():
    program = LOOPS.replace("1_000_000_000", "20_000") + textwrap.dedent("""
        seen = []
        signal.signal(signal.SIGINT, lambda *_: seen.append(1))
        loops = work
        def work():
            loops()
            assert seen == [1]
            raise KeyboardInterrupt
    """)
    interrupt(program, after=0.05)
