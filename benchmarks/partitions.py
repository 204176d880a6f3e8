#!/usr/bin/env python3
"""Prints how evenly the kernels of compare.py's rows would be shared by machines with more processors than this one.

  PYTHONPATH=build/python python3 benchmarks/partitions.py [--every=N] [--threads=16,32,64,128] [--output=FILE.csv]

Each row runs on one thread, and a launch hook records the work items and the grain of each kernel. The runtime's own
partitioner then splits this range for the given number of threads (tensorc_rt_parallel_for, whose caller takes all
blocks here, so that their order is seen). Blocks are given to the thread that is free first; all items of a kernel are
taken to last equally long. The ratio of a row is the largest work of a thread, weighted by the times of the kernels,
divided by the mean over all threads. `alone` counts launches that cannot occupy all threads because they have fewer
grains: their time is in the ratio with the threads that they do occupy.
"""

import argparse
import csv
import ctypes
import os
import sys
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

os.environ |= {"TENSORC_NUM_THREADS": "1", "BENCHMARK_SIDE": "ours"}  # read when they are imported

import tensorc as tc  # noqa: E402
from peers import row as peer_row  # noqa: E402
from peers.rows import rows  # noqa: E402


class Record(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("device", ctypes.c_char_p), ("begin", ctypes.c_int64), ("end", ctypes.c_int64),
                ("extent", ctypes.c_int64), ("grain", ctypes.c_int64), ("threads", ctypes.c_int32), ("line", ctypes.c_uint32),
                ("file", ctypes.c_char_p), ("cpu", ctypes.c_int64)]  # fmt: skip


HOOK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Record))
BODY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int32)
TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
PARALLEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, TASK, ctypes.c_void_p)
no_threads = PARALLEL(lambda user, count, task, context: None)


def runtime():
    """The runtime that this process has loaded with tensorc."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        path = next(line.split()[-1] for line in maps if "libtensorc_rt.so" in line)
    return ctypes.CDLL(path)


def launches(library, call):
    """Returns (extent, grain, nanoseconds) of each kernel that the call launches."""
    found = []
    hook = HOOK(lambda user, record: found.append((record[0].extent, record[0].grain, record[0].end - record[0].begin)))
    library.tensorc_rt_set_launch_hook(hook, None)
    call()
    tc.synchronize()
    library.tensorc_rt_set_launch_hook(None, None)
    return found


def most(library, extent, grain, threads):
    """Returns the largest number of items of a thread, and the number of threads that have work."""
    work = defaultdict(int)

    def take(context, begin, end, slot):
        free = len(work) if len(work) < threads else min(work, key=work.get)
        work[free] += end - begin

    library.tensorc_rt_set_num_threads(threads)
    library.tensorc_rt_set_parallel_for(no_threads, None)
    library.tensorc_rt_parallel_for(ctypes.c_int64(extent), ctypes.c_int64(grain), threads, BODY(take), None)
    library.tensorc_rt_set_parallel_for(None, None)
    library.tensorc_rt_set_num_threads(1)
    return max(work.values()), len(work)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="every N-th row")
    parser.add_argument("--threads", default="16,32,64,128")
    parser.add_argument("--output", help="a table")
    options = parser.parse_args()
    counts = [int(n) for n in options.threads.split(",")]
    library = runtime()
    table = []
    for row in list(rows())[:: options.every]:
        call, *_ = peer_row.ours(row)
        ran = launches(library, call)
        cells = {"row": row.name, "kernels": len(ran)}
        for threads in counts:
            longest = mean = alone = 0.0
            for extent, grain, time in ran:
                if extent <= 0:
                    continue
                items, used = most(library, extent, grain, threads)
                longest += time * items / extent
                mean += time / used
                alone += used < threads
            cells[f"{threads}"] = f"{longest / mean:.2f}" if mean else "1.00"
            cells[f"{threads} alone"] = int(alone)
        table.append(cells)
        print(*cells.values(), sep=" | ", flush=True)
    for threads in counts:
        even = sum(float(cells[str(threads)]) <= 1.1 for cells in table)
        print(f"{threads} threads: {even} of {len(table)} rows within 1.1, largest {max(float(c[str(threads)]) for c in table):.2f}")
    if options.output:
        with open(options.output, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(table[0]))
            writer.writeheader()
            writer.writerows(table)


if __name__ == "__main__":
    main()
