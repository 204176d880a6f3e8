"""tuned.py TENSORC PROGRAM FOLDER [OPTIONS...]: gives the program's first kernel half of its usual lanes, by a tuning file
in FOLDER, as if that had been the fastest. What is explained, compiled and computed then must be that, with the same bits."""

import json
import pathlib
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True)


def explain(*command):
    return json.loads(run(*command, "--json").stdout)["kernels"]


def write(out, tensorc, *program):
    """Writes the file for `explain`'s program; returns the schedule that it asks for."""
    command = [tensorc, "explain", *program]
    kernel = explain(*command)[0]
    schedule = re.sub(r"lanes=(\d+)", lambda match: f"lanes={int(match[1]) // 2}", kernel["schedule"])
    schedule = schedule.replace("rows kernels=1", "rows kernels=2")
    assert schedule != kernel["schedule"], kernel
    record = {"kernel": kernel["name"], "key": kernel["key"], "target": "cpu", "cpu": "none", "threads": 1,
              "schedule": schedule, "usual": kernel["schedule"], "gain": 1.5}
    out.write_text(json.dumps({"tensorc_tuning": 1, "kernels": [record]}))
    # What is not for this machine is said, with what this machine is.
    said = run(*command, f"--tuning={out}").stderr
    match = re.fullmatch(rf"tensorc: note: {re.escape(str(out))} was measured for cpu on none with 1 thread, and this is cpu "
                         r"on (\S+) with (\d+) threads?: it is ignored\n", said)
    assert match, said
    record |= {"cpu": match[1], "threads": int(match[2])}
    out.write_text(json.dumps({"tensorc_tuning": 1, "kernels": [record]}))
    return schedule


def main():
    tensorc, program, folder, *options = sys.argv[1:]
    folder = pathlib.Path(folder)
    out, package = folder / "tuned.tctune", str(folder / "tuned.tcpkg")
    schedule = write(out, tensorc, program, *options)
    tuning = f"--tuning={out}"
    assert explain(tensorc, "explain", program, *options, tuning)[0]["schedule"] == schedule
    run(tensorc, "compile", program, *options, tuning, "-o", package)
    assert f"schedule   {schedule}\n" in run(tensorc, "explain", package).stdout
    results = []
    for name, words in ("usual", [program, *options]), ("tuned", [program, *options, tuning]), ("package", [package]):
        (folder / name).mkdir()
        run(tensorc, "run", *words, "--device=cpu", "--random-inputs", f"--output-dir={folder / name}")
        results.append({path.name: path.read_bytes() for path in (folder / name).iterdir()})
    assert results[0] and results[0] == results[1] == results[2], "other bits"


if __name__ == "__main__":
    main()
