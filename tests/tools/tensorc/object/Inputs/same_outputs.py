#!/usr/bin/env python3
"""same_outputs.py EXPECTED ACTUAL: compares two folders of outputs.

EXPECTED holds NAME.npy; ACTUAL the same, or NAME.raw with the elements alone.
Integers are equal, floats within `tensorc run --compare`'s tolerance.
"""

import sys
from pathlib import Path

import numpy as np

# tools/io/Compare.cpp: relative and absolute alike.
TOLERANCE = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-12}


def main():
    expected, actual = map(Path, sys.argv[1:])
    for path in sorted(expected.glob("*.npy")):
        want = np.load(path)
        raw = actual / (path.stem + ".raw")
        got = np.fromfile(raw, want.dtype).reshape(want.shape) if raw.exists() else np.load(actual / path.name)
        if got.shape != want.shape or got.dtype != want.dtype:
            sys.exit(f"{path.stem}: {got.dtype}{got.shape}, expected {want.dtype}{want.shape}")
        tolerance = TOLERANCE.get(want.dtype.name, 0)
        if not np.allclose(got, want, tolerance, tolerance, equal_nan=True):
            sys.exit(f"{path.stem} differs: {got} instead of {want}")


main()
