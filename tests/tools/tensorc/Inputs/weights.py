"""Writes the weights and inputs of quantize-weights.mlir into a folder."""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(5)
table = random.standard_normal((64, 7), np.float32)
nan = table.copy()
nan[3, 3] = np.nan
np.savez(
    folder / "w.npz",
    # Groups of 4 with the scales 1, 1, 10 and 100: exact in 4 bits.
    matmul=np.array([[7, 1, 2, 0, 0, 0, 0, -7], [70, 10, 20, 30, 700, 100, 0, -300]], np.float32),
    conv=np.array([[7, 0, 0, 0], [-1, -7, 0, 1]], np.float32).reshape(2, 4, 1, 1),
    table=table,
    nan=nan,
    one=np.full((64, 7), 3, np.float32),
    short=np.arange(7, dtype=np.float32).reshape(1, 7),
)
np.save(folder / "x.npy", np.array([1, 1, 1, 0, 1, 0, 0, 0], np.float32))
np.save(folder / "image.npy", np.array([1, 1, 0, 0], np.float32).reshape(1, 4, 1, 1))
