"""Finds the size from which a matrix product is faster on a GPU than on the CPU, including the transfers.

If there is no GPU, the simulated GPU is used. Its times do not correspond to hardware.
"""

import sys
import time

import tensorc as tc


@tc.jit
def product(a, b):
    return tc.maximum(a @ b, 0.0)


def seconds(a, b, device):
    """Returns the seconds of one call including both transfers, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        result = product(a.to(device), b.to(device)).cpu().eval()
        best = min(best, time.perf_counter() - start)
    return best, result


def main(sizes=(16, 32, 64)):
    gpu = "cuda:0" if tc.cuda.is_available() else "sim:0"
    print(f"{'n':>6} {'cpu ms':>10} {gpu + ' ms':>12}")
    for n in sizes:
        keys = tc.random.split(tc.random.key(n))
        a, b = (tc.random.normal(k, (n, n)).eval() for k in keys)
        (cpu, first), (other, second) = seconds(a, b, "cpu"), seconds(a, b, gpu)
        assert float(tc.max(tc.abs(first - second))) < 1e-3 * n
        print(f"{n:6} {cpu * 1e3:10.3f} {other * 1e3:12.3f}")


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or (16, 32, 64))
