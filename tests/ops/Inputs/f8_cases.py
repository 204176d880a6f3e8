"""Every conversion of f8 against its definition: make FOLDER writes inputs, check FOLDER judges FOLDER/up and down.

A number becomes the nearest value of the format, of two the one with an even code. The judge searches the list of
all values and knows nothing of bits but the formats' definitions.
"""

import bisect
import math
import pathlib
import random
import struct
import sys

DESCRIPTIONS = {"f16": ("<f2", "e"), "bf16": ("<u2", "H"), "f32": ("<f4", "f"), "f64": ("<f8", "d"), "i64": ("<i8", "q"),
                "e4m3": ("|u1", "B"), "e5m2": ("|u1", "B"), "i32": ("<i4", "i"), "ui8": ("|u1", "B"), "i1": ("|b1", "?")}


class Format:
    def __init__(self, exponent_bits, mantissa_bits, codes, above):
        """`codes`: the finite non-negative ones; `above`: the code of what is too large."""
        bias = 2 ** (exponent_bits - 1) - 1
        self.above, self.mantissa, self.codes = above, mantissa_bits, codes
        self.values = []
        for code in range(codes + 1):  # the last one as if the format went on
            exponent, fraction = code >> mantissa_bits, code & (2**mantissa_bits - 1)
            significand = fraction / 2**mantissa_bits + (exponent > 0)
            self.values.append(math.ldexp(significand, max(exponent, 1) - bias))
        self.middles = [(a + b) / 2 for a, b in zip(self.values, self.values[1:])]

    def decode(self, code):
        magnitude = code & 0x7F
        if magnitude < self.codes:
            value = self.values[magnitude]
        else:
            value = math.inf if magnitude == self.above and self.mantissa == 2 else math.nan
        return -value if code & 0x80 else value

    def encode(self, x):
        """None for NaN."""
        if x != x:
            return None
        sign = 0x80 if math.copysign(1, x) < 0 else 0
        x = abs(x)
        i = bisect.bisect_left(self.middles, x)
        code = i + 1 if i < len(self.middles) and x == self.middles[i] and i % 2 else i
        if code < self.codes:
            return sign | code
        return None if self.mantissa == 3 else sign | self.above


FORMATS = {"e4m3": Format(4, 3, 0x7F, 0x7F), "e5m2": Format(5, 2, 0x7C, 0x7C)}


def write(path, dtype, items):
    descr, code = DESCRIPTIONS[dtype]
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, len(items))
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    body = struct.pack(f"<{len(items)}{code}", *items)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body)


def read(path, dtype):
    data = path.read_bytes()
    body = data[10 + struct.unpack_from("<H", data, 8)[0] :]
    code = DESCRIPTIONS[dtype][1]
    return list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body))


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def cases():
    """By dtype: numbers, as Python's; NaN among them."""
    rng = random.Random(8)
    edges = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-45, -1e-45, 3.4e38]
    exact = [s * x for f in FORMATS.values() for x in f.values + f.middles for s in (1, -1)]
    f32 = exact + edges
    for x in exact:
        if x:
            bits = struct.unpack("<I", struct.pack("<f", x))[0]
            f32 += [struct.unpack("<f", struct.pack("<I", bits + d))[0] for d in (-1, 1)]
    f64 = list(f32)
    for x in exact:
        f64 += [math.nextafter(x, math.inf), math.nextafter(x, -math.inf)]
    f32 += [struct.unpack("<f", struct.pack("<I", rng.getrandbits(32)))[0] for _ in range(4000)]
    f32 += [single(rng.uniform(-600, 600)) for _ in range(2000)]
    f64 += [struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0] for _ in range(2000)]
    f64 += [rng.uniform(-70000, 70000) for _ in range(2000)]
    halves = [struct.unpack("<e", struct.pack("<H", i))[0] for i in range(65536)]
    bfloats = [struct.unpack("<f", struct.pack("<I", i << 16))[0] for i in range(65536)]
    i64 = [rng.getrandbits(63) >> rng.randrange(63) for _ in range(1000)]
    i64 = [s * x for x in i64 for s in (1, -1)] + [464, 465, -464, 61439, 61440, 2**53 + 1, -(2**63), 2**63 - 1]
    return {"f16": halves, "bf16": bfloats, "f32": f32, "f64": f64, "i64": i64}


def make(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for dtype, numbers in cases().items():
        if dtype in ("f16", "bf16"):  # every code: NaNs with their bits
            (folder / f"{dtype}.npy").unlink(missing_ok=True)
            DESCRIPTIONS["codes"] = (DESCRIPTIONS[dtype][0], "H")
            write(folder / f"{dtype}.npy", "codes", range(65536))
        else:
            write(folder / f"{dtype}.npy", dtype, numbers)
    write(folder / "codes.npy", "e4m3", range(256))
    write(folder / "rows.npy", "e4m3", [*range(256)] * 2)
    write(folder / "columns.npy", "e4m3", [code if k < 4 else 0 for code in range(256) for k in range(64)])


def bits(dtype, x):
    return None if x != x else struct.pack("<" + DESCRIPTIONS[dtype][1], x)


def truncated(x, low, high):
    return 0 if x != x else int(min(max(x, low), high))


def expect(what, got, want):
    if len(got) != len(want):
        sys.exit(f"{what}: {len(got)} numbers, not {len(want)}")
    wrong = [i for i in range(len(got)) if got[i] != want[i]]
    if wrong:
        i = wrong[0]
        sys.exit(f"{what}: {len(wrong)} of {len(got)} are wrong, the first at {i}: {got[i]}, expected {want[i]}")


def check(folder):
    for name, f in FORMATS.items():
        other = "e5m2" if name == "e4m3" else "e4m3"
        values = [f.decode(code) for code in range(256)]
        for dtype in ("f16", "f32", "f64"):
            got = read(folder / "up" / f"{name}_{dtype}.npy", dtype)
            expect(f"{name} to {dtype}", [bits(dtype, x) for x in got], [bits(dtype, x) for x in values])
        got = [struct.unpack("<f", struct.pack("<I", b << 16))[0] for b in read(folder / "up" / f"{name}_bf16.npy", "bf16")]
        expect(f"{name} to bf16", [bits("f32", x) for x in got], [bits("f32", x) for x in values])
        got = read(folder / "up" / f"{name}_i32.npy", "i32")
        expect(f"{name} to i32", got, [truncated(x, -(2**31), 2**31 - 1) for x in values])
        got = read(folder / "up" / f"{name}_ui8.npy", "ui8")
        expect(f"{name} to ui8", got, [truncated(x, 0, 255) for x in values])
        expect(f"{name} to i1", read(folder / "up" / f"{name}_i1.npy", "i1"), [x != 0 for x in values])
        judge(folder / "up" / f"{name}_{other}.npy", other, values)
        for dtype, numbers in cases().items():
            judge(folder / "down" / f"{dtype}_{name}.npy", name, numbers)


def judge(path, name, numbers):
    f = FORMATS[name]
    got = [code if f.decode(code) == f.decode(code) else None for code in read(path, name)]
    expect(path.stem, got, [f.encode(x) for x in numbers])


{"make": make, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
