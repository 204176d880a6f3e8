"""A slow and a fast program for a kernel density: y[i] is the sum over j of exp(-|x_i - c_j|^2 / 512) w[j].

docs/report.md analyses both programs with the reports of `tensorc explain --measure --html`.

    python examples/python/density.py FOLDER
"""

import pathlib
import sys

import tensorc as tc


def slow(x, c, w):
    """Subtracts each point from each centre."""
    difference = x[:, None, :] - c[None, :, :]
    distance = tc.sum(difference * difference, axis=2)
    return tc.matmul(tc.exp(distance / -512), w)


def fast(x, c, w):
    """Uses |x - c|^2 = |x|^2 - 2 x.c + |c|^2, so that most of the work is a matrix product."""
    distance = tc.sum(x * x, axis=1)[:, None] - 2 * tc.matmul(x, c.mT) + tc.sum(c * c, axis=1)
    return tc.matmul(tc.exp(distance / -512), w)


def main(folder):
    """Writes both programs and prints the difference of their results."""
    shapes = [(2000, 256), (1000, 256), (1000,)]
    for function in (slow, fast):
        tc.compile_to(function, pathlib.Path(folder) / f"{function.__name__}.mlir", *(tc.Input(tc.float32, shape) for shape in shapes))
    arguments = [tc.random.normal(key, shape) for key, shape in zip(tc.random.split(tc.random.key(0), 3), shapes)]
    expected = slow(*arguments)
    error = float(tc.max(tc.abs(fast(*arguments) - expected)) / tc.max(tc.abs(expected)))
    print(f"relative difference below 1e-5: {error < 1e-5}")


if __name__ == "__main__":
    main(sys.argv[1])
