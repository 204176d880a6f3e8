#!/usr/bin/env python3
"""Minimax polynomials of the math expansions (needs mpmath).

Prints C++ coefficient lists, lowest degree first, and the largest weighted error. The method is the Remez exchange. The
first coefficients are rounded to the target's precision one by one, and the others are fitted again, so that the
rounded polynomial is nearly as good as the exact one.
"""
import struct
import sys
from mpmath import mp, mpf, cos, exp, expm1, log, erf, erfc, matrix, lu_solve, pi, sin, sqrt, tanh

mp.dps = 60


def to_f32(c):
    return mpf(struct.unpack("f", struct.pack("f", float(c)))[0])


def to_f64(c):
    return mpf(float(c))


def extrema(err, a, b, n):
    """Returns points of alternating extremal error, at least n."""
    grid = 24 * n
    xs = [(a + b) / 2 - (b - a) / 2 * cos(pi * i / grid) for i in range(grid + 1)]
    es = [err(x) for x in xs]
    runs = []
    for x, e in zip(xs, es):
        if runs and (e > 0) == (runs[-1][1] > 0):
            if abs(e) > abs(runs[-1][1]):
                runs[-1] = (x, e)
        else:
            runs.append((x, e))
    while len(runs) > n:
        runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
    return runs


def remez(f, weight, a, b, degrees):
    n = len(degrees) + 1
    points = [(a + b) / 2 - (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    best = None
    for _ in range(12):
        m, rhs = matrix(n, n), matrix(n, 1)
        for i, x in enumerate(points):
            for j, d in enumerate(degrees):
                m[i, j] = x**d
            m[i, n - 1] = (-1) ** i / weight(x)
            rhs[i] = f(x)
        c = lu_solve(m, rhs)
        poly = lambda x: sum(c[j] * x**d for j, d in enumerate(degrees))
        runs = extrema(lambda x: weight(x) * (f(x) - poly(x)), a, b, n)
        worst = max(abs(e) for _, e in runs)
        if best is None or worst < best[1]:
            best = ([c[j] for j in range(len(degrees))], worst)
        if len(runs) < n or worst < abs(c[n - 1]) * mpf("1.01"):
            break
        points = [x for x, _ in runs]
    return best


def fit(name, f, weight, a, b, degrees, rounding, fixed=None):
    """Fits a polynomial. `fixed` maps a degree to a coefficient that is kept."""
    known = dict(fixed or {})
    a, b = mpf(a), mpf(b)
    rest = [d for d in degrees if d not in known]
    while rest:
        g = lambda x: f(x) - sum(c * x**d for d, c in known.items())
        c, _ = remez(g, weight, a, b, rest)
        # After the third coefficient, rounding is no longer significant, and the error of a fit that must vanish to
        # high order at 0 does not alternate.
        take = 1 if len(known) < 3 else len(rest)
        known.update((d, rounding(v)) for d, v in zip(rest[:take], c))
        rest = rest[take:]
    points = [a + (b - a) * i / 1000 for i in range(1, 1000)]
    worst = max(abs(weight(x) * (f(x) - sum(c * x**d for d, c in known.items()))) for x in points)
    text = ", ".join(repr(float(known[d])) for d in degrees)
    print(f"// {name}: 2^{float(log(worst, 2)):.1f}\n{{{text}}}", flush=True)


def exp_tail(r):
    return (expm1(r) - r) / r**2 if abs(r) > mpf(10) ** -15 else mpf(1) / 2


def exp_weight(r):
    return abs(r) + mpf(10) ** -12


LN2_2 = log(2) / 2 * mpf("1.001")
R2 = sqrt(mpf(2)) - 1 + mpf(10) ** -9
R1 = sqrt(mpf(1) / 2) - 1 - mpf(10) ** -9
FITS = {
    # exp(r) = 1 + r + r^2 Q(r), for exp and expm1
    "exp32": lambda: fit("exp f32, Q", exp_tail, exp_weight, -LN2_2, LN2_2, range(5), to_f32),
    "exp64": lambda: fit("exp f64, Q", exp_tail, exp_weight, -LN2_2, LN2_2, range(11), to_f64),
    # for powf, whose f64 arithmetic needs an error below 2^-33
    "exp2short": lambda: fit("exp2 to 2^-34", lambda x: exp(x * log(2)), lambda x: exp(-x * log(2)), -0.5, 0.5, range(8), to_f64),
    "logshort": lambda: fit("log, P(s^2) to 2^-43", lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) - 2 * sqrt(z)) / sqrt(z) ** 3,
                            lambda z: z, mpf("1e-8"), mpf("0.02945"), range(5), to_f64),
    "exp2_32": lambda: fit("exp2 f32", lambda x: exp(x * log(2)), lambda x: exp(-x * log(2)), -0.5, 0.5, range(7), to_f32, {0: mpf(1)}),
    "exp2_64": lambda: fit("exp2 f64", lambda x: exp(x * log(2)), lambda x: exp(-x * log(2)), -0.5, 0.5, range(13), to_f64, {0: mpf(1)}),
    # log(1+f) = f - f^2/2 + f^3 P(f)
    "log32": lambda: fit("log f32, P", lambda x: (log(1 + x) - x + x * x / 2) / x**3 if abs(x) > mpf(10)**-15 else mpf(1) / 3,
                         lambda x: abs(x**3 / log(1 + x)) + mpf(10) ** -12, R1, R2, range(9), to_f32),
    # log((1+s)/(1-s)) = 2s + s^3 P(s^2)
    "log64": lambda: fit("log f64, P(s^2)", lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) - 2 * sqrt(z)) / sqrt(z) ** 3,
                         lambda z: z, mpf("1e-8"), mpf("0.02945"), range(7), to_f64),
    "log64long": lambda: fit("log f64, P(s^2) of log(m) = 2s (1 + z/3 + z^2 P)", lambda z: ((log((1 + sqrt(z)) / (1 - sqrt(z))) - 2 * sqrt(z)) / sqrt(z) ** 3 - mpf(2) / 3) / z / 2,
                         lambda z: mpf(1), mpf("1e-6"), mpf("0.02945"), range(8), to_f64),
    "tanh32": lambda: fit("tanh f32, P(x^2)", lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z if z else -mpf(1) / 3,
                          lambda z: z, mpf("1e-10"), mpf("0.3969"), range(6), to_f32),
    "tanh64": lambda: fit("tanh f64, P(x^2)", lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z,
                          mpf("1e-12"), mpf("0.3969"), range(14), to_f64),
    # -log(erfc(x)) = x + x P(x)
    "erf32": lambda: fit("erf f32, P(x)", lambda x: -log(erfc(x)) / x - 1, lambda x: x * erfc(x) / erf(x),
                         mpf("1e-7"), mpf("3.95"), range(10), to_f32),
    "erf64": lambda: fit("erf f64, P(x^2)", lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: mpf(1),
                         mpf("1e-12"), mpf("0.86"), range(13), to_f64),
    "erfc64": lambda: fit("-log(erfc(x))/x f64 in (x-3.46)/2.54", lambda t: -log(erfc(mpf("3.46") + mpf("2.54") * t)) / (mpf("3.46") + mpf("2.54") * t),
                          lambda t: erfc(mpf("3.46") + mpf("2.54") * t) , mpf(-1), mpf(1), range(24), to_f64),
    "sin32": lambda: fit("sin f32, P(x^2)", lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z, mpf("1e-10"), mpf("0.6170"), range(4), to_f32),
    "cos32": lambda: fit("cos f32, P(x^2)", lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: z**2, mpf("1e-10"), mpf("0.6170"), range(3), to_f32),
    "sin64": lambda: fit("sin f64, P(x^2)", lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z, mpf("1e-12"), mpf("0.6170"), range(7), to_f64),
    "cos64": lambda: fit("cos f64, P(x^2)", lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: z**2, mpf("1e-12"), mpf("0.6170"), range(7), to_f64),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or FITS:
        FITS[name]()
