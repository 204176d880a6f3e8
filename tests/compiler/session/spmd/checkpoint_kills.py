#!/usr/bin/env python3
"""Kills a program at random points while it saves sharded checkpoints. After each kill, the program resumes on another
number of ranks; nothing that it reported as saved may be lost, and no checkpoint may mix two steps.

  checkpoint_kills.py WORKER [--kills N] [--seed N] [--mpirun COMMAND]

With --mpirun, ranks are processes, one of which is killed.
"""

import argparse
import os
import pathlib
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time


def run_once(command, environment, draw, errors):
    """Starts the worker and kills it a random time after up to two saves. Returns the steps that it resumed from and
    saved last. The worker writes its errors to the file."""
    errors.seek(0)
    errors.truncate()
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment,
                              start_new_session=True)

    def refuse(what, text=""):
        errors.seek(0)
        sys.exit(f"checkpoint_kills: {' '.join(command)} {what}: {text}{errors.read()}")

    ranks, resumed, saved, line = [], None, None, ""
    for line in worker.stdout:
        word, number = line.split()[:2]
        if word == "pid":
            ranks.append(int(number))
        elif word == "resumed":
            resumed = saved = float(number)
            break
        else:
            break
    if resumed is None:
        refuse("did not resume", line + worker.stdout.read())
    # Saves are counted, so that a slow machine kills as many of them.
    for _ in range(draw.randint(0, 2)):
        line = worker.stdout.readline()
        if not line.startswith("saved "):
            refuse("saved nothing", line)
        saved = float(line.split()[1])
    time.sleep(draw.uniform(0, 0.05))
    try:
        os.kill(draw.choice(ranks), signal.SIGKILL) if ranks else os.killpg(worker.pid, signal.SIGKILL)
    except ProcessLookupError:
        refuse("ended by itself")
    for line in worker.stdout:
        if line.startswith("saved "):
            saved = float(line.split()[1])
    # Under a launcher, this is the launcher's status.
    if worker.wait() != -signal.SIGKILL and not ranks:
        refuse(f"ended by itself with status {worker.returncode}")
    return resumed, saved


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mpirun", help="the launcher and its options, without the number of ranks")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    environment = dict(os.environ, TENSORC_CPU_DEVICES="4", TENSORC_NUM_THREADS="4")
    last, steps, cut = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as errors:
        for kill in range(options.kills):
            ranks = draw.choice([1, 2, 4])
            if options.mpirun:
                command = [*shlex.split(options.mpirun), "-n", str(ranks), options.worker, folder, "mpi"]
            else:
                command = [options.worker, folder, str(ranks)]
            resumed, saved = run_once(command, environment, draw, errors)
            # A save may have ended without a report.
            if not last <= resumed <= last + 1:
                sys.exit(f"checkpoint_kills: kill {kill}: step {last:g} was saved, step {resumed:g} was resumed")
            steps += int(saved - resumed)
            last = saved
            index = (pathlib.Path(folder) / "checkpoint.json")
            generation = index.read_text().split(":")[1].split(",")[0].strip() if index.exists() else "0"
            cut += any(not file.name.startswith((generation + ".", "checkpoint.json")) or file.suffix == ".new"
                       for file in pathlib.Path(folder).iterdir())
    if steps == 0:
        sys.exit("checkpoint_kills: nothing was saved")
    print(f"checkpoint_kills: {options.kills} kills, {steps} checkpoints, {cut} kills in the middle of one: nothing lost")


if __name__ == "__main__":
    main()
