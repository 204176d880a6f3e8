"""Compares Fourier transforms and complex arithmetic in Python with SciPy and NumPy: PYTHONPATH=build/python python3
benchmarks/complex.py [WORD ...]

Prints the minimum CPU time of whole calls on arrays of complex or real numbers, on one thread, next to that of the
reference library. A WORD selects the rows whose name contains it.
"""

import os
import sys
import time

for name in ("TENSORC_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import scipy.fft  # noqa: E402

import tensorc as tc  # noqa: E402

RANDOM = np.random.default_rng(0)


def drawn(shape, dtype):
    x = RANDOM.standard_normal(shape)
    return (x + 1j * RANDOM.standard_normal(shape) if dtype.startswith("complex") else x).astype(dtype)


def seconds(call, budget=0.6):
    call()
    call()
    least, end = 1e9, time.process_time() + budget
    while time.process_time() < end:
        begin = time.process_time()
        call()
        least = min(least, time.process_time() - begin)
    return least


def rows():
    for size, dtype in (("16384x64", "complex64"), ("4096x256", "complex64"), ("1024x1024", "complex64"), ("1000x1000", "complex64"),
                        ("256x4096", "complex64"), ("16x65536", "complex64"), ("1x1048576", "complex64"), ("1024x1009", "complex64"),
                        ("1024x1024", "complex128"), ("1x1048576", "complex128")):  # fmt: skip
        x = drawn(tuple(map(int, size.split("x"))), dtype)
        yield f"fft {size} {dtype}", lambda a: tc.fft.fft(a), lambda a: scipy.fft.fft(a, workers=1), (x,)
    for dtype in ("complex64", "complex128"):
        yield f"fft2 1024x1024 {dtype}", lambda a: tc.fft.fft2(a), lambda a: scipy.fft.fft2(a, workers=1), (drawn((1024, 1024), dtype),)
    for size, dtype in (((1000, 1000), "float32"), ((1000, 1000), "float64"), ((1024, 1024), "float32"), ((64, 16384), "float32")):
        x = drawn(size, dtype)
        yield f"rfft {size[0]}x{size[1]} {dtype}", lambda a: tc.fft.rfft(a), lambda a: scipy.fft.rfft(a, workers=1), (x,)
        h = np.fft.rfft(x).astype("complex64" if dtype == "float32" else "complex128")
        yield f"irfft {size[0]}x{size[1]} {dtype}", lambda a: tc.fft.irfft(a), lambda a: scipy.fft.irfft(a, workers=1), (h,)
    for size in ((1024, 1024), (64, 16384), (1, 1048576)):
        h = drawn((size[1],), "complex64")
        yield (f"filter {size[0]}x{size[1]} complex64", lambda a, b: tc.fft.ifft(tc.fft.fft(a) * b),
               lambda a, b: scipy.fft.ifft(scipy.fft.fft(a, workers=1) * b, workers=1), (drawn(size, "complex64"), h))  # fmt: skip
        h = drawn((size[1] // 2 + 1,), "complex64")
        yield (f"filter {size[0]}x{size[1]} float32", lambda a, b: tc.fft.irfft(tc.fft.rfft(a) * b),
               lambda a, b: scipy.fft.irfft(scipy.fft.rfft(a, workers=1) * b, workers=1), (drawn(size, "float32"), h))  # fmt: skip
    for dtype in ("complex64", "complex128"):
        yield f"matmul 512 {dtype}", lambda a, b: a @ b, lambda a, b: a @ b, (drawn((512, 512), dtype), drawn((512, 512), dtype))
    z, w = drawn(4 << 20, "complex64"), drawn(4 << 20, "complex64")
    yield "chain 4M complex64 beside a copy", lambda a, b: (a * 1.5j + 2) * a, lambda a, b: np.array(a), (z, w)
    yield "chain 4M complex64", lambda a, b: (a * b + 2j) * a, lambda a, b: (a * b + np.complex64(2j)) * a, (z, w)
    yield "abs 4M complex64", lambda a, b: tc.abs(a), lambda a, b: np.abs(a), (z, w)


def main():
    print("| work | judge ms | tensorc ms | ratio |\n|---|---|---|---|")
    for name, ours, theirs, arrays in rows():
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        inputs = [tc.asarray(x) for x in arrays]
        mine = seconds(lambda: tc.eval(ours(*inputs)))
        judge = seconds(lambda: theirs(*arrays))
        print(f"| {name} | {judge * 1e3:.3f} | {mine * 1e3:.3f} | {judge / mine:.2f} |", flush=True)


main()
