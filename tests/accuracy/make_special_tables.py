#!/usr/bin/env python3
"""Prints special.txt: exact values of the special functions, by mpmath (1.3) in 60 digits.

A row is a function, a dtype, the arguments, and the exact value rounded to f64, as hexadecimal floats.
"""
import random
import struct

from mpmath import mp, mpf

mp.dps = 60
R = random.Random(7)


def f32(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def spread(low, high, n=14):
    """Numbers of a range, and of its lower end in the logarithm."""
    numbers = [R.uniform(low, high) for _ in range(n)]
    return numbers + [low + (high - low) * 10 ** R.uniform(-6, 0) for _ in range(n // 2)]


def powers(low, high, n=10):
    return [10 ** R.uniform(low, high) for _ in range(n)]


def both(numbers):
    return numbers + [-x for x in numbers]


def log_ndtr(x):
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2)


def ndtri(p):
    mp.dps = 400
    result = mp.sqrt(2) * mp.erfinv(2 * p - 1)
    mp.dps = 60
    return +result


def lgamma(x):
    return mp.re(mp.loggamma(x)) if x > 0 else mp.log(abs(mp.gamma(x)))


def pairs(first, second):
    return [(a, b) for a, b in zip(first, second)]


def gamma_arguments():
    near = [(a, a * R.uniform(0.5, 1.8)) for a in powers(-3, 3.2, 24)]
    large = [(a, a + a**0.5 * R.uniform(-6, 6)) for a in powers(3.3, 6, 12)]
    return near + large + pairs(powers(-2, 1), powers(-3, 1.3)) + [(1e-9, 0.3), (0.5, 1.0), (2000.0, 2000.0), (1999.5, 1500.0)]


def beta_arguments():
    a, b = powers(-2, 3, 30), powers(-2, 3, 30)
    return [(p, q, min(max(R.gauss(p / (p + q), (p * q / (p + q + 1)) ** 0.5 / (p + q)), 1e-3), 0.999)) for p, q in zip(a, b)] + [
        (0.5, 0.5, 0.25), (10.0, 20.0, 0.9), (3.0, 4.0, 1e-6), (500.0, 300.0, 0.63)]  # fmt: skip


ONE = lambda numbers: [(x,) for x in numbers]  # noqa: E731
FUNCTIONS = {
    "erfc": (mp.erfc, ONE(both(spread(0, 6)) + spread(6, 26))),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), ONE(both(spread(0, 9)) + powers(1, 4) + [-12.5])),
    "erfinv": (mp.erfinv, ONE(both(spread(0, 1)) + [1 - 2.0**-k for k in (4, 9, 15, 22)] + [1e-20])),
    "ndtr": (lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, ONE(both(spread(0, 8)) + [-12.25, -30.5, -36.0])),
    "log_ndtr": (log_ndtr, ONE(both(spread(0, 9)) + [-20.5, -100.25, -1000.5])),
    "ndtri": (ndtri, ONE(spread(0, 1, 20) + powers(-30, -2) + [1 - 2.0**-k for k in (4, 9, 15, 22)])),
    "lgamma": (lgamma, ONE(spread(0, 3, 30) + spread(3, 12) + powers(1, 9) + [-x for x in spread(0, 6) if x % 1 > 0.01])),
    "digamma": (mp.digamma, ONE(spread(0, 3, 30) + spread(3, 12) + powers(1, 9) + [-x for x in spread(0, 6) if 0.02 < x % 1 < 0.4])),
    "polygamma": (lambda n, x: mp.polygamma(int(n), x), pairs([R.randint(1, 6) for _ in range(40)], powers(-2, 3, 40))),
    "zeta": (mp.zeta, pairs([1 + x for x in powers(-2, 1.3, 40)], powers(-2, 3, 40))),
    "gammainc": (lambda a, x: mp.gammainc(a, 0, x, regularized=True), gamma_arguments()),
    "gammaincc": (lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True), gamma_arguments()),
    "betainc": (lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True), beta_arguments()),
    "bessel_i0": (lambda x: mp.besseli(0, x), ONE(both(spread(0, 8)) + spread(8, 80))),
    "bessel_i0e": (lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), ONE(both(spread(0, 8)) + powers(1, 4))),
    "bessel_i1": (lambda x: mp.besseli(1, x), ONE(both(spread(0, 8)) + spread(8, 80))),
    "bessel_i1e": (lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), ONE(both(spread(0, 8)) + powers(1, 4))),
    "sinc": (mp.sincpi, ONE(both(spread(0, 4)) + powers(1, 5))),
    "xlogy": (lambda x, y: x * mp.log(y), pairs(both(powers(-3, 3)), powers(-4, 4, 20))),
    "xlog1py": (lambda x, y: x * mp.log1p(y), pairs(both(powers(-3, 3)), powers(-9, 4, 20))),
    "log1mexp": (lambda x: mp.log(-mp.expm1(-x)), ONE(powers(-9, 1.9, 30))),
    "logit": (lambda x: mp.log(x / (1 - x)), ONE(spread(0, 1, 30) + [0.5 + x for x in powers(-7, -1)] + powers(-30, -1))),
    "entr": (lambda x: -x * mp.log(x), ONE(spread(0, 4, 30))),
}



def zeta_below(s, q):
    """The terms below 0 by themselves, for whole s."""
    steps = int(mp.ceil(-q))
    return mp.fsum((q + k) ** -int(s) for k in range(steps)) + mp.zeta(s, q + steps)


# An odd s has zeros between the poles: half of the way is left out.
BELOW = [-(R.randint(0, 40) + R.choice([R.uniform(0.05, 0.4), R.uniform(0.6, 0.95)])) for _ in range(40)] + [-1e-3, -1e3 - 0.25]
FUNCTIONS = list(FUNCTIONS.items()) + [
    ("polygamma", (lambda n, x: mp.polygamma(int(n), x), pairs([R.randint(1, 6) for _ in BELOW], BELOW))),
    ("zeta", (zeta_below, pairs([R.randint(2, 9) for _ in BELOW], BELOW))),
]

for name, (function, arguments) in FUNCTIONS:
    for dtype, rounded in (("f32", f32), ("f64", float)):
        for row in arguments:
            row = [rounded(x) for x in row]
            exact = float(function(*map(mpf, row)))
            if exact and (2e-38 < abs(exact) < 3e38 if dtype == "f32" else abs(exact) > 1e-300):
                print(name, dtype, *(x.hex() for x in row), exact.hex())
