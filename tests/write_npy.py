"""Writes a .npy file from values given as a Python list: FILE DTYPE VALUES [SHAPE].

    write_npy.py x.npy f32 '[[1, nan], [-0.0, inf]]'
    write_npy.py e.npy f32 '[]' 0,4

Without NumPy, so that a process costs 20 ms; tests/served.py calls `write`
instead. bf16 is stored as its bits in uint16.
"""

import struct
import sys

CODES = {"f32": "f", "f64": "d", "i32": "i", "i64": "q", "i1": "?", "i8": "b", "bf16": "H", "ui32": "I", "c64": "f", "c128": "d"}
DESCRIPTIONS = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8", "i1": "|b1", "i8": "|i1", "bf16": "<u2", "ui32": "<u4", "c64": "<c8", "c128": "<c16"}


def flatten(value):
    """The shape and the elements, row-major, of nested lists."""
    if not isinstance(value, list):
        return (), [value]
    parts = [flatten(item) for item in value]
    shapes = {shape for shape, _ in parts}
    if len(shapes) > 1:
        raise ValueError("the lists are ragged")
    inner = shapes.pop() if shapes else ()
    return (len(value), *inner), [x for _, items in parts for x in items]


def bf16_bits(value):
    """Round to nearest even, NaN kept quiet."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    if value != value:
        return 0x7FC0
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16


def write(path, dtype, text, dims=None):
    names = {"nan": float("nan"), "inf": float("inf"), "true": True, "false": False, "c": complex}
    shape, items = flatten(eval(text, {"__builtins__": {}}, names))
    if dims is not None:
        shape = tuple(int(d) for d in dims.split(",") if d)
    if dtype == "bf16":
        items = [bf16_bits(x) for x in items]
    if dtype in ("c64", "c128"):  # c(re, im), which keeps infinities and signs of zeros
        items = [part for x in map(complex, items) for part in (x.real, x.imag)]
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (DESCRIPTIONS[dtype], shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(items)}{CODES[dtype]}", *items))


if __name__ == "__main__":
    try:
        write(*sys.argv[1:])
    except ValueError as error:
        sys.exit(f"write_npy: {error}")
