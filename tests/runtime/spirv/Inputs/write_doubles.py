"""Writes numbers that are hard for arithmetic of f64: write_doubles.py FOLDER

x.npy and y.npy hold pairs, z.npy third operands near their negated products, i.npy
integers, and s.npy f32.
"""
import pathlib
import struct
import sys

from random import Random

folder = pathlib.Path(sys.argv[1])
random = Random(1)
INF = float("inf")


def write(name, dtype, format, values):
    """Writes a vector as a file of NumPy's format, version 1."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    body = struct.pack(f"<{len(values)}{format}", *values)
    (folder / name).write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + body)


def from_bits(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def product(x, y):
    try:
        return x * y
    except OverflowError:
        return INF


edges = [0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 3.0, 2.0**-1022, 2.0**-1074, 2.0**-1022 - 2.0**-1074, 2.0**1023,
         from_bits(0x7fefffffffffffff), 2.0**52 + 0.5, 2.0**53 - 1, 2.0**63, 2.0**64, 65520.0, 65519.99, 255.5,
         2.0**-149, 2.0**-150 * 1.5, 2.0**-126, 3.4028235677973366e38, 2.0**-24, 2.0**-25, 1 + 2.0**-52,
         1 - 2.0**-53, 4.0 / 3, INF, float("nan")]
edges += [-edge for edge in edges]
x = [a for a in edges for _ in edges]
y = [b for _ in edges for b in edges]
for _ in range(4000):  # of every size, and of like sizes
    sign, exponent = random.getrandbits(1) << 63, random.getrandbits(11)
    x.append(from_bits(sign | exponent << 52 | random.getrandbits(52)))
    near = min(max(exponent + random.randint(-60, 60), 0), 2046)
    y.append(from_bits(random.getrandbits(1) << 63 | near << 52 | random.getrandbits(52)))
for _ in range(2000):  # near integers and ties
    x.append(random.randint(-2**random.randint(1, 60), 2**20) / 2**random.randint(0, 10))
    y.append(random.randint(1, 2**random.randint(1, 53)))
z = [random.choice([-product(a, b), -product(a, b) * 2.0**-53, b, random.choice(edges), a * 2.0**-random.randint(0, 120)])
     for a, b in zip(x, y)]
write("x.npy", "<f8", "d", x)
write("y.npy", "<f8", "d", y)
write("z.npy", "<f8", "d", z)
i = [0, 1, -1, 2**63 - 1, -2**63, 2**53 + 1, 65519, 65520, 2049] + [
    random.randint(-2**random.randint(1, 63), 2**random.randint(1, 63) - 1) for _ in range(1015)]
write("i.npy", "<i8", "q", i)
write("s.npy", "<f4", "I", [0, 1 << 31, 1, 0x7fffff, 0x800000, 0x7f800000, 0x7fc00000, 0xff800000] + [
    random.getrandbits(32) for _ in range(1016)])
