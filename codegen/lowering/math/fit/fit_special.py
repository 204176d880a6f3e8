#!/usr/bin/env python3
"""Coefficients of the special functions (needs mpmath): prints codegen/emitters/scalar/SpecialTables.h.

The Chebyshev series on [-1, 1] are computed by interpolation at Chebyshev nodes in 60 digits. They are evaluated by
Clenshaw's recurrence, which loses no accuracy at high degrees. The uniform expansion of the incomplete gamma functions
follows DLMF 8.12.
"""
from mpmath import besseli, cos, digamma, erfc, exp, log, loggamma, mp, mpf, pi, sqrt, stirling2, bernoulli  # noqa: F401

mp.dps = 60


def chebyshev(f, tolerance=mpf("2e-18")):
    n = 64
    nodes = [cos(pi * (k + mpf(1) / 2) / n) for k in range(n)]
    values = [f(t) for t in nodes]
    c = [2 * sum(v * cos(pi * j * (k + mpf(1) / 2) / n) for k, v in enumerate(values)) / n for j in range(n)]
    c[0] /= 2
    scale = max(abs(v) for v in values)
    while abs(c[-1]) < tolerance * scale:
        c.pop()
    return c


def show(name, comment, c):
    print(f"\n/// {comment}\nconstexpr double {name}[] = {{")
    line = "   "
    for v in c:
        word = f" {float(v)!r},"
        if len(line) + len(word) > 80:
            print(line)
            line = "   "
        line += word
    print(line.rstrip(",") + "};")


def positive_erfcx(x):
    return exp(x * x) * erfc(x) if x < 100 else sum(
        (-1) ** k * mp.fac2(2 * k - 1) / (2 * x * x) ** k for k in range(12)) / (x * sqrt(pi))


def of_erfcx(t):
    if t == 1:
        return 1 / sqrt(pi)
    x = mpf("3.75") * (1 + t) / (1 - t)
    return positive_erfcx(x) * (x + mpf(1) / 2)


ROOT = mp.findroot(digamma, mpf("1.46"))


def of_lgamma(u):
    y = u + 2
    if abs(u) < mpf("1e-40"):
        return digamma(mpf(2))
    if abs(y - 1) < mpf("1e-40"):
        return -digamma(mpf(1))
    return loggamma(y) / ((y - 1) * (y - 2))


def of_digamma(t):
    y = (t + 3) / 2
    return digamma(y) / (y - ROOT)


def tail_lgamma(t):
    z = (t + 1) / 2 / 64  # 1 / x^2
    if z == 0:
        return mpf(1) / 12
    x = 1 / sqrt(z)
    return (loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2) * x


def tail_digamma(t):
    z = (t + 1) / 2 / 64
    if z == 0:
        return mpf(1) / 12
    x = 1 / sqrt(z)
    return (log(x) - 1 / (2 * x) - digamma(x)) * x * x


def bessel(order, t):
    x = 4 * (t + 1)
    if x == 0:
        return mpf(1) if order == 0 else mpf(1) / 2
    return exp(-x) * besseli(order, x) / x**order


def bessel_tail(order, t):
    z = (t + 1) / 16
    if z < mpf("1e-4"):
        x, m = z, 4 * order * order
        term, total = mpf(1), mpf(1)
        for k in range(1, 10):
            term *= -(m - (2 * k - 1) ** 2) * x / (8 * k)
            total += term
        return total / sqrt(2 * pi)
    x = 1 / z
    return exp(-x) * besseli(order, x) * sqrt(x)


def temme(rows, columns):
    """Returns d[k][n] of DLMF 8.12.13: C_k(eta) = sum of d[k][n] eta^n."""
    most = columns + 2 * rows + 4
    alpha = [mpf(0), mpf(1), mpf(1) / 3]
    for n in range(3, most + 1):
        alpha.append((alpha[n - 1] - sum(j * alpha[j] * alpha[n + 1 - j] for j in range(2, n))) / (n + 1))
    # The coefficients of Stirling's series of the gamma function are computed from those of its logarithm.
    b = [mpf(0)] * (rows + 1)
    for k in range(1, rows + 1):
        b[k] = bernoulli(k + 1) / (k * (k + 1)) if k % 2 else mpf(0)
    g = [mpf(1)]
    for k in range(1, rows + 1):
        g.append(sum(j * b[j] * g[k - j] for j in range(1, k + 1)) / k)
    d = [[-mpf(1) / 3] + [(n + 2) * alpha[n + 2] for n in range(1, most - 2)]]
    for k in range(1, rows):
        before = d[-1]
        d.append([(-1) ** k * g[k] * d[0][n] + (n + 2) * before[n + 2] for n in range(len(before) - 2)])
    return [row[:columns] for row in d]


print("""\
//===- SpecialTables.h - Coefficients of the special functions --*- C++ -*-===//
//
// Printed by codegen/lowering/math/fit/fit_special.py. "f(x) in t" means that an
// array holds the Chebyshev coefficients of f as a function of t.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALTABLES_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALTABLES_H

namespace tensorc::codegen::tables {""")
high = mpf(float(ROOT))
print(f"\n/// The zero of digamma, in two parts.\nconstexpr double kDigammaRoot = {float(ROOT)!r};")
print(f"constexpr double kDigammaRootLow = {float(ROOT - high)!r};")
show("kErfcx", "(x + 1/2) e^(x^2) erfc(x) in (x - 3.75) / (x + 3.75).", chebyshev(of_erfcx))
show("kLgamma", "lgamma(x) / ((x - 1) (x - 2)) in x - 2.", chebyshev(of_lgamma))
show("kLgammaTail", "x times the error of Stirling's formula, in 128 / x^2 - 1.", chebyshev(tail_lgamma))
show("kDigamma", "digamma(x) / (x - root) in 2 x - 3.", chebyshev(of_digamma))
show("kDigammaTail", "x^2 (ln x - 1 / (2 x) - digamma(x)) in 128 / x^2 - 1.", chebyshev(tail_digamma))
show("kI0", "e^-x I0(x) in x / 4 - 1.", chebyshev(lambda t: bessel(0, t)))
show("kI0Tail", "sqrt(x) e^-x I0(x) in 16 / x - 1.", chebyshev(lambda t: bessel_tail(0, t)))
show("kI1", "e^-x I1(x) / x in x / 4 - 1.", chebyshev(lambda t: bessel(1, t)))
show("kI1Tail", "sqrt(x) e^-x I1(x) in 16 / x - 1.", chebyshev(lambda t: bessel_tail(1, t)))
for k, row in enumerate(temme(6, 26)):
    show(f"kTemme{k}", f"C{k} of DLMF 8.12, in powers of eta.", row)
print("\n} // namespace tensorc::codegen::tables\n\n#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALTABLES_H")
