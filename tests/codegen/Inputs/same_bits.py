"""same_bits.py TENSORC PROGRAM OPTIONS... -- NUMBERS...: runs the program by its usual schedules and then by each of
NUMBERS (KERNEL:rows=64,...), and compares the bytes of what it computes. One difference is an error."""

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


def main():
    words = sys.argv[1:]
    end = words.index("--")
    tensorc, program, options, schedules = words[0], words[1], words[2:end], words[end + 1 :]
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
