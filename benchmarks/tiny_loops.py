#!/usr/bin/env python3
"""Compares loops of tiny steps with JAX and C on the CPU, in one run.

  PYTHONPATH=build/python python3 benchmarks/tiny_loops.py         all rows, as a table
  ... tiny_loops.py --only=garch --rounds=9                        some rows
  ... tiny_loops.py --output=table.csv                             the table as a file

The Python interpreter needs JAX, and a C compiler must be installed (CC, or else cc). tensorc and JAX run the same
Python functions. The C functions are written by hand and compiled with -O3 -march=native. Results are compared before a
row is timed. The libraries take turns. A time is the median over all rounds of the CPU time of a call on one thread,
including the call overhead of each library (about 5 us for tensorc and JAX). Loops are so long that no branch predictor
learns their inputs. A first call includes recording and compilation.
"""

import argparse
import csv
import ctypes
import os
import statistics
import subprocess
import tempfile
import time

os.environ["TENSORC_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import tensorc as tc  # noqa: E402
from compare import processor  # noqa: E402

jax.config.update("jax_default_matmul_precision", "highest")
jax.config.update("jax_cpu_enable_async_dispatch", False)
draw = np.random.default_rng(0)


def normal(*shape, scale=1.0):
    return (draw.standard_normal(shape) * scale).astype(np.float32)


class Ours:
    """Functions whose names or parameters differ between the two libraries. All other functions have the same names."""

    xp, fori, scan, grad = tc, staticmethod(tc.fori_loop), staticmethod(tc.scan), staticmethod(tc.value_and_grad)
    repeat, vmap = staticmethod(tc.while_loop), staticmethod(tc.vmap)


class Jax:
    xp, fori, scan, grad = jnp, staticmethod(jax.lax.fori_loop), staticmethod(jax.lax.scan), staticmethod(jax.value_and_grad)
    repeat, vmap = staticmethod(jax.lax.while_loop), staticmethod(jax.vmap)


# Each function makes a function of one library. The C function of the same name takes the same arrays, followed by the
# arrays for its results.


def lorenz(lib, steps):
    def slope(x, y, z):
        return 10.0 * (y - x), x * (28.0 - z) - y, x * y - (8.0 / 3.0) * z

    def step(_, s):
        h = 1e-3
        k1 = slope(*s)
        k2 = slope(*(a + 0.5 * h * k for a, k in zip(s, k1, strict=True)))
        k3 = slope(*(a + 0.5 * h * k for a, k in zip(s, k2, strict=True)))
        k4 = slope(*(a + h * k for a, k in zip(s, k3, strict=True)))
        return tuple(a + h / 6.0 * (p + 2.0 * q + 2.0 * r + t) for a, p, q, r, t in zip(s, k1, k2, k3, k4, strict=True))

    return lambda s: lib.xp.stack(lib.fori(0, steps, step, (s[0], s[1], s[2])))


def rk4(lib):
    """Lorenz' equations, 10,000 steps."""
    return lorenz(lib, 10000)


def rk4_vmapped(lib):
    """Like rk4, from 64 initial states, with 1,000 steps."""
    return lib.vmap(lorenz(lib, 1000))


def adaptive(lib):
    """Integrates van der Pol's equation to t = 50 by the method of Bogacki and Shampine, which adapts the step size to
    the error."""

    def slope(x, v):
        return v, 2.0 * (1.0 - x * x) * v - x

    def step(s):
        t, h, x, v = s
        a, b = slope(x, v)
        c, d = slope(x + 0.5 * h * a, v + 0.5 * h * b)
        e, f = slope(x + 0.75 * h * c, v + 0.75 * h * d)
        x1, v1 = x + h * (2 / 9 * a + 1 / 3 * c + 4 / 9 * e), v + h * (2 / 9 * b + 1 / 3 * d + 4 / 9 * f)
        p, q = slope(x1, v1)
        differences = (5 / 72 * k1 - 1 / 12 * k2 - 1 / 9 * k3 + 1 / 8 * k4 for k1, k2, k3, k4 in ((a, c, e, p), (b, d, f, q)))
        off = lib.xp.maximum(*(lib.xp.abs(h * k) for k in differences)) * 1e5 + 1e-10
        good = off <= 1.0
        grown = h * lib.xp.minimum(lib.xp.maximum(0.9 / lib.xp.sqrt(off), 0.2), 5.0)
        return lib.xp.where(good, t + h, t), grown, lib.xp.where(good, x1, x), lib.xp.where(good, v1, v)

    def run(s):
        return lib.xp.stack(lib.repeat(lambda s: s[0] < 50.0, step, (s[0], s[1], s[2], s[3])))

    return run


def kalman(lib):
    """A Kalman filter with four state variables and one measurement per step, for 1,000 steps."""

    def run(f, q, h, zs):
        def step(state, z):
            x, p = state
            x, p = f @ x, f @ p @ f.T + q
            ph = p @ h
            gain = ph / (lib.xp.sum(h * ph) + 0.1)
            return (x + gain * (z - lib.xp.sum(h * x)), p - gain[:, None] * ph[None, :]), x[0]

        (x, _), _ = lib.scan(step, (lib.xp.zeros((4,), dtype=lib.xp.float32), lib.xp.eye(4, dtype=lib.xp.float32)), zs)
        return x

    return run


def hmm(lib):
    """The likelihood of 1,000 observations of a hidden Markov model with 16 states."""

    def run(transition, likelihoods):
        def step(state, seen):
            alpha, total = state
            alpha = (alpha @ transition) * seen
            scale = lib.xp.sum(alpha)
            return (alpha / scale, total + lib.xp.log(scale)), scale

        (_, total), _ = lib.scan(step, (lib.xp.full((16,), 1 / 16, dtype=lib.xp.float32), lib.xp.zeros((), dtype=lib.xp.float32)), likelihoods)
        return total

    return run


def rnn(lib):
    """tanh(W h + x) of 32, 1,000 steps."""

    def run(w, xs):
        def step(h, x):
            h = lib.xp.tanh(w @ h + x)
            return h, h[0]

        return lib.scan(step, lib.xp.zeros((32,), dtype=lib.xp.float32), xs)[0]

    return run


def thomas(lib):
    """A tridiagonal system of 10,000."""

    def run(a, b, c, d):
        def forward(state, row):
            before, solved = state
            low, mid, high, right = row
            scale = mid - low * before
            made = (high / scale, (right - low * solved) / scale)
            return made, made

        def back(x, row):
            upper, solved = row
            x = solved - upper * x
            return x, x

        zero = lib.xp.zeros((), dtype=lib.xp.float32)
        _, (upper, solved) = lib.scan(forward, (zero, zero), (a, b, c, d))
        _, x = lib.scan(back, zero, (lib.xp.flip(upper), lib.xp.flip(solved)))
        return lib.xp.flip(x)

    return run


def likelihood(lib):
    def run(p, returns):
        def step(state, r):
            variance, total = state
            total = total + lib.xp.log(variance) + r * r / variance
            return (p[0] + p[1] * r * r + p[2] * variance, total), total

        (_, total), _ = lib.scan(step, (lib.xp.ones((), dtype=lib.xp.float32), lib.xp.zeros((), dtype=lib.xp.float32)), returns)
        return 0.5 * total

    return run


def garch(lib):
    """The likelihood of 20,000 returns in the GARCH(1, 1) model."""
    return likelihood(lib)


def garch_gradient(lib):
    """The gradient of the likelihood in the GARCH(1, 1) model."""
    return lambda p, returns: lib.grad(likelihood(lib))(p, returns)[1]


def bodies(lib):
    """Eight bodies, 1,000 steps."""

    def run(x, v):
        def step(_, s):
            x, v = s
            d = x[None, :, :] - x[:, None, :]
            square = lib.xp.sum(d * d, axis=2) + 0.01
            force = lib.xp.sum(d / (square * lib.xp.sqrt(square))[:, :, None], axis=1)
            v = v + 1e-3 * force
            return x + 1e-3 * v, v

        return lib.fori(0, 1000, step, (x, v))[0]

    return run


def metropolis(lib):
    """100,000 steps of a random walk over a normal density. Its random numbers are drawn in advance."""

    def run(moves, chances):
        def step(state, drawn):
            x, total = state
            move, chance = drawn
            tried = x + move
            x = lib.xp.where(chance < 0.5 * (x * x - tried * tried), tried, x)
            return (x, total + x), x

        zero = lib.xp.zeros((), dtype=lib.xp.float32)
        (_, total), _ = lib.scan(step, (zero, zero), (moves, chances))
        return total

    return run


C = r"""
#include <math.h>
#include <string.h>
static void slope(const float *s, float *k) {
  k[0] = 10.f * (s[1] - s[0]); k[1] = s[0] * (28.f - s[2]) - s[1]; k[2] = s[0] * s[1] - 8.f / 3.f * s[2];
}
void rk4(const float *start, float *out) {
  float s[3], t[3], k1[3], k2[3], k3[3], k4[3], h = 1e-3f;
  memcpy(s, start, sizeof s);
  for (int n = 0; n < 10000; ++n) {
    slope(s, k1);
    for (int i = 0; i < 3; ++i) t[i] = s[i] + 0.5f * h * k1[i];
    slope(t, k2);
    for (int i = 0; i < 3; ++i) t[i] = s[i] + 0.5f * h * k2[i];
    slope(t, k3);
    for (int i = 0; i < 3; ++i) t[i] = s[i] + h * k3[i];
    slope(t, k4);
    for (int i = 0; i < 3; ++i) s[i] += h / 6.f * (k1[i] + 2.f * k2[i] + 2.f * k3[i] + k4[i]);
  }
  memcpy(out, s, sizeof s);
}
void rk4_vmapped(const float *start, float *out) {
  float s[3][64], h = 1e-3f;
  for (int i = 0; i < 3; ++i) for (int l = 0; l < 64; ++l) s[i][l] = start[3 * l + i];
  for (int n = 0; n < 1000; ++n)
    for (int l = 0; l < 64; ++l) {
      float y[3] = {s[0][l], s[1][l], s[2][l]}, t[3], k1[3], k2[3], k3[3], k4[3];
      slope(y, k1);
      for (int i = 0; i < 3; ++i) t[i] = y[i] + 0.5f * h * k1[i];
      slope(t, k2);
      for (int i = 0; i < 3; ++i) t[i] = y[i] + 0.5f * h * k2[i];
      slope(t, k3);
      for (int i = 0; i < 3; ++i) t[i] = y[i] + h * k3[i];
      slope(t, k4);
      for (int i = 0; i < 3; ++i) s[i][l] = y[i] + h / 6.f * (k1[i] + 2.f * k2[i] + 2.f * k3[i] + k4[i]);
    }
  for (int i = 0; i < 3; ++i) for (int l = 0; l < 64; ++l) out[3 * l + i] = s[i][l];
}
static void pol(float x, float v, float *a, float *b) { *a = v; *b = 2.f * (1.f - x * x) * v - x; }
void adaptive(const float *start, float *out) {
  float t = start[0], h = start[1], x = start[2], v = start[3];
  while (t < 50.f) {
    float a, b, c, d, e, f, p, q;
    pol(x, v, &a, &b);
    pol(x + 0.5f * h * a, v + 0.5f * h * b, &c, &d);
    pol(x + 0.75f * h * c, v + 0.75f * h * d, &e, &f);
    float x1 = x + h * (2.f / 9 * a + 1.f / 3 * c + 4.f / 9 * e), v1 = v + h * (2.f / 9 * b + 1.f / 3 * d + 4.f / 9 * f);
    pol(x1, v1, &p, &q);
    float r = fabsf(h * (5.f / 72 * a - 1.f / 12 * c - 1.f / 9 * e + 1.f / 8 * p));
    float u = fabsf(h * (5.f / 72 * b - 1.f / 12 * d - 1.f / 9 * f + 1.f / 8 * q));
    float off = (r > u ? r : u) * 1e5f + 1e-10f, g = 0.9f / sqrtf(off);
    if (off <= 1.f) t += h, x = x1, v = v1;
    h *= g < 0.2f ? 0.2f : g > 5.f ? 5.f : g;
  }
  out[0] = t; out[1] = h; out[2] = x; out[3] = v;
}
void kalman(const float *f, const float *q, const float *h, const float *zs, float *out) {
  float x[4] = {0}, p[16] = {0};
  for (int i = 0; i < 4; ++i) p[5 * i] = 1;
  for (int n = 0; n < 1000; ++n) {
    float y[4] = {0}, a[16] = {0}, r[16] = {0}, ph[4] = {0}, s = 0, e = 0;
    for (int i = 0; i < 4; ++i) for (int k = 0; k < 4; ++k) y[i] += f[4 * i + k] * x[k];
    for (int i = 0; i < 4; ++i) for (int k = 0; k < 4; ++k) for (int j = 0; j < 4; ++j) a[4 * i + j] += f[4 * i + k] * p[4 * k + j];
    for (int i = 0; i < 4; ++i) for (int k = 0; k < 4; ++k) for (int j = 0; j < 4; ++j) r[4 * i + j] += a[4 * i + k] * f[4 * j + k];
    for (int i = 0; i < 16; ++i) r[i] += q[i];
    for (int i = 0; i < 4; ++i) for (int k = 0; k < 4; ++k) ph[i] += r[4 * i + k] * h[k];
    for (int i = 0; i < 4; ++i) s += h[i] * ph[i], e += h[i] * y[i];
    s += 0.1f; e = zs[n] - e;
    for (int i = 0; i < 4; ++i) x[i] = y[i] + ph[i] / s * e;
    for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) p[4 * i + j] = r[4 * i + j] - ph[i] / s * ph[j];
  }
  memcpy(out, x, sizeof x);
}
void hmm(const float *t, const float *seen, float *out) {
  float a[16], total = 0;
  for (int i = 0; i < 16; ++i) a[i] = 1.f / 16;
  for (int n = 0; n < 1000; ++n) {
    float b[16] = {0}, s = 0;
    for (int k = 0; k < 16; ++k) for (int i = 0; i < 16; ++i) b[i] += a[k] * t[16 * k + i];
    for (int i = 0; i < 16; ++i) b[i] *= seen[16 * n + i];
    for (int i = 0; i < 16; ++i) s += b[i];
    for (int i = 0; i < 16; ++i) a[i] = b[i] / s;
    total += logf(s);
  }
  *out = total;
}
void rnn(const float *w, const float *xs, float *out) {
  float h[32] = {0}, t[32 * 32];
  for (int i = 0; i < 32; ++i) for (int k = 0; k < 32; ++k) t[32 * k + i] = w[32 * i + k];
  for (int n = 0; n < 1000; ++n) {
    float y[32];
    memcpy(y, xs + 32 * n, sizeof y);
    for (int k = 0; k < 32; ++k) for (int i = 0; i < 32; ++i) y[i] += t[32 * k + i] * h[k];
    for (int i = 0; i < 32; ++i) h[i] = tanhf(y[i]);
  }
  memcpy(out, h, sizeof h);
}
void thomas(const float *a, const float *b, const float *c, const float *d, float *out) {
  static float u[10000], s[10000];
  float before = 0, solved = 0, x = 0;
  for (int n = 0; n < 10000; ++n) {
    float scale = b[n] - a[n] * before;
    u[n] = before = c[n] / scale;
    s[n] = solved = (d[n] - a[n] * solved) / scale;
  }
  for (int n = 9999; n >= 0; --n) out[n] = x = s[n] - u[n] * x;
}
void garch(const float *p, const float *r, float *out) {
  float v = 1, total = 0;
  for (int n = 0; n < 20000; ++n) {
    total += logf(v) + r[n] * r[n] / v;
    v = p[0] + p[1] * r[n] * r[n] + p[2] * v;
  }
  *out = 0.5f * total;
}
void garch_gradient(const float *p, const float *r, float *out) {
  static float v[20000];
  float now = 1, g[3] = {0}, d = 0;
  for (int n = 0; n < 20000; ++n) { v[n] = now; now = p[0] + p[1] * r[n] * r[n] + p[2] * now; }
  for (int n = 19999; n >= 0; --n) {
    g[0] += d; g[1] += d * r[n] * r[n]; g[2] += d * v[n];
    d = d * p[2] + 0.5f * (1 / v[n] - r[n] * r[n] / (v[n] * v[n]));
  }
  memcpy(out, g, sizeof g);
}
void bodies(const float *x0, const float *v0, float *out) {
  float x[24], v[24];
  memcpy(x, x0, sizeof x); memcpy(v, v0, sizeof v);
  for (int n = 0; n < 1000; ++n) {
    for (int i = 0; i < 8; ++i) {
      float f[3] = {0};
      for (int j = 0; j < 8; ++j) {
        float a = x[3 * j] - x[3 * i], b = x[3 * j + 1] - x[3 * i + 1], c = x[3 * j + 2] - x[3 * i + 2], s = a * a + b * b + c * c + 0.01f;
        float w = 1 / (s * sqrtf(s));
        f[0] += a * w; f[1] += b * w; f[2] += c * w;
      }
      for (int k = 0; k < 3; ++k) v[3 * i + k] += 1e-3f * f[k];
    }
    for (int i = 0; i < 24; ++i) x[i] += 1e-3f * v[i];
  }
  memcpy(out, x, sizeof x);
}
void metropolis(const float *moves, const float *chances, float *out) {
  float x = 0, total = 0;
  for (int n = 0; n < 100000; ++n) {
    float tried = x + moves[n];
    if (chances[n] < 0.5f * (x * x - tried * tried)) x = tried;
    total += x;
  }
  *out = total;
}
"""

SCALE = np.float32(0.1)
ROWS = [
    (rk4, [np.ones(3, np.float32)], (3,)),
    (rk4_vmapped, [np.ones((64, 3), np.float32) + normal(64, 3, scale=0.1)], (64, 3)),
    (adaptive, [np.array([0, 0.01, 2, 0], np.float32)], (4,)),
    (kalman, [np.eye(4, dtype=np.float32) * 9 * SCALE + np.eye(4, k=1, dtype=np.float32) * SCALE, np.eye(4, dtype=np.float32) * SCALE,
              np.array([1, 0, 0, 0], np.float32), normal(1000)], (4,)),
    (hmm, [draw.dirichlet(np.ones(16), 16).astype(np.float32), draw.uniform(0.1, 1, (1000, 16)).astype(np.float32)], ()),
    (rnn, [normal(32, 32, scale=0.1), normal(1000, 32)], (32,)),
    (thomas, [normal(10000, scale=0.1), 2 + draw.random(10000).astype(np.float32), normal(10000, scale=0.1), normal(10000)], (10000,)),
    (garch, [np.array([0.1, 0.1, 0.8], np.float32), normal(20000)], ()),
    (garch_gradient, [np.array([0.1, 0.1, 0.8], np.float32), normal(20000)], (3,)),
    (bodies, [normal(8, 3), normal(8, 3, scale=0.1)], (8, 3)),
    (metropolis, [normal(100000), np.log(draw.random(100000) + 1e-9).astype(np.float32)], ()),
]  # fmt: skip


def native(folder):
    """C's functions."""
    source, made = os.path.join(folder, "loops.c"), os.path.join(folder, "loops.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write(C)
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-march=native", "-shared", "-fPIC", source, "-o", made, "-lm"], check=True)
    return ctypes.CDLL(made)


def per_call(call, count):
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count


def measure(row, library, options):
    """Returns the milliseconds of a call for each library, and those of the first calls."""
    make, arrays, shape = row
    out = np.zeros(shape, np.float32)
    pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (*arrays, out)]
    function = getattr(library, make.__name__)
    calls, first, results = {"C": lambda: function(*pointers)}, {}, {}
    calls["C"]()
    results["C"] = out
    ours, theirs = tc.jit(make(Ours)), jax.jit(make(Jax))
    given, handed = [tc.asarray(a) for a in arrays], [jnp.asarray(a) for a in arrays]
    calls["ours"] = lambda: ours(*given).eval()
    calls["JAX"] = lambda: theirs(*handed).block_until_ready()
    for side in ("ours", "JAX"):
        begin = time.perf_counter()
        results[side] = np.asarray(calls[side]())
        first[side] = (time.perf_counter() - begin) * 1e3
    for side in ("ours", "JAX"):
        # Chaotic systems amplify rounding errors.
        if not np.allclose(results[side], results["C"], rtol=2e-2, atol=1e-2):
            raise SystemExit(f"{make.__name__}: {side} has {results[side]}, C {results['C']}")
    for _ in range(40):
        calls["ours"]()  # ensures that kernels for these sizes are compiled
    counts = {side: max(1, int(options.milliseconds / 1e3 / max(per_call(call, 1), 1e-6))) for side, call in calls.items()}
    times = [{side: per_call(call, counts[side]) * 1e3 for side, call in calls.items()} for _ in range(options.rounds)]
    return {side: statistics.median(t[side] for t in times) for side in calls}, first


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="the rows whose name contains this")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--milliseconds", type=float, default=20, help="the least time of a side in a round")
    parser.add_argument("--output", help="a file for the table")
    options = parser.parse_args()
    head = ["loop", "ours, ms", "JAX, ms", "C, ms", "JAX ÷ ours", "C ÷ ours", "first call, ms", "JAX"]
    print(f"{processor()}, one thread, processor time\n\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        library = native(folder)
        for row in ROWS:
            if options.only not in row[0].__name__:
                continue
            ms, first = measure(row, library, options)
            lines.append([row[0].__name__.replace("_", " "), f"{ms['ours']:.4f}", f"{ms['JAX']:.4f}", f"{ms['C']:.4f}", f"{ms['JAX'] / ms['ours']:.2f}",
                          f"{ms['C'] / ms['ours']:.2f}", f"{first['ours']:.0f}", f"{first['JAX']:.0f}"])  # fmt: skip
            print("| " + " | ".join(lines[-1]) + " |", flush=True)
    if options.output:
        with open(options.output, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([head, *lines])


if __name__ == "__main__":
    main()
