"""Measures the CPU time of a call from Python: PYTHONPATH=build/python python3 benchmarks/python_calls.py

With --peers also measures calls of jax.jit and of compiled PyTorch. These are medians of rounds in which the libraries
take turns, on one thread.
"""

import os
import statistics
import subprocess
import sys
import time
import timeit

if "--peers" in sys.argv:
    os.environ["TENSORC_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np  # noqa: E402

import tensorc as tc  # noqa: E402


def microseconds(call, number=20000):
    return min(timeit.repeat(call, number=number, repeat=9, timer=time.process_time)) / number * 1e6


def beside_peers():
    """Measures `x * y + 1` on two arrays of 4 elements, and 5 operations on 1,000 elements."""
    import jax
    import torch

    torch.set_num_threads(1)

    def small(x, y):
        return x * y + 1

    def five(x, y):
        return (x + y) * x - y * 2 + 1

    def timed(call, number=2000):
        return timeit.timeit(call, number=number, timer=time.process_time) / number * 1e6

    print("| call | tensorc, us | jax.jit | torch.compile | NumPy | times as fast |\n|---|---|---|---|---|---|")
    for name, f, size in (("`x * y + 1`, 4 elements", small, 4), ("5 operations, 1,000 elements", five, 1000)):
        data = np.ones(size, np.float32)
        t, j, p = tc.asarray(data).eval(), jax.numpy.asarray(data), torch.from_numpy(data.copy())
        ours, jaxs, torchs = tc.jit(f), jax.jit(f), torch.compile(f)
        with torch.no_grad():
            sides = [lambda: ours(t, t), lambda: jaxs(j, j), lambda: torchs(p, p), lambda: f(data, data), lambda: f(t, t).eval()]
            for call in sides:
                timed(call)
            rounds = [[timed(call) for call in sides] for _ in range(15)]
        a, b, c, d, lazy = (statistics.median(times) for times in zip(*rounds))
        print(f"| {name} | {a:.2f} (lazy {lazy:.2f}) | {b:.2f} | {c:.2f} | {d:.2f} | {b / a:.1f}, {c / a:.1f} |", flush=True)


if "--peers" in sys.argv:
    beside_peers()
    sys.exit()

x, y = tc.ones(1000).eval(), tc.ones(1000).eval()
a, b = np.ones(1000, np.float32), np.ones(1000, np.float32)
f = tc.jit(lambda x, y: x * y + 1)
large = np.ones(1 << 28, np.float32)

print(f"jit call of two arrays of 4 elements    {microseconds(lambda x=tc.ones(4).eval(): f(x, x)):8.2f} us")
print(f"recording one operation                 {microseconds(lambda: x + y):8.2f} us")
print(f"5 operations on 1,000 elements, read    {microseconds(lambda: ((x + y) * x - y * 2 + 1).eval(), 5000):8.2f} us")
print(f"NumPy's                                 {microseconds(lambda: (a + b) * a - b * 2 + 1):8.2f} us")
print(f"1 GB in without a copy                  {microseconds(lambda: tc.asarray(large, copy=False), 100):8.2f} us")
shared = tc.asarray(large, copy=False)
print(f"1 GB out without a copy                 {microseconds(lambda: np.asarray(shared), 100):8.2f} us")
code = "import numpy, time; t = time.process_time(); import tensorc; print((time.process_time() - t) * 1e3)"
times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(9)]
print(f"import, behind NumPy's                  {min(times):8.1f} ms")
