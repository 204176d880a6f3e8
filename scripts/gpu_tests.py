"""Runs a bundle of pack-gpu-tests.sh on one device; see run-gpu-tests.sh.

The exit status is 0; 1 if a test failed or a suite did not finish; 2 for bad usage or an unknown device; 130 after
Ctrl-C.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import gpu_page

BUNDLE = pathlib.Path(__file__).resolve().parent
# Each suite's share of the time, in the order in which they run. The most important suites come first. Time that a suite
# does not use is divided among the later ones.
SHARES = {"cts": 40, "ops": 145, "programs": 55, "races": 45, "kernels": 110, "tuning": 60, "dispatch": 15}
PEERS = {"cublas": "cuBLAS", "torch": "PyTorch", "triton": "Triton", "flash_attn": "FlashAttention"}
MAX_TEXT = 2000  # maximum length of a failure's text
# Seconds that are kept for each kernel's tiny size, which is measured if the full size takes too long.
TINY_SECONDS = 2.0


class Case:
    """A kernel of kernels.mlir at one size. Its work is counted in `unit`."""

    def __init__(self, kernel, sizes, tiny, work, unit):
        self.kernel, self.sizes, self.tiny, self.work, self.unit = kernel, sizes, tiny, work, unit

    def sized(self, is_tiny):
        return list(self.tiny if is_tiny else self.sizes)

    def shapes(self, sizes):
        if self.kernel.startswith("gemm_"):
            m, k, n = sizes
            operands = {"x": (m, k), "y": (k, n)}
        elif self.kernel.startswith("attention"):
            operands = {name: (*sizes, 64) for name in "qkv"}
        else:
            operands = {name: sizes for name in ("xy" if self.kernel == "add" else "x")}
        return [f"--shape={name}:{','.join(map(str, dims))}" for name, dims in operands.items()]


def product(m, k, n):
    return 2e-12 * m * k * n


def scores(batch, heads, length):
    return 4e-12 * batch * heads * length * length * 64


def moved(arrays):
    return lambda m, n: 4e-9 * arrays * m * n


ATTENTION, MATRIX = ((4, 32, 2048), (1, 2, 64)), ((8192, 4096), (64, 96))
CASES = [Case("gemm_f16", (4096, 4096, 4096), (64, 64, 64), product, "TFLOP"),
         Case("gemm_bf16", (8192, 4096, 4096), (64, 64, 64), product, "TFLOP"),
         Case("gemm_f32", (4096, 4096, 4096), (64, 64, 64), product, "TFLOP"),
         Case("attention", *ATTENTION, scores, "TFLOP"),
         Case("attention_causal", *ATTENTION, lambda *sizes: scores(*sizes) / 2, "TFLOP"),
         Case("add", *MATRIX, moved(3), "GB"), Case("softmax", *MATRIX, moved(2), "GB"),
         Case("layer_norm", *MATRIX, moved(2), "GB"), Case("sum_rows", *MATRIX, moved(1), "GB"),
         Case("transpose", *MATRIX, moved(2), "GB")]


class Suite:
    """The results of a suite. `failures` are names with messages. `reason` tells why the suite did not finish or never
    ran."""

    def __init__(self, name):
        self.name, self.limit = name, 0.0
        self.passed, self.skipped, self.failures, self.seconds = 0, 0, {}, 0.0
        self.state, self.reason = "waiting", ""

    def skip(self, reason):
        self.state, self.reason = "skipped", reason

    def stop(self, reason):
        self.state, self.reason = "incomplete", self.reason or reason

    def fail(self, name, said):
        self.failures[name] = said[-MAX_TEXT:]

    def summary(self):
        return {"suite": self.name, "state": self.state, "reason": self.reason, "passed": self.passed,
                "skipped": self.skipped, "seconds": round(self.seconds, 1), "limit": round(self.limit, 1),
                "failures": self.failures}


class Ended:
    """A program that ended. `status` is None if it took too long. `reason` is "" if it ended by itself."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err
        self.reason = "took too long" if status is None else ""
        if status is not None and status < 0:
            self.reason = f"was ended by {signal.Signals(-status).name}"

    def said(self):
        return "\n".join(part for part in (self.out.strip(), self.err.strip(), self.reason) if part)


