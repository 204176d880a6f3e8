"""Draws a picture and convolves it with Sobel's kernels to find edges. If Matplotlib is installed, writes a file:
picture.py OUT.png"""

import sys

import tensorc as tc
from tensorc import nn


@tc.vectorize
def escape(cr, ci):
    """Returns the number of steps after which a point leaves the circle of radius 2 in the iteration of the Mandelbrot
    set."""
    zr = zi = 0.0
    for i in range(50):
        if zr * zr + zi * zi > 4:
            return i
        zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
    return 50


@tc.jit
def edges(picture):
    sobel = tc.asarray([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
    kernels = tc.stack([sobel, sobel.T])[:, None]
    gradient = nn.conv(picture[None, None], kernels, padding="same")[0]
    return tc.hypot(gradient[0], gradient[1])


def main(size=128, path=None):
    x, y = tc.linspace(-2.0, 0.8, size), tc.linspace(-1.4, 1.4, size)
    picture = escape(x[None, :], y[:, None]).astype(tc.float32)
    lines = edges(picture)
    for row in (lines[:: size // 16, :: size // 32] > 20).tolist():
        print("".join(" #"[v] for v in row))
    if path:
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            print("Matplotlib is not installed: nothing is drawn")
            return
        figure, axes = plt.subplots(1, 2)
        for axis, values in zip(axes, (picture, lines)):
            axis.imshow(values.numpy())
        figure.savefig(path)


if __name__ == "__main__":
    main(path=sys.argv[1] if len(sys.argv) > 1 else None)
