"""Compares tc.vectorize with numba.vectorize, and a particle simulation with numba.njit. Prints the CPU time of a call
on one thread, without the compilation.

    TENSORC_NUM_THREADS=1 PYTHONPATH=build/python:tests/python python3 benchmarks/python_kernels.py
"""

import math
import time

import numba
import numpy as np

import tensorc as tc
from test_vectorize import mandelbrot


def call_price(price, strike, years):
    d1 = (math.log(price / strike) + (0.02 + 0.3 * 0.3 / 2) * years) / (0.3 * math.sqrt(years))
    d2 = d1 - 0.3 * math.sqrt(years)
    upper = 0.5 * (1 + math.erf(d1 / math.sqrt(2.0)))
    lower = 0.5 * (1 + math.erf(d2 / math.sqrt(2.0)))
    return price * upper - strike * math.exp(-0.02 * years) * lower


def force(dx, dy, dz, mass):
    d2 = dx * dx + dy * dy + dz * dz + 0.01
    return mass / (d2 * math.sqrt(d2))


def accelerations(positions, masses):
    """Returns the accelerations of particles whose 3 coordinates are the last dim."""
    d = positions[None] - positions[:, None]
    d2 = tc.sum(d * d, axis=2) + 0.01
    return tc.sum(d * (masses / (d2 * tc.sqrt(d2)))[:, :, None], axis=1)


@numba.njit
def accelerations_in_loops(positions, masses):
    result = np.zeros_like(positions)
    for i in range(len(positions)):
        for j in range(len(positions)):
            dx = positions[j, 0] - positions[i, 0]
            dy = positions[j, 1] - positions[i, 1]
            dz = positions[j, 2] - positions[i, 2]
            d2 = dx * dx + dy * dy + dz * dz + np.float32(0.01)
            w = masses[j] / (d2 * np.sqrt(d2))
            result[i, 0] += dx * w
            result[i, 1] += dy * w
            result[i, 2] += dz * w
    return result


def measured(call):
    call()
    times = []
    for _ in range(5):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times) * 1e3


def main():
    random = np.random.default_rng(0)
    n = 1 << 20
    f32 = lambda low, high, *shape: random.uniform(low, high, shape).astype(np.float32)  # noqa: E731
    x, y = np.meshgrid(np.linspace(-2, 1, 1024, dtype=np.float32), np.linspace(-1.5, 1.5, 1024, dtype=np.float32))
    cases = {
        "mandelbrot, 1024 x 1024, 40 steps": (mandelbrot, (x, y), "int64(float32, float32)"),
        "black-scholes, 2^20": (call_price, (f32(5, 30, n), f32(1, 100, n), f32(0.2, 10, n)), "float32(float32, float32, float32)"),
        "n-body's forces, 1024 x 1024": (force, tuple(f32(-1, 1, 1024, 1024) for _ in range(4)),
                                         "float32(float32, float32, float32, float32)"),
    }  # fmt: skip
    print("| | tensorc ms | numba ms | ratio |\n|---|---|---|---|")
    for name, (function, arrays, signature) in cases.items():
        ours, theirs = tc.vectorize(function), numba.vectorize([signature])(function)
        given = [tc.asarray(a) for a in arrays]
        a, b = measured(lambda: ours(*given).eval()), measured(lambda: theirs(*arrays))
        print(f"| {name} | {a:.1f} | {b:.1f} | {b / a:.2f} |", flush=True)
    arrays = f32(-1, 1, 1024, 3), f32(0, 1, 1024)
    ours, given = tc.jit(accelerations), [tc.asarray(a) for a in arrays]
    np.testing.assert_allclose(ours(*given), accelerations_in_loops(*arrays), rtol=1e-3, atol=1e-3)
    a, b = measured(lambda: ours(*given).eval()), measured(lambda: accelerations_in_loops(*arrays))
    print(f"| 1024 particles, positions [n, 3] | {a:.2f} | {b:.2f} | {b / a:.2f} |", flush=True)


if __name__ == "__main__":
    main()