class Runner:
    def __init__(self, options, folder, results):
        self.options, self.folder, self.results = options, pathlib.Path(folder), results
        self.cases = [case for case in CASES if re.search(options.kernels, case.kernel)]
        # The caller's path may contain a driver's library, or a newer oneTBB that a driver needs.
        folders = [os.environ.get("LD_LIBRARY_PATH", ""), str(BUNDLE / "lib")]
        self.libraries = os.pathsep.join(folder for folder in folders if folder)
        self.kind = options.device.split(":")[0]
        self.deadline = None
        self.running = set()  # the processes of run()
        self.tensorc = BUNDLE / "bin" / "tensorc"

    def program(self, name):
        path = BUNDLE / "bin" / name
        return path if path.exists() else None

    def left(self):
        """Returns the seconds that remain for the suite."""
        return max(0.5, self.deadline - time.monotonic())

    def is_over(self):
        return time.monotonic() >= self.deadline

    def run(self, *command, timeout=None, interrupt=None, libraries=True, variables=None):
        """Runs a program in a separate process group, which is killed if it takes too long. The output goes to files,
        so that it is kept in this case. After `interrupt` seconds the program is asked to end."""
        environment = {**os.environ, "TENSORC_DEVICE": self.options.device, **(variables or {})}
        if libraries:
            environment["LD_LIBRARY_PATH"] = self.libraries
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            started = subprocess.Popen([str(word) for word in command], env=environment, cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
            self.running.add(started)
            try:
                status = self.wait(started, interrupt, timeout or self.left())
            finally:
                self.kill(started)  # also kills the processes that it left running
                started.wait()
                self.running.discard(started)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode(errors="replace"))
        return Ended(status, *texts)

    @staticmethod
    def wait(started, interrupt, timeout):
        """Returns the exit status; None after the timeout."""
        end = time.monotonic() + timeout
        try:
            if interrupt is not None:
                return started.wait(interrupt)
        except subprocess.TimeoutExpired:
            started.send_signal(signal.SIGINT)
        try:
            return started.wait(end - time.monotonic())
        except subprocess.TimeoutExpired:
            return None

    @staticmethod
    def kill(started):
        try:
            os.killpg(started.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    # The conformance suite. Its tests have the device as their parameter.

    def cts(self, suite):
        program = self.program("tensorc_rt_cts")
        if not program:
            return suite.skip("not in this bundle")
        names, group = [], ""
        for line in self.run(program, "--gtest_list_tests").out.splitlines():
            if not line.startswith(" "):
                group = line.split("#")[0].strip()
            parameter = re.search(r'GetParam\(\) = "([^"]*)"', line)
            if parameter and parameter.group(1).split(":")[0] == self.kind:
                names.append(group + line.split("#")[0].strip())
        if not names:
            return suite.skip(f"has no tests for {self.kind}")
        # If a test crashes the process, only this test is lost.
        while names and not self.is_over():
            ended = self.run(program, "--gtest_filter=" + ":".join(names))
            running, said = None, []
            for line in ended.out.splitlines():
                mark = re.match(r"\[ +(RUN|OK|FAILED|SKIPPED) +\] ([^ ,]+)", line)
                if mark and mark.group(1) == "RUN":
                    running, said = mark.group(2), []
                elif mark and mark.group(2) == running:
                    names.remove(running)
                    suite.passed += mark.group(1) == "OK"
                    suite.skipped += mark.group(1) == "SKIPPED"
                    if mark.group(1) == "FAILED":
                        suite.fail(running, "\n".join(said))
                    running = None
                else:
                    said.append(line)
            if ended.status is None:
                return suite.stop(f"took too long in {running}")
            if not running:
                break
            names.remove(running)
            suite.fail(running, "\n".join(said[-20:]) + "\n" + ended.err[-MAX_TEXT:] + ended.reason)
        if names:
            suite.stop(f"{len(names)} tests did not run")

    # tests/ops: lit with a configuration for the folder of the bundle.
    def ops(self, suite):
        site = self.folder / "ops"
        site.mkdir()
        values = {"tensorc_bin": str(BUNDLE / "bin"), "llvm_bin": str(BUNDLE / "bin"), "python": sys.executable,
                  "source_dir": str(BUNDLE), "sanitize": "", "tools_missing": "", "opencl_folder": None, "vulkan_driver": None,
                  "test_target": self.options.device, "test_driver": self.results["description"]}
        # Drivers read variables of many names. Fakes only run code that is marked for them.
        named = {name: value for name, value in os.environ.items() if name not in ("PATH", "LD_LIBRARY_PATH")}
        lines = [f"config.{name} = {value!r}" for name, value in values.items()]
        lines += [f"lit_config.load_config(config, {str(BUNDLE / 'tests' / 'lit.cfg.py')!r})",
                  f"config.environment['LD_LIBRARY_PATH'] = {self.libraries!r}", "config.name = 'ops'",
                  f"config.environment.update({named!r})",
                  f"config.test_source_root = {str(BUNDLE / 'tests' / 'ops')!r}",
                  f"config.test_exec_root = {str(site)!r}"]
        (site / "lit.site.cfg.py").write_text("\n".join(lines) + "\n")
        report = self.folder / "ops.json"
        start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from lit.main import main; main()"
        command = [sys.executable, "-c", start, BUNDLE / "lib", "-q", f"-j{self.options.jobs}", "--output", report, site]
        if self.options.filter:
            command.insert(4, f"--filter={self.options.filter}")
        # Python runs with the machine's own libraries. lit reports its progress when it is interrupted, and needs some time
        # to end the running tests. Its --max-time is no limit: a test that ends in time starts it anew.
        ended = self.run(*command, libraries=False, interrupt=self.left() * 0.9)
        if not report.exists():
            suite.fail("lit", ended.said())
            return suite.stop(ended.reason or "left no report")
        tests = json.loads(report.read_text())["tests"]
        begun = re.search(r"Testing: (\d+)", ended.out + ended.err)
        not_run = int(begun.group(1)) - len(tests) if begun else 0  # The report omits tests that did not run.
        for test in tests:
            name = test["name"].split(":: ")[-1]
            if test["code"] in ("PASS", "XFAIL"):
                suite.passed += 1
            elif test["code"] in ("UNSUPPORTED", "EXCLUDED"):
                suite.skipped += 1
            else:
                suite.fail(name, test.get("output", ""))
        if not_run:
            suite.stop(f"{not_run} files did not run in time")
        elif not suite.passed and not suite.failures:
            suite.stop("no file ran")

    # Random programs are compared with the interpreter in batches, so that a crash affects only one batch.

    def programs(self, suite):
        program = self.program("tensorc-fuzz")
        if not program:
            return suite.skip("not in this bundle")
        count, piece, late = self.options.programs, 25, 0

        def start(first):
            if self.is_over():
                return Ended(None, "", "")
            return self.run(program, f"--device={self.options.device}", f"--seed={first}",
                            f"--count={min(piece, count + 1 - first)}")

        firsts = range(1, count + 1, piece)
        for first, ended in zip(firsts, self.in_parallel(start, firsts)):
            size = min(piece, count + 1 - first)
            if ended.status is None:
                late += size
                continue
            failed = re.search(r"(\d+) failed", ended.out)
            broken = int(failed.group(1)) if failed else 0 if ended.status == 0 else size
            suite.passed += size - broken
            for seed in re.findall(r"FAILED: .*--seed=(\d+)", ended.err) or [str(first)] * bool(broken):
                suite.fail(f"seed {seed}", ended.err + ended.reason)
        if late:
            suite.stop(f"{late} of {count} programs did not finish in time")

    def in_parallel(self, function, items):
        """Yields the results in the order of the items."""
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            try:
                yield from pool.map(function, items)
            except BaseException:  # after Ctrl-C nothing else starts
                self.deadline = time.monotonic()
                for started in list(self.running):
                    self.kill(started)
                raise

    # Programs whose threads share memory, run under a checker: compute-sanitizer, or the simulator's own checks.

    def races(self, suite):
        watchers = []
        if self.kind == "cuda":
            tool = shutil.which("compute-sanitizer", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")
            if not tool:
                return suite.skip("compute-sanitizer is not installed")
            watchers = [(name, [tool, f"--tool={name}", "--error-exitcode=9"], {}) for name in ("racecheck", "memcheck")]
        elif self.kind == "sim":
            watchers = [(order, [], {"TENSORC_SIM_ORDER": order}) for order in ("reverse", "random")]
        else:
            return suite.skip(f"nothing looks for races of {self.kind}")
        cases = [case for case in self.cases if case.kernel not in ("add", "gemm_bf16")]
        for name, prefix, variables in watchers:
            for case in cases:
                if self.is_over():
                    return suite.stop("did not finish in time")
                ended = self.run(*prefix, self.tensorc, "run", BUNDLE / "kernels.mlir", f"--entry={case.kernel}",
                                 "--random-inputs", f"--device={self.options.device}", *case.shapes(case.tiny),
                                 variables=variables)
                if ended.status == 0:
                    suite.passed += 1
                elif ended.status is None:
                    return suite.stop(f"took too long in {case.kernel} under {name}")
                else:
                    suite.fail(f"{case.kernel} under {name}", ended.said())

    def try_sizes(self, suite, rows, end, start):
        """Calls start(case, row, is_tiny, seconds) for each kernel, with its full size if there is time, and with its tiny
        size if this takes too long. Yields cases and rows with what ended by itself."""
        for number, (case, row) in enumerate(zip(self.cases, rows)):
            others = len(self.cases) - number - 1
            ended = None
            for is_tiny in (False, True):
                left = end - time.monotonic()
                seconds = left - TINY_SECONDS * others
                if not is_tiny:
                    seconds = min(seconds - TINY_SECONDS, 2 * left / max(4, others + 1))
                if left <= 0 or (not is_tiny and (self.options.tiny or seconds <= 0)):
                    continue
                row["sizes"] = case.sized(is_tiny)
                ended = start(case, row, is_tiny, max(0.5, seconds))
                if ended.status is not None:
                    break
            if ended is None or ended.status is None:
                row["reason"] = "took too long" if ended else "no time was left"
                suite.stop("some kernels did not finish in time")
                continue
            if row["sizes"] != case.sized(self.options.tiny):
                row["reason"] = f"{' x '.join(map(str, row['sizes']))}, because the full size took too long"
            yield case, row, ended

    # Measures our time, and then the time of each other library in a separate process.

    def kernels(self, suite):
        rows = self.results["kernels"]
        rows += [{"kernel": case.kernel, "sizes": case.sized(self.options.tiny), "unit": case.unit, "seconds": None,
                  "peers": []} for case in self.cases]

        def start(case, row, is_tiny, seconds):
            return self.run(self.tensorc, "bench", BUNDLE / "kernels.mlir", f"--entry={case.kernel}", "--json=-",
                            f"--device={self.options.device}", *case.shapes(row["sizes"]),
                            *["--iterations=3"] * is_tiny, timeout=seconds)

        end = time.monotonic() + self.left() / (2 if self.kind in ("cuda", "rocm") else 1)
        for case, row, ended in self.try_sizes(suite, rows, end, start):
            try:
                measured = json.loads(ended.out) if ended.status == 0 else None
            except ValueError:
                measured = None
            if measured is None:
                row["reason"] = ended.reason or ended.err.strip()[-MAX_TEXT:]
                suite.fail(case.kernel, ended.said())
                continue
            row["seconds"] = sum(kernel["min_seconds"] * kernel["launches"] / measured["iterations"]
                                 for kernel in measured["kernels"])
            suite.passed += 1
        for case, row in zip(self.cases, rows):
            row["work"] = case.work(*row["sizes"])
        self.peers(rows)

    def peers(self, rows):
        for number, (library, name) in enumerate(PEERS.items()):
            if self.kind not in ("cuda", "rocm") or (library == "cublas" and self.kind != "cuda"):
                for row in rows:
                    row["peers"].append({"name": name, "reason": f"does not run on {self.kind}"})
                continue
            cases = json.dumps([{"kernel": row["kernel"], "sizes": row["sizes"]} for row in rows])
            ended = self.run(sys.executable, BUNDLE / "gpu_peers.py", library, self.options.device, cases,
                             libraries=False, timeout=self.left() / (len(PEERS) - number))
            answers = {}
            for line in ended.out.splitlines():
                if line.startswith("{"):
                    answer = json.loads(line)
                    answers[answer.get("kernel")] = answer
            for row in rows:
                answer = answers.get(row["kernel"], {})
                reason = answer.get("reason") or answers.get(None, {}).get("absent")
                if not answer and not reason:
                    reason = ended.reason or ended.err.strip()[-300:] or "said nothing"
                row["peers"].append({"name": name, **({"seconds": answer["seconds"]} if answer.get("seconds")
                                                      else {"reason": reason})})

    def tuning(self, suite):
        kept = (self.options.out or self.folder) / "tuning.tctune"
        rows = self.results["tuning"]
        rows += [{"kernel": case.kernel, "sizes": case.sized(self.options.tiny)} for case in self.cases]

        def start(case, row, is_tiny, seconds):
            # The search ends within its time limit, to which the compile times are added.
            search = 0.01 if is_tiny else seconds / 4
            return self.run(self.tensorc, "tune", BUNDLE / "kernels.mlir", f"--entry={case.kernel}",
                            f"--device={self.options.device}", f"--time={search:.2f}s", f"-o={kept}",
                            *case.shapes(row["sizes"]), timeout=seconds)

        for case, row, ended in self.try_sizes(suite, rows, self.deadline, start):
            line = re.search(r"^\S+ +\d+ +(\d+/\d+) +([\d.]+) +([\d.]+) +[\d.]+  (.*)$", ended.out, re.MULTILINE)
            if line:
                tried, usual, best, schedule = line.groups()
                row.update(tried=tried, usual_seconds=float(usual) * 1e-3, seconds=float(best) * 1e-3, schedule=schedule)
                suite.passed += 1
            else:
                row["reason"] = ended.reason or ended.said()[-300:] or "said nothing"
                suite.fail(case.kernel, ended.said())

    def dispatch(self, suite):
        program = self.program("bench-dispatch")
        if not program:
            return suite.skip("not in this bundle")
        # There are 5 benchmarks of 15 repetitions. An eighth of the time is measured; the rest is for the search for the
        # number of iterations, and for compile times.
        least = min(0.03, self.left() / 600)
        ended = self.run(program, "--benchmark_format=json", f"--benchmark_min_time={least:.4f}",
                         *["--tiny"] * self.options.tiny)
        try:
            entries = json.loads(ended.out[ended.out.index("{"):])["benchmarks"]
        except (ValueError, KeyError):
            suite.fail("bench-dispatch", ended.said())
            return suite.stop(ended.reason or "left no figures")
        units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
        for entry in entries:
            if entry.get("error_occurred"):
                suite.fail(entry["name"], entry.get("error_message", ""))
            elif entry.get("aggregate_name", "median") == "median":
                suite.passed += 1
                self.results["dispatch"][entry["run_name"]] = entry["real_time"] * units[entry["time_unit"]]


def describe(runner, device):
    """Returns the device's line in `tensorc devices`, or None for devices that are not listed."""
    ended = runner.run(runner.tensorc, "devices", timeout=60)
    if ended.status != 0:
        sys.exit(f"run-gpu-tests: tensorc does not run here: {ended.said()}")
    for line in ended.out.splitlines():
        if line.split()[:1] == [device]:
            return " ".join(line.split()[1:])
    return ""


def check(runner, device):
    """Runs one small program, so that a wrong device name causes one error message instead of 100 failures."""
    program = runner.folder / "check.mlir"
    program.write_text("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                       "  %y = tx.add %x, %x : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n")
    ended = runner.run(runner.tensorc, "run", program, f"--device={device}", "--random-inputs", timeout=120)
    if ended.status != 0:
        print(f"run-gpu-tests: {device} runs nothing here: {ended.err.strip()}{ended.reason}", file=sys.stderr)
        sys.exit(2)


def describe_machine(runner):
    """Returns properties of the machine on which the results may depend, as far as they can be determined."""
    machine = {"system": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()}
    for name in ("nvidia", "amdgpu"):
        version = pathlib.Path(f"/sys/module/{name}/version")
        if version.exists():
            machine[f"{name} driver"] = version.read_text().strip()
    for tool in (["nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm,power.limit", "--format=csv,noheader"],
                 ["rocm-smi", "--showproductname", "--showdriverversion"], ["vulkaninfo", "--summary"], ["clinfo", "--list"]):
        if shutil.which(tool[0]):
            machine[tool[0]] = runner.run(*tool, libraries=False, timeout=10).said()[:MAX_TEXT]
    ask = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
    for package in ("torch", "triton", "flash_attn"):
        ended = runner.run(sys.executable, "-c", ask, package, libraries=False, timeout=10)
        machine[package] = ended.out.strip() if ended.status == 0 else "not installed"
    return machine


def write(path, text):
    """Writes a file atomically: a reader sees the old file or the new one."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)


class Results(dict):
    """The document with the results, which is written after each suite."""

    def __init__(self, options, suites):
        commit = (BUNDLE / "commit").read_text().strip()
        super().__init__(format=2, date=datetime.datetime.now().isoformat(timespec="seconds"), commit=commit,
                         device=options.device, description="", state="waiting", seconds=0.0, limit=options.limit,
                         machine={}, suites=[], kernels=[], tuning=[], dispatch={})
        self.options, self.found, self.begin = options, suites, time.monotonic()

    def save(self):
        self["seconds"] = round(time.monotonic() - self.begin, 1)
        self["suites"] = [suite.summary() for suite in self.found]
        states = [suite.state for suite in self.found]
        self["state"] = next((state for state in ("interrupted", "waiting", "failed", "incomplete") if state in states),
                             "passed")
        if self.options.out:
            write(self.options.out / "results.json", json.dumps(self, indent=1) + "\n")
            write(self.options.out / "results.html", gpu_page.page(self))


def run_suite(runner, suite, later, end):
    """Runs a suite and sets its state, even after an exception. The time until `end` is divided among this suite and the
    later ones."""
    begin = time.monotonic()
    suite.limit = max(0.5, end - begin) * SHARES[suite.name] / sum(SHARES[each.name] for each in [suite, *later])
    runner.deadline = begin + suite.limit
    try:
        getattr(runner, suite.name)(suite)
    except KeyboardInterrupt:
        suite.state, suite.reason = "interrupted", "by the user"
        raise
    except Exception as error:  # the other suites continue
        suite.fail("gpu_tests.py", f"{type(error).__name__}: {error}")
        suite.stop("the script failed")
    finally:
        suite.seconds = time.monotonic() - begin
        if suite.state == "waiting":
            suite.state = "failed" if suite.failures else "passed"


def arguments():
    parser = argparse.ArgumentParser(prog="run-gpu-tests.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--suites", default=",".join(SHARES))
    parser.add_argument("--filter", help="of tests/ops: those whose name matches")
    parser.add_argument("--kernels", default="", help="of races, kernels and tuning: those whose name matches")
    parser.add_argument("--programs", type=int, default=200, help="random programs")
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1))
    parser.add_argument("--limit", type=float, default=sum(SHARES.values()),
                        help="seconds for all; each suite has its share, and keeps what it got to")
    parser.add_argument("--out", type=pathlib.Path, help="folder for results.json and results.html")
    parser.add_argument("--tiny", action="store_true", help="kernels of tiny sizes: only whether they run")
    options = parser.parse_args()
    options.suites = options.suites.split(",")
    for name in options.suites:
        if name not in SHARES:
            parser.error(f"no suite {name}: there are {', '.join(SHARES)}")
    if options.out:
        options.out = options.out.resolve()
        options.out.mkdir(parents=True, exist_ok=True)
    return options


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    options = arguments()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    suites = [Suite(name) for name in options.suites]
    results = Results(options, suites)
    with tempfile.TemporaryDirectory(prefix="tensorc-gpu-tests-") as folder:
        runner = Runner(options, folder, results)
        try:
            results["description"] = describe(runner, options.device)
            check(runner, options.device)
            results["machine"] = describe_machine(runner)
            end = results.begin + options.limit
            for number, suite in enumerate(suites):
                print(f"run-gpu-tests: {suite.name}", file=sys.stderr, flush=True)
                results.save()
                run_suite(runner, suite, suites[number + 1:], end)
        except KeyboardInterrupt:
            for suite in suites:
                if suite.state == "waiting":
                    suite.state, suite.reason = "interrupted", "did not begin"
        results.save()
    for suite in suites:
        for name, said in suite.failures.items():
            print(f"\n=== {suite.name}: {name}\n{said}", file=sys.stderr)
    print(gpu_page.summary(results))
    sys.exit({"passed": 0, "interrupted": 130}.get(results["state"], 1))


if __name__ == "__main__":
    main()
