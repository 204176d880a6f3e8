"""How much memory stays of many distinct expressions: memory.py LIBRARY_FOLDER [--count=50000] [--seconds=N]
[--most=BYTES_EACH]

Expression i applies the operations that are the digits of i, so no two have one structure and each is compiled. The
table has the resident memory, what malloc says is in use, and the files that are mapped, after each 1,000. With
--most it fails where what malloc says grew by more for each expression in the second half.
"""

import argparse
import ctypes
import os
import sys
import time

import numpy as np

from run import Session

OPERATIONS = ["neg", "abs", "floor", "ceil", "trunc", "sign", "sin", "cos", "tanh", "sigmoid", "erf", "atan"]


class Malloc(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks",
                                                     "fsmblks", "uordblks", "fordblks", "keepcost")]  # fmt: skip


def in_use():
    """(resident, in use by malloc's account, mapped images)"""
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Malloc
    info = libc.mallinfo2()
    with open("/proc/self/statm") as statm:
        resident = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    with open("/proc/self/maps") as maps:
        images = len({line.split(None, 5)[-1] for line in maps if "memfd" in line or "/tmp/" in line})
    return resident, info.uordblks + info.hblkhd, images


def expression(session, x, number):
    y, digits = x, number
    while digits:
        y = session.elementwise(OPERATIONS[digits % len(OPERATIONS)], y)
        y = session.elementwise("add", y, x)
        digits //= len(OPERATIONS)
    return y


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=50000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--most", type=float, help="bytes")
    options = parser.parse_args()
    session = Session(options.library)
    x = session.tensor(np.linspace(-1, 1, 64, dtype=np.float32))
    begin, table = time.monotonic(), []
    step = min(1000, max(1, options.count // 10))
    done = 0
    for i in range(options.count):
        if time.monotonic() - begin > options.seconds and len(table) >= 2:
            break
        session.eval([expression(session, x, 12**3 + i)])
        done = i + 1
        if done % step == 0:
            resident, used, images = in_use()
            table.append((resident, used))
            print(f"{done:6} expressions: {resident / 2**20:7.1f} MiB resident, {used / 2**20:7.1f} in use, "
                  f"{images} images, {time.monotonic() - begin:.0f} s", flush=True)  # fmt: skip
    half = table[len(table) // 2 :]
    resident, used = [(half[-1][i] - half[0][i]) / max(1, (len(half) - 1) * step) for i in range(2)]
    print(f"{done} expressions: {table[0][0] / 2**20:.1f} MiB resident at first, {table[-1][0] / 2**20:.1f} at the end, "
          f"{resident:.0f} bytes for each of the second half, {used:.0f} in use")  # fmt: skip
    return 1 if options.most is not None and used > options.most else 0


if __name__ == "__main__":
    sys.exit(main())
