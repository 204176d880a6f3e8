"""Runs a bundle of pack-gpu-tests.sh on one device: run-gpu-tests.sh says how.

Exit status: 0, 1 when a test failed, 2 for bad usage or a device that is not there.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

BUNDLE = pathlib.Path(__file__).resolve().parent
SUITES = ("cts", "ops", "programs", "benchmarks")
BENCHMARKS = ("bandwidth", "contraction", "dispatch")


class Suite:
    """What a suite found; `failures` are names, with what was said."""

    def __init__(self, name):
        self.name, self.passed, self.skipped, self.failures, self.seconds = name, 0, 0, {}, 0.0
        self.missing = False

    def summary(self):
        return {"suite": self.name, "passed": self.passed, "failed": len(self.failures), "skipped": self.skipped,
                "seconds": round(self.seconds, 1), "failures": sorted(self.failures)}


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        # What the caller has there may be a driver's library.
        folders = [str(BUNDLE / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
        self.libraries = os.pathsep.join(folder for folder in folders if folder)
        self.environment = {**os.environ, "TENSORC_DEVICE": options.device, "LD_LIBRARY_PATH": self.libraries}
        self.deadline = None

    def program(self, name):
        path = BUNDLE / "bin" / name
        return path if path.exists() else None

    def left(self):
        """Seconds that the suite may still take."""
        return self.options.limit if self.deadline is None else max(1.0, self.deadline - time.monotonic())

    def run(self, *command, timeout=None):
        """Status, stdout and stderr; the status is None when it took too long."""
        try:
            done = subprocess.run([str(word) for word in command], env=self.environment, cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                  timeout=timeout or self.left())
        except subprocess.TimeoutExpired as expired:
            text = lambda data: data.decode(errors="replace") if isinstance(data, bytes) else data or ""
            return None, text(expired.stdout), text(expired.stderr) + "took too long"
        return done.returncode, done.stdout, done.stderr

    # The conformance suite: its tests name the device as their parameter.

    def cts(self, suite):
        program = self.program("tensorc_rt_cts")
        if not program:
            suite.missing = True
            return
        driver = self.options.device.split(":")[0]
        names, group = [], ""
        for line in self.run(program, "--gtest_list_tests")[1].splitlines():
            if not line.startswith(" "):
                group = line.split("#")[0].strip()
            parameter = re.search(r'GetParam\(\) = "([^"]*)"', line)
            if parameter and parameter.group(1).split(":")[0] == driver:
                names.append(group + line.split("#")[0].strip())
        if not names:
            suite.failures["cts"] = f"no tests for the driver {driver}"
            return
        report = self.folder / "cts.json"
        _, out, err = self.run(program, "--gtest_filter=" + ":".join(names), f"--gtest_output=json:{report}")
        if not report.exists():
            suite.failures["cts"] = (out + err)[-2000:]
            return
        for group in json.loads(report.read_text())["testsuites"]:
            for test in group["testsuite"]:
                if test.get("result") == "SKIPPED":
                    suite.skipped += 1
                elif test.get("failures"):
                    suite.failures[f"{group['name']}.{test['name']}"] = test["failures"][0]["failure"]
                else:
                    suite.passed += 1

    # tests/ops: lit with a configuration for where the bundle lies.

    def ops(self, suite):
        site = self.folder / "ops"
        site.mkdir()
        values = {"tensorc_bin": str(BUNDLE / "bin"), "llvm_bin": str(BUNDLE / "bin"), "python": sys.executable,
                  "source_dir": str(BUNDLE), "sanitize": "", "tools_missing": "", "opencl_folder": "", "vulkan_driver": "",
                  "test_target": self.options.device}
        lines = [f"config.{name} = {value!r}" for name, value in values.items()]
        lines += [f"lit_config.load_config(config, {str(BUNDLE / 'tests' / 'lit.cfg.py')!r})",
                  f"config.environment['LD_LIBRARY_PATH'] = {self.libraries!r}", "config.name = 'ops'",
                  # Fake drivers run only code that says so; on others it changes nothing.
                  f"config.environment.update({ {k: v for k, v in os.environ.items() if k.startswith('TENSORC_')}!r})",
                  f"config.test_source_root = {str(BUNDLE / 'tests' / 'ops')!r}",
                  f"config.test_exec_root = {str(site)!r}"]
        (site / "lit.site.cfg.py").write_text("\n".join(lines) + "\n")
        report = self.folder / "ops.json"
        start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from lit.main import main; main()"
        # lit reports what it got to when the time is over.
        command = [sys.executable, "-c", start, BUNDLE / "lib", "-q", f"-j{self.options.jobs}",
                   f"--max-time={int(self.left())}", "--output", report, site]
        if self.options.filter:
            command.insert(4, f"--filter={self.options.filter}")
        # Python runs with the machine's own libraries.
        del self.environment["LD_LIBRARY_PATH"]
        _, out, err = self.run(*command, timeout=self.left() + 60)
        self.environment["LD_LIBRARY_PATH"] = self.libraries
        if not report.exists():
            suite.failures["lit"] = (out + err)[-2000:]
            return
        for test in json.loads(report.read_text())["tests"]:
            name = test["name"].split(":: ")[-1]
            if test["code"] in ("PASS", "XFAIL"):
                suite.passed += 1
            elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
                suite.skipped += 1
            else:
                suite.failures[name] = test.get("output", "")[-2000:]

    # Random programs against the interpreter, in pieces so that a crash costs one.

    def programs(self, suite):
        program = self.program("tensorc-fuzz")
        if not program:
            suite.missing = True
            return
        count, piece = self.options.programs, 25
        for first in range(1, count + 1, piece):
            size = min(piece, count + 1 - first)
            if time.monotonic() > self.deadline:
                suite.skipped += count + 1 - first
                return
            status, out, err = self.run(program, f"--device={self.options.device}", f"--seed={first}", f"--count={size}")
            failed = re.search(r"(\d+) failed", out)
            broken = int(failed.group(1)) if failed else size
            if not failed and status == 0:
                broken = 0
            suite.passed += size - broken
            seeds = re.findall(r"FAILED: .*--seed=(\d+)", err) or [str(first)] * bool(broken)
            for seed in seeds:
                suite.failures[f"seed {seed}"] = err[-2000:]

    def benchmarks(self, suite):
        figures = {}
        for name in BENCHMARKS:
            program = self.program(f"bench-{name}")
            if not program:
                suite.skipped += 1
                continue
            command = [program, "--benchmark_format=json"] + ["--tiny"] * self.options.tiny
            status, out, err = self.run(*command)
            try:
                entries = json.loads(out[out.index("{"):])["benchmarks"] if status == 0 else None
            except (ValueError, KeyError):
                entries = None
            if entries is None:
                suite.failures[name] = err[-2000:]
                continue
            for entry in entries:
                if entry.get("error_occurred"):
                    suite.failures[entry["name"]] = entry.get("error_message", "")
                elif entry.get("aggregate_name", "median") == "median":
                    suite.passed += 1
                    numbers = {key: value for key, value in entry.items()
                               if isinstance(value, (int, float)) and not key.endswith("_index")}
                    figures[f"{name}/{entry['run_name']}"] = {**numbers, "unit": entry.get("time_unit", "")}
        return figures


def describe(runner, device):
    """The device's line in `tensorc devices`; devices that are not listed have none."""
    status, out, err = runner.run(BUNDLE / "bin" / "tensorc", "devices")
    if status != 0:
        sys.exit(f"run-gpu-tests: tensorc does not run here: {err.strip()}")
    for line in out.splitlines():
        if line.split()[:1] == [device]:
            return " ".join(line.split()[1:])
    return ""


