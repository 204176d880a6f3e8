"""Compares Fourier transforms with SciPy's: python3 benchmarks/fft.py build/bin/tensorc [ROWSxLENGTH ...]

Prints CPU times on one thread. SciPy's time is for complex arrays, the minimum of 15 runs. tensorc's time is for real
and imaginary parts. Because `tensorc bench` copies inputs and outputs in each run, tensorc's time is a third of the
difference between a program of four transforms and a program of one. The time of a program is the difference between
many runs and one run, which excludes the compilation.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.fft

SIZES = ["16384x64", "4096x256", "1024x1024", "1000x1000", "256x4096", "16x65536", "1x1048576", "1024x1009"]
DTYPES = {"f32": np.complex64, "f64": np.complex128}
ELEMENTS = 60_000_000


def processor_seconds(command):
    environment = dict(os.environ, TENSORC_NUM_THREADS="1")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def transforms(rows, length, dtype, count):
    kind = f"tensor<2x{rows}x{length}x{dtype}>"
    steps = "".join(f"  %{i} = tx.fft %{i - 1 if i else 'x'} length = {length} : {kind}\n" for i in range(count))
    return f"func.func @main(%x: {kind}) -> {kind} {{\n{steps}  return %{count - 1} : {kind}\n}}\n"


def our_seconds(tensorc, rows, length, dtype):
    runs, costs = max(10, ELEMENTS // (rows * length)), []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "transforms.mlir")
        for count in (1, 4):
            with open(path, "w") as file:
                file.write(transforms(rows, length, dtype, count))
            few, many = (min(processor_seconds([tensorc, "bench", path, f"--iterations={n}"]) for _ in range(3)) for n in (1, 1 + runs))
            costs.append((many - few) / runs)
    return (costs[1] - costs[0]) / 3


def scipy_seconds(rows, length, dtype):
    rng = np.random.default_rng(0)
    x = (rng.standard_normal((rows, length)) + 1j * rng.standard_normal((rows, length))).astype(DTYPES[dtype])
    times = []
    for _ in range(15):
        begin = time.process_time()
        scipy.fft.fft(x, workers=1)
        times.append(time.process_time() - begin)
    return min(times)


def main():
    tensorc, sizes = sys.argv[1], sys.argv[2:] or SIZES
    print("| rows x length | dtype | SciPy ms | tensorc ms | ratio |\n|---|---|---|---|---|")
    for size in sizes:
        rows, length = map(int, size.split("x"))
        for dtype in DTYPES:
            theirs, ours = scipy_seconds(rows, length, dtype), our_seconds(tensorc, rows, length, dtype)
            print(f"| {rows} x {length} | {dtype} | {theirs * 1e3:.2f} | {ours * 1e3:.2f} | {theirs / ours:.2f} |", flush=True)


if __name__ == "__main__":
    main()
