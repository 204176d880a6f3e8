"""Runs tests/ops on cpu:wasm32, and compares the bits with cpu:x86-64-v2.

    ops.py TENSORC_TEST_SERVER FOLDER [--some] [NAME ...]

Names are those of files without .mlir; --some takes one run of each file, in turn. Each of two workers has a process that
compiles and runs, and one of Node.js that runs the modules. The target cpu is taken for x86-64-v2 here. Its code is not
optimized, because it gives the same bits in half of the compile time. Prints the programs that are refused by their reason,
and the processor time, and fails where bits differ.
"""

import collections
import concurrent.futures
import glob
import json
import os
import pathlib
import queue
import re
import resource
import shlex
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

import write_npy  # noqa: E402

# Reasons why a program is no module (docs/web.md).
REFUSALS = ("which WebAssembly code cannot", "use --emit=package", "has no form in an object", "no input gives the sizes of output",
            "for which C has no type")


class Server:
    """tensorc-test-server, which runs commands of the tool one after the other."""

    def __init__(self, program, folder):
        environment = {**os.environ, "TENSORC_TEST_CPU": "generic", "TENSORC_NUM_THREADS": "1"}
        self.process = subprocess.Popen([os.path.abspath(program)], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.log = folder / "log.txt"

    def ask(self, *words):
        """None, or what the tool said if it failed."""
        self.log.write_text("")
        request = {"words": ["tensorc", *map(str, words)], "in": "", "out": str(self.log), "err": str(self.log)}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the compiler died: {shlex.join(map(str, words))}")
        return None if int(line) == 0 else self.log.read_text(errors="replace")


class Judge:
    """A process of Node.js that runs modules."""

    def __init__(self, folder):
        self.process = subprocess.Popen(["node", TESTS / "wasm/judge.mjs"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request, default=str) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["wrong"]


def runs(path, folder):
    """The options of each %run_op of a test, but for those whose inputs come from a program. Writes the inputs."""
    text = path.read_text()
    for line in re.findall(r"^// RUN: (.*)", text.replace("\\\n// RUN:", ""), re.M):
        words = shlex.split(line.split("|")[0].replace("%t", str(folder / path.stem)))
        if words[0] == "%npy":
            os.makedirs(os.path.dirname(words[1]), exist_ok=True)
            write_npy.write(*words[1:])
        elif words[0] == "%run_op" and all(os.path.exists(word.split("=")[-1]) for word in words if word.startswith("--input=")):
            yield [word for word in words[1:] if not word.startswith(("--compare", "--output-dir", "2>"))]


def named(folder):
    return {os.path.basename(file)[: -len(".npy")]: file for file in glob.glob(f"{folder}/*.npy")}


class Worker:
    """Tests one file after the other."""

    def __init__(self, server, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.server, self.judge = folder, Server(server, folder), Judge(folder)
        self.modules = {}  # by file and entry: module and package, and the reason if they are refused
        self.refused, self.wrong, self.count = collections.Counter(), 0, 0

    def compile(self, path, entry):
        if (path, entry) not in self.modules:
            out = self.folder / f"{path.stem}{len(self.modules)}.js"
            package = out.with_suffix(".tcpkg")
            reason = self.server.ask("compile", path, "-o", out, f"--entry={entry}")
            if reason is None:
                reason = self.server.ask("compile", path, "-o", package, f"--entry={entry}", "-O0")
            self.modules[path, entry] = (out, package, reason)
        return self.modules[path, entry]

    def run(self, path, options):
        entry = next((word.removeprefix("--entry=") for word in options if word.startswith("--entry=")), "main")
        name = f"{path.name} {shlex.join(options)}"
        module, package, reason = self.compile(path, entry)
        if reason is not None:
            known = [text for text in REFUSALS if text in reason]
            self.refused.update(known)
            if not known:
                self.report(f"{name}\n{reason}")
            return
        inputs, outputs = self.folder / "inputs", self.folder / "outputs"
        for file in [*named(inputs).values(), *named(outputs).values()]:
            os.remove(file)
        failure = self.server.ask("run", package, *options, f"--input-dir={inputs}", f"--output-dir={outputs}")
        method = "run" if entry in ("main", path.stem) else entry
        failure = failure or self.judge.ask(module=module, method=method, inputs=named(inputs), outputs=named(outputs))
        if failure:
            self.report(f"{name}\n{failure}")
        self.count += 1

    def report(self, text):
        self.wrong += 1
        print(text, flush=True)

    def test(self, files, some):
        """Takes files until none is left."""
        while True:
            try:
                number, path = files.get_nowait()
            except queue.Empty:
                break
            options = list(runs(path, self.folder))
            if some and options:
                options = [options[number % len(options)]]
            for each in options:
                self.run(path, each)
        for process in (self.server.process, self.judge.process):
            process.stdin.close()
            process.wait()


def main(server, folder, *names):
    some = "--some" in names
    names = set(names) - {"--some"}
    files = queue.SimpleQueue()
    for number, path in enumerate(sorted((TESTS / "ops").glob("*.mlir"))):
        if not names or path.stem in names:
            files.put((number, path))
    workers = [Worker(server, pathlib.Path(folder) / str(i)) for i in range(2)]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda worker: worker.test(files, some), workers))
    count, wrong = sum(worker.count for worker in workers), sum(worker.wrong for worker in workers)
    refused = sum((worker.refused for worker in workers), collections.Counter())
    print(f"{count} runs with equal bits but for {wrong}; refused: {sum(refused.values())}")
    for text, number in refused.most_common():
        print(f"  {number}: {text}")
    used = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    print(f"processor time: {sum(each.ru_utime + each.ru_stime for each in used):.0f} s")
    return wrong > 0 or count == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
