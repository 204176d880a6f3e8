"""Fourier transforms beside SciPy's: python3 benchmarks/fft.py build/bin/tensorc

A row is the time on one thread, the least of several: SciPy's of complex arrays, and of our kernels, of real and
imaginary parts.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.fft

SIZES = [(1 << 14, 64), (4096, 256), (1024, 1024), (1000, 1000), (256, 4096), (64, 1 << 14), (16, 1 << 16), (1, 1 << 20), (1024, 1009)]


def program(rows, length, dtype):
    kind = f"tensor<2x{rows}x{length}x{dtype}>"
    return f"func.func @main(%x: {kind}) -> {kind} {{\n  %0 = tx.fft %x length = {length} : {kind}\n  return %0 : {kind}\n}}\n"


def kernel_seconds(tensorc, text):
    """Of all kernels of a run, the least of five."""
    environment = dict(os.environ, TENSORC_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.mlir")
        with open(path, "w") as file:
            file.write(text)
        times = []
        for _ in range(5):
            out = subprocess.run([tensorc, "bench", path, "--iterations=5", "--json=-"], env=environment, capture_output=True,
                                 text=True, check=True).stdout
            times.append(sum(k["seconds"] * k["launches"] / 5 for k in json.loads(out)["kernels"]))
    return min(times)


def scipy_seconds(rows, length, dtype):
    rng = np.random.default_rng(0)
    x = (rng.standard_normal((rows, length)) + 1j * rng.standard_normal((rows, length))).astype(dtype)
    times = []
    for _ in range(15):
        begin = time.process_time()
        scipy.fft.fft(x, workers=1)
        times.append(time.process_time() - begin)
    return min(times)


def main():
    tensorc = sys.argv[1]
    print("| rows x length | dtype | SciPy ms | tensorc ms | ratio |\n|---|---|---|---|---|")
    for dtype, complex_dtype in [("f32", np.complex64), ("f64", np.complex128)]:
        for rows, length in SIZES:
            theirs = scipy_seconds(rows, length, complex_dtype)
            ours = kernel_seconds(tensorc, program(rows, length, dtype))
            print(f"| {rows} x {length} | {dtype} | {theirs * 1e3:.2f} | {ours * 1e3:.2f} | {theirs / ours:.2f} |", flush=True)


if __name__ == "__main__":
    main()
