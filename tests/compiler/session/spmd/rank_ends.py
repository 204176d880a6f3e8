#!/usr/bin/env python3
"""Kills or stops one of four processes under mpirun while they add floats. The launcher or the time limit must end all
of them. Ranks that the launcher does not end report an error that names the lost rank, the collective and the line.

  rank_ends.py WORKER MPIRUN

MPIRUN is mpirun.openmpi or mpirun.mpich.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

RANKS, LOST, LIMIT = 4, 2, 3  # the rank that is lost; the time limit in seconds
# Time from the loss to the end of the last process: the limit, 5 s to hear of the rank, and time for a busy machine.
MAX_SECONDS = LIMIT + 5 + 30


def lose_rank(command, how):
    """Starts the workers, and sends the signal to a rank when all of them compute. Returns the errors of the ranks, and
    all else that was printed."""
    processes, computing, errors, others = {}, set(), {}, ""
    is_late = False

    def end_all():
        nonlocal is_late
        is_late = True
        for process in [*processes.values(), launcher.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    with tempfile.TemporaryFile("w+") as texts:
        launcher = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=texts, text=True)
        timer = threading.Timer(2 * MAX_SECONDS, end_all)
        timer.start()
        # The pipe is open until the last process ends.
        for line in launcher.stdout:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "pid":
                rank, process = map(int, rest.split())
                processes[rank] = process
            elif word == "computes":
                computing.add(int(rest))
                if len(computing) == RANKS:
                    timer.cancel()
                    timer = threading.Timer(MAX_SECONDS, end_all)
                    timer.start()
                    start = time.monotonic()
                    os.kill(processes[LOST], how)
            elif word == "error":
                rank, _, message = rest.partition(" ")
                errors[int(rank)] = message
            else:
                others += line
        seconds = time.monotonic() - start if len(computing) == RANKS else 0
        status = launcher.wait()
        timer.cancel()
        texts.seek(0)
        others += texts.read()
    if is_late or len(computing) < RANKS or status == 0:
        sys.exit(f"rank_ends: {' '.join(command)}: status {status}, {len(computing)} ranks computed, "
                 f"{'not all ended' if is_late else f'ended in {seconds:.1f} s'}: {errors} {others}")
    return errors, others, seconds


def main():
    worker, mpirun = sys.argv[1:]
    launch = [mpirun, *(["--oversubscribe"] if "openmpi" in mpirun else []), "-n", str(RANKS)]
    named = re.compile(rf"RankWorker\.cpp:\d+: all_reduce: rank {LOST} did not call it within {LIMIT * 1000} ms")
    for what, how, count in ("killed", signal.SIGKILL, 1 << 20), ("stopped", signal.SIGSTOP, 4):
        errors, others, seconds = lose_rank([*launch, worker, str(LIMIT), str(count)], how)
        # The launcher ends the other ranks of one that was killed, usually before the time limit. MPICH reports that
        # one or another.
        if what == "killed" and not re.search(r"signal 9|BAD TERMINATION", others):
            sys.exit(f"rank_ends: the launcher does not report that a rank was killed: {others}")
        # When the launcher ends a rank that was stopped, it lets it continue before.
        errors.pop(LOST, None)
        if not (errors or what == "killed") or not all(map(named.search, errors.values())):
            sys.exit(f"rank_ends: rank {LOST} was {what}, the others' errors are {errors}: {others}")
        print(f"rank_ends: {what}: {seconds:.1f} s, {len(errors)} errors of ranks", flush=True)


if __name__ == "__main__":
    main()
