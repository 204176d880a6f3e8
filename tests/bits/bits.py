#!/usr/bin/env python3
"""Compares the bits of results with those that other processors computed.

  bits.py FOLDER LEVEL [--write]

Runs functions of tests/ops with random inputs (one line of each) and the models of models.py on the target cpu:LEVEL
(x86-64-v3 or x86-64-v4), in the build whose binaries are in FOLDER. A hash of the bytes of each result is compared with
hashes.txt, which has one hash for both levels. NaN counts as one value: its sign and payload depend on the order of an
instruction's operands. --write writes the file instead. Exits with status 77 (skipped) if the processor lacks the
instructions of LEVEL.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
TABLE = HERE / "hashes.txt"
SKIPPED = 77
DIGITS = 12
# Instructions that the levels need beyond those that every x86-64 processor in use has.
NEEDED = {"x86-64-v3": {"avx2", "fma", "bmi2"}, "x86-64-v4": {"avx2", "fma", "bmi2", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}

sys.path.insert(0, str(ROOT / "scripts"))
from compare_bits import lines  # noqa: E402


def processor_flags():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("flags"):
            return set(line.split(":")[1].split())
    return set()


def digest(arrays):
    """A hash of (name, array) pairs: names, dtypes, shapes and bytes."""
    total = hashlib.sha256()
    for name, array in arrays:
        if array.dtype.kind in "fc":
            parts = array.view(array.real.dtype) if array.ndim and array.flags.c_contiguous else np.stack([array.real, array.imag])
            array = np.where(np.isnan(parts), np.array(np.nan, parts.dtype), parts)
        total.update(f"{name} {array.dtype} {array.shape}".encode())
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:DIGITS]


def first_lines():
    """Yields (key, path, words) of one line for each function of tests/ops."""
    seen = set()
    for path, words in lines([]):
        entry = next((word for word in words if word.startswith("--entry=")), "--entry=main")
        key = f"{path.stem}:{entry.partition('=')[2]}"
        if key not in seen:
            seen.add(key)
            yield key, path, words


def ops(folder, level):
    """Yields (key, hash) of the functions of tests/ops; the hash is None for those that failed."""
    server = subprocess.Popen([folder / "tensorc-test-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env={**os.environ, "TENSORC_CPU": level}, text=True)  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        for number, (key, path, words) in enumerate(first_lines()):
            results = pathlib.Path(scratch, str(number))
            results.mkdir()
            request = {"words": ["tensorc", "run", str(path), "--device=cpu", f"--output-dir={results}", *words],
                       "in": "", "out": f"{scratch}/out", "err": f"{scratch}/err"}  # fmt: skip
            server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            answer = server.stdout.readline()
            if not answer:
                sys.exit(f"the process died at {key}: {pathlib.Path(request['err']).read_text(encoding='utf-8')[-2000:]}")
            if int(answer):
                print(pathlib.Path(request["err"]).read_text(encoding="utf-8")[-2000:])
                yield key, None
                continue
            yield key, digest((name, np.load(results / name)) for name in sorted(os.listdir(results)))
    server.stdin.close()
    server.wait()


def models(level):
    os.environ["TENSORC_CPU"] = level
    from models import MODELS  # noqa: PLC0415 (imports tensorc, which reads TENSORC_CPU)

    for name, function in MODELS.items():
        results = [array.astype("float32") if array.dtype == "bfloat16" else array for array in function()]
        yield f"model:{name}", digest((str(i), array.numpy()) for i, array in enumerate(results))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("level", choices=NEEDED)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    missing = NEEDED[options.level] - processor_flags()
    if missing:
        print(f"skipped: this processor lacks {', '.join(sorted(missing))}")
        sys.exit(SKIPPED)
    found = {**dict(ops(options.folder, options.level)), **dict(models(options.level))}
    if options.write:
        TABLE.write_text("".join(f"{key} {value}\n" for key, value in found.items()), encoding="utf-8")
        return
    expected = dict(line.split() for line in TABLE.read_text(encoding="utf-8").splitlines())
    wrong = sorted(key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key))
    for key in wrong:
        print(f"{key}: {found.get(key, 'not run')}, expected {expected.get(key, 'nothing (write the table again)')}")
    print(f"{len(found) - len(wrong)} of {len(found)} results on cpu:{options.level} have the expected bits")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
