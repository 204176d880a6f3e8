#!/usr/bin/env python3
"""The examples that compute, on one device: on_device.py BIN ROOT DEVICE.

Digits are read by trained weights, four pictures are judged by NumPy, pixel by pixel, and a network is trained for an epoch, with
the loss that it has on the CPU.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BIN, ROOT, DEVICE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
DIGITS = ROOT / "examples/digits"


def run(program, *words, device=DEVICE):
    done = subprocess.run([BIN / program, *words], env=dict(os.environ, TENSORC_DEVICE=device), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{program}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def number(pattern, text):
    found = re.search(pattern, text)
    assert found, f"no {pattern} in:\n{text}"
    return float(found.group(1))


def main():
    read = run("digits", DIGITS)
    assert number(r"accuracy: ([0-9.]+)", read) >= 0.95 and f"kernels on {DEVICE.split(':')[0]}" in read, read
    judge = pathlib.Path(__file__).with_name("judge_pictures.py")
    with tempfile.TemporaryDirectory() as folder:
        for program, *steps in (["images"], ["options"], ["heat", "18"], ["waves", "3"]):
            picture = pathlib.Path(folder) / program
            run(program, picture, *steps)
            subprocess.run([sys.executable, judge, program, picture, *steps], check=True)
    losses = [number(r"loss ([0-9.]+)", run("train-digits", DIGITS / "data", "1", device=each)) for each in ("cpu", DEVICE)]
    assert abs(losses[0] - losses[1]) < 2e-4, losses
    print(f"{DEVICE}: digits, 4 pictures, a training run")


main()
