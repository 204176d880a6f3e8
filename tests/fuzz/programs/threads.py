"""Threads of mixed work in one process: threads.py LIBRARY_FOLDER [--threads=8] [--seed=1] [--count=400] [--seconds=N]

Each evaluates random programs, and traces and calls them, at the same time as all others; every fourth program is the
same for all threads. The judge is NumPy, as in check.py.
"""

import argparse
import sys
import threading
import time

from check import same_bits, worst
from program import generate
from run import Refused, Session


class Work:
    def __init__(self, options):
        self.options, self.session = options, Session(options.library)
        self.lock, self.next, self.done, self.failures = threading.Lock(), options.seed, 0, []
        self.end = time.monotonic() + options.seconds

    def take(self):
        """A seed; None when all are taken or time is up."""
        with self.lock:
            if self.next >= self.options.seed + self.options.count or time.monotonic() > self.end:
                return None
            self.next += 1
            return self.next - 1

    def check(self, seed):
        program = generate(seed if seed % 4 else self.options.seed, deep=False)
        if not program.outputs:
            return None
        try:
            lazy = self.session.lazy(program)
            traced = self.session.traced(program, [1 + seed % 3])[0]
        except Refused as error:
            return f"refused: {error}"
        return worst(program, lazy) or same_bits(program, lazy, traced, "evaluation and traced function")

    def run(self):
        while (seed := self.take()) is not None:
            why = self.check(seed)
            with self.lock:
                self.done += 1
                if why:
                    self.failures.append(seed)
                    print(f"FAILED: seed {seed}: {why}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    work = Work(options)
    threads = [threading.Thread(target=work.run) for _ in range(options.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{work.done} programs on {options.threads} threads, {len(work.failures)} failed")
    return 1 if work.failures else 0


if __name__ == "__main__":
    sys.exit(main())
