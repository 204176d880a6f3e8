"""same_bits.py TENSORC PROGRAM OPTIONS... -- NUMBERS...: runs the program by its usual schedules and then by each of
NUMBERS (KERNEL:rows=64,...), and compares the bytes of what it computes. One difference is an error.

Sanitizers see the compiler, but not the kernels. There the schedules are only compiled, as far as our code goes."""

import os
import pathlib
import subprocess
import sys
import tempfile


def run(command, schedule, folder):
    command = command + ["--random-inputs", f"--output-dir={folder}"]
    if schedule:
        command.append(f"--schedule={schedule}")
    subprocess.run(command, check=True)
    return {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir())}


def lower(command, schedule):
    """Compiles the program for the device, up to what LLVM gets."""
    level = os.environ.get("TENSORC_CPU")
    command = [word.replace("--device=", "--target=") for word in command]
    command = [f"--target=cpu:{level}" if level and word == "--target=cpu" else word for word in command]
    if schedule:
        command.append(f"--schedule={schedule}")
    subprocess.run(command + ["--stop-after=lower"], check=True, stdout=subprocess.DEVNULL)


def main():
    words = sys.argv[1:]
    end = words.index("--")
    tensorc, program, options, schedules = words[0], words[1], words[2:end], words[end + 1 :]
    if "TENSORC_TEST_SANITIZED" in os.environ:
        for schedule in ["", *schedules]:
            lower([tensorc, "compile", program, *options], schedule)
        return
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for i, schedule in enumerate([""] + schedules):
            own = pathlib.Path(folder) / str(i)
            own.mkdir()
            results.append(run([tensorc, "run", program, *options], schedule, own))
        if not results[0] or any(not any(data) for data in results[0].values()):
            sys.exit("nothing was computed")
        for schedule, result in zip(schedules, results[1:]):
            if result != results[0]:
                bad.append(schedule)
    for schedule in bad:
        print(f"{schedule}: other bits")
    sys.exit(bool(bad))


main()
