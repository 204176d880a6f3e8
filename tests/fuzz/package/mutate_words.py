#!/usr/bin/env python3
"""Runs compiled packages whose programs are wrong: refused, or right.

  mutate_words.py TENSORC [--count=120] [--seed=1]

Each mutant is a package of the compiler with one word of its program changed (an
extent, a register, a size, a constant) and hashes that fit. It must be refused, or
run to a status of the tool, within a time limit and without a crash.
"""

import argparse
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile

PROGRAM = """
func.func @main(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x"}, %w: tensor<64x32xf32>)
    -> (tensor<?x32xf32, #tx.dims<[n, 32]>>, tensor<64xf32>) {
  %c = tx.iota dim = 0 : tensor<64xf32>
  %b = tx.broadcast %c dims = [1] : tensor<64xf32> -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %0 = tx.mul %x, %b : tensor<?x64xf32, #tx.dims<[n, 64]>>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1] x [0] : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<64x32xf32>) -> tensor<?x32xf32, #tx.dims<[n, 32]>>
  %2 = tx.sum %x dims = [0] : tensor<?x64xf32, #tx.dims<[n, 64]>> -> tensor<64xf32>
  return %1, %2 : tensor<?x32xf32, #tx.dims<[n, 32]>>, tensor<64xf32>
}
"""


def hash_bytes(data):
    """hashBytes of runtime/abi/Format.h."""
    prime, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    value = prime ^ len(data)
    for at in range(0, len(data), 8):
        word = int.from_bytes(data[at:at + 8], "little")
        value = (value ^ word) * prime & mask
        value ^= value >> 29
    return value


def sealed(package, table):
    package[40:48] = struct.pack("<Q", hash_bytes(bytes(package[table:])))
    return package


def code_words(package, table):
    """Offsets of the words that look like code: vectors of small numbers."""
    return [at for at in range(table, len(package) - 4, 4)
            if struct.unpack_from("<I", package, at)[0] < 1 << 20]


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tensorc")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures, counts = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "p.mlir").write_text(PROGRAM)
        subprocess.run([options.tensorc, "compile", folder / "p.mlir", "-o", folder / "p.tcpkg"], check=True)
        whole = (folder / "p.tcpkg").read_bytes()
        table = struct.unpack_from("<Q", whole, 24)[0]
        words = code_words(whole, table)
        for i in range(options.count):
            rng = random.Random(options.seed + i)
            package = bytearray(whole)
            at = rng.choice(words)
            old = struct.unpack_from("<I", package, at)[0]
            struct.pack_into("<I", package, at, rng.choice([old + 1, old * 2, old ^ 4, rng.randrange(64), 100000]))
            path = folder / "mutant.tcpkg"
            path.write_bytes(sealed(package, table))
            command = [options.tensorc, "run", path, "--device=cpu", "--random-inputs", "--shape=x:5,64"]
            try:
                status = subprocess.run(command, capture_output=True, timeout=600, preexec_fn=limit).returncode
            except subprocess.TimeoutExpired:
                status = "hangs"
            counts[status] = counts.get(status, 0) + 1
            if status not in (0, 1, 2):
                failures += 1
                print(f"mutant {i}: word at {at - table} of the table was {old}: status {status}")
    print(f"{options.count} mutants, {failures} failed; statuses:", counts)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
