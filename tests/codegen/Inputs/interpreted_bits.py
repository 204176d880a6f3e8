"""interpreted_bits.py TENSORC SEED NUMBER [SCHEDULE]: draws products of bf16 in the order "chains" (shapes, layouts, epilogues and
values, special ones too), and compares the bytes of what the device cpu computes with the interpreter's, which follows
the orders of fusions. All NaN are equal. One difference is an error. If SCHEDULE is given, one of the products has to
be computed by this skeleton. Sanitizers, which do not see kernels, get a fifth of the products."""

import array
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

# Bits of zeros, subnormal and normal numbers of the smallest exponents, infinities, NaN, the largest number.
SPECIAL = [0x0000, 0x8000, 0x0001, 0x8003, 0x007F, 0x0080, 0x8081, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x7F7F, 0x3F80]
# Products of one row or column have the order "fma", which the interpreter computes in f64.
SIDES = [2, 7, 16, 17, 31, 32, 33, 47, 61, 64, 97, 130, 197]
STEPS = [3, 32, 33, 34, 63, 64, 65, 97, 127, 160, 257, 1025]


def draw_bits(source, kind):
    """A bf16: near 1, so small that products are subnormal, subnormal, or anything."""
    sign = source.getrandbits(1) << 15
    if kind == "special" and source.random() < 0.02:
        return source.choice(SPECIAL)
    if kind == "tiny":
        return sign | source.randrange(48, 80) << 7 | source.getrandbits(7)
    if kind == "subnormal":
        return sign | source.randrange(0, 3) << 7 | source.getrandbits(7)
    return sign | source.randrange(118, 130) << 7 | source.getrandbits(7)


def draw(source, kind, size):
    """`size` numbers. Of "patches" an eighth is so small that a tile instruction would flush sums: some tiles fall back."""
    small = range(0)
    if kind == "patches":
        begin = source.randrange(size)
        small = range(begin, begin + size // 8)
    return array.array("H", (draw_bits(source, "tiny" if i in small else kind) for i in range(size)))


def write_npy(path, shape, bits):
    header = "{'descr': '<u2', 'fortran_order': False, 'shape': %r, }" % (tuple(shape),)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bits.tobytes())


def words_of(path, dtype):
    data = path.read_bytes()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    words = array.array("H" if dtype == "bf16" else "I")
    words.frombytes(data[begin:])
    return words


def canonical(words, dtype):
    infinity, sign = (0x7F80, 0x7FFF) if dtype == "bf16" else (0x7F800000, 0x7FFFFFFF)
    return [-1 if w & sign > infinity else w for w in words]


def product(source, number):
    """Arguments, lines and result of one product."""
    batch = source.choice([0, 0, 0, 2, 3])
    rows, columns, steps = source.choice(SIDES), source.choice(SIDES), source.choice(STEPS)
    two = steps % 2 == 0 and source.random() < 0.2
    k = [2, steps // 2] if two else [steps]
    x_turned, y_turned = source.random() < 0.3, source.random() < 0.4
    # A weight that is packed in words: blocks of columns, groups of steps, columns, steps.
    words = source.random() < 0.2
    if words:
        batch, columns, k, y_turned = 0, source.choice([16, 32, 96]), [source.choice([16, 32, 80, 512]), 2], False
    lead = [batch] if batch else []
    x, y = lead + (k + [rows] if x_turned else [rows] + k), lead + ([columns] + k if y_turned else k + [columns])
    if words:
        y = [columns // 16, k[0], 16, 2]
    first = len(lead)
    along = lambda turned: list(range(first, first + len(k))) if turned else list(range(first + 1, first + 1 + len(k)))  # noqa: E731
    text = lambda shape, dtype: "tensor<" + "".join(f"{n}x" for n in shape) + dtype + ">"  # noqa: E731
    batches = [0] if batch else []
    out, dtype = lead + ([rows, columns // 16, 16] if words else [rows, columns]), source.choice(["f32", "bf16"])
    name, right, lines = f"%p{number}", f"%y{number}", []
    if source.random() < 0.2:
        lines += [f"%m{number} = tx.neg {right} : {text(y, 'bf16')}"]
        right = f"%m{number}"
    lines += [
        f"{name} = tx.dot_general %x{number}, {right} batch = {batches} x {batches} contracting = {along(x_turned)} x "
        f"{[1, 3] if words else along(not y_turned)} : ({text(x, 'bf16')}, {text(y, 'bf16')}) -> {text(out, dtype)}"
    ]
    if source.random() < 0.3:
        lines += [f"%n{number} = tx.neg {name} : {text(out, dtype)}"]
        name = f"%n{number}"
    return {"x": x, "y": y, "lines": lines, "result": name, "type": text(out, dtype), "dtype": dtype, "text": text}


def main():
    tensorc, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if "TENSORC_TEST_SANITIZED" in os.environ:
        count //= 5
    source = random.Random(seed)
    products = [product(source, i) for i in range(count)]
    arguments, inputs = [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for i, p in enumerate(products):
            kind = source.choice(["normal", "normal", "patches", "patches", "tiny", "subnormal", "special"])
            for side in "xy":
                shape = p[side]
                size = 1
                for n in shape:
                    size *= n
                path = folder / f"{side}{i}.npy"
                write_npy(path, shape, draw(source, kind, size))
                inputs.append(f"--input={side}{i}={path}")
                arguments.append(f"%{side}{i}: {p['text'](shape, 'bf16')} {{tx.name = \"{side}{i}\"}}")
        results = ", ".join(p["type"] for p in products)
        program = [
            'module attributes {txk.bf16_order = "chains"} {',
            f"func.func @main({', '.join(arguments)}) -> ({results}) {{",
            *(line for p in products for line in p["lines"]),
            f"return {', '.join(p['result'] for p in products)} : {results}",
            "}}",
        ]
        text, fused = folder / "program.mlir", folder / "fused.mlir"
        text.write_text("\n".join(program))
        # The target of a CPU device is TENSORC_CPU, whatever processor TENSORC_TEST_CPU names.
        target = "--target=" + ":".join(filter(None, ["cpu", os.environ.get("TENSORC_CPU")]))
        subprocess.run([tensorc, "compile", text, "--stop-after=fuse", target, "-o", fused], check=True)
        if fused.read_text().count('order = #tx.order<"chains"') != fused.read_text().count("tx.fusion"):
            sys.exit("a product has another order")
        if len(sys.argv) > 4 and f'#tx.schedule<"{sys.argv[4]}"' not in fused.read_text():
            sys.exit(f"no product has the schedule {sys.argv[4]}")
        for file, device in (text, "cpu"), (fused, "reference"):
            subprocess.run([tensorc, "run", file, f"--device={device}", f"--output-dir={folder / device}", *inputs], check=True)
        bad = 0
        for i, p in enumerate(products):
            name = f"out{i}.npy"
            ours, expected = (canonical(words_of(folder / d / name, p["dtype"]), p["dtype"]) for d in ("cpu", "reference"))
            wrong = sum(a != b for a, b in zip(ours, expected))
            if wrong:
                print(f"{'; '.join(p['lines'])}: {wrong} of {len(ours)} differ")
                bad += 1
        sys.exit(bool(bad))


main()
