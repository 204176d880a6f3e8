"""What a call from Python costs, in processor time: PYTHONPATH=build/python python3 benchmarks/python_calls.py"""

import subprocess
import sys
import time
import timeit

import numpy as np

import tensorc as tc


def microseconds(call, number=20000):
    return min(timeit.repeat(call, number=number, repeat=9, timer=time.process_time)) / number * 1e6


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
