#!/usr/bin/env python3
"""One Python program on devices of every kind: it prints the same on all, integers as they are, floats with four digits.

Devices that the machine lacks are left out, and counted. SameNumbersTest.cpp is the same in C++.
"""

import sys
import threading

import tensorc as tc


def text(x):
    values = x.cpu().flatten().tolist()
    return " ".join(str(v) if isinstance(v, int) else f"{v:.4g}" for v in values) + "\n"


def run_on(name):
    """A layer that learns a plane, a system of equations, sorts, sums and random numbers."""
    with tc.device(name):
        x = tc.sin(tc.arange(96, dtype=tc.float32) * 0.7).reshape(32, 3)
        y = x @ tc.array([1.0, -2.0, 0.5], dtype=tc.float32) + 0.25
        w, b = tc.zeros(3), tc.zeros(1)
        step = tc.value_and_grad(lambda w, b: tc.mean((x @ w + b - y) ** 2), argnums=(0, 1))
        lines = []
        for _ in range(5):
            loss, (slope_w, slope_b) = step(w, b)
            w, b = w - 0.3 * slope_w, b - 0.3 * slope_b
            lines.append(text(loss))
        lines += [text(w), text(b), text(tc.linalg.solve(x.T @ x + tc.eye(3), w))]
        noise = tc.random.normal(tc.random.key(7), (5, 40))
        lines += [text(tc.argsort(noise)), text(tc.sort(noise)), text(tc.nn.functional.softmax(noise[:2, :8], axis=1))]
        lines.append(text(tc.cumsum(tc.arange(300), axis=0)))
        return "".join(lines)


def main():
    names = ["cpu:0"] + [name for name in ("sim:0", "opencl:0", "vulkan:0") if tc.is_available(name)]
    expected = run_on("cpu:0")
    assert len(expected.split()) == 5 + 3 + 1 + 3 + 200 + 200 + 16 + 300, expected
    results = [None] * 8

    def work(i):
        try:
            results[i] = run_on(names[i % len(names)])
        except Exception as error:
            results[i] = repr(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(results))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wrong = [f"{names[i % len(names)]}:\n{result}" for i, result in enumerate(results) if result != expected]
    if wrong:
        sys.exit("cpu:0:\n" + expected + "\n".join(wrong))
    print(f"devices beside the cpu: {len(names) - 1}")


main()