def check(runner, device):
    """Runs one small program, so that a wrong name is one message and not 100 failures."""
    program = runner.folder / "check.mlir"
    program.write_text("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                       "  %y = tx.add %x, %x : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n")
    status, _, err = runner.run(BUNDLE / "bin" / "tensorc", "run", program, f"--device={device}", "--random-inputs")
    if status != 0:
        print(f"run-gpu-tests: {device} runs nothing here: {err.strip()}", file=sys.stderr)
        sys.exit(2)


def table(suites, figures):
    lines = [f"{'suite':<12}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}"]
    for suite in suites:
        if suite.missing:
            lines.append(f"{suite.name:<12}{'not in this bundle':>34}")
        else:
            lines.append(f"{suite.name:<12}{suite.passed:>8}{len(suite.failures):>8}{suite.skipped:>9}{suite.seconds:>9.1f}")
    width = max([len(name) for name in figures] + [0]) + 2
    for name, numbers in figures.items():
        rate = numbers.get("bytes_per_second") or numbers.get("items_per_second")
        shown = f"{rate * 1e-9:12.2f} G/s" if rate else ""
        lines.append(f"{name:<{width}}{numbers.get('real_time', 0):12.2f} {numbers['unit']}{shown}")
    return "\n".join(lines)


def write_results(options, device, commit, suites, figures):
    """The figures and the table, as far as they are there: a run that is cut off leaves them."""
    document = {"date": datetime.datetime.now().isoformat(timespec="seconds"), "commit": commit,
                "device": options.device, "description": device,
                "suites": [suite.summary() for suite in suites], "benchmarks": figures}
    text = json.dumps(document, indent=1) + "\n"
    if options.json:
        options.json.write_text(text)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        # "cuda:sm_90a NVIDIA H200, ..." is nvidia-h200.
        model = device.split(",")[0].split(" ", 1)[-1] or options.device
        gpu = re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")
        stem = options.out / f"{datetime.date.today().isoformat()}-{gpu}"
        stem.with_name(stem.name + ".json").write_text(text)
        stem.with_name(stem.name + ".md").write_text(markdown(document))


def markdown(document):
    lines = [f"{document['device']} {document['description']}, commit {document['commit']}, {document['date']}", "",
             "| suite | passed | failed | skipped | seconds |", "|---|---:|---:|---:|---:|"]
    lines += [f"| {s['suite']} | {s['passed']} | {s['failed']} | {s['skipped']} | {s['seconds']} |"
              for s in document["suites"]]
    if document["benchmarks"]:
        lines += ["", "| benchmark | time | rate |", "|---|---:|---:|"]
    for name, numbers in document["benchmarks"].items():
        rate = numbers.get("bytes_per_second") or numbers.get("items_per_second")
        shown = f"{rate * 1e-9:.2f} G/s" if rate else ""
        lines.append(f"| {name} | {numbers.get('real_time', 0):.2f} {numbers['unit']} | {shown} |")
    return "\n".join(lines) + "\n"


def arguments():
    parser = argparse.ArgumentParser(prog="run-gpu-tests.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--json", type=pathlib.Path, help="also write the table and all figures here")
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--filter", help="of tests/ops: those whose name matches")
    parser.add_argument("--programs", type=int, default=200, help="random programs")
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1))
    parser.add_argument("--limit", type=float, default=900, help="seconds for one suite; what it got to is kept")
    parser.add_argument("--out", type=pathlib.Path, help="folder for <date>-<gpu>.json and .md, written after each suite")
    parser.add_argument("--tiny", action="store_true", help="benchmarks of tiny sizes: only whether they run")
    options = parser.parse_args()
    options.suites = options.suites.split(",")
    for name in options.suites:
        if name not in SUITES:
            parser.error(f"no suite {name}: there are {', '.join(SUITES)}")
    return options


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="tensorc-gpu-tests-") as folder:
        runner = Runner(options, folder)
        device = describe(runner, options.device)
        check(runner, options.device)
        commit = (BUNDLE / "commit").read_text().strip()
        suites, figures = [], {}
        for name in options.suites:
            suite = Suite(name)
            print(f"run-gpu-tests: {name}", file=sys.stderr, flush=True)
            begin = time.monotonic()
            runner.deadline = begin + options.limit
            figures.update(getattr(runner, name)(suite) or {})
            suite.seconds = time.monotonic() - begin
            suites.append(suite)
            write_results(options, device, commit, suites, figures)
    for suite in suites:
        for name, said in suite.failures.items():
            print(f"\n=== {suite.name}: {name}\n{said}", file=sys.stderr)
    print(f"{options.device} {device}, commit {commit}\n{table(suites, figures)}")
    sys.exit(1 if any(suite.failures for suite in suites) else 0)


if __name__ == "__main__":
    main()
