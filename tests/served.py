"""Runs the commands of lit tests in one process for each device.

A test is served if each of its lines is one of
    %npy ...
    [not] [env NAME=VALUE ...] %tensorc ... [2>&1] [| FileCheck FILE [--check-prefix=NAME ...]]
Inputs are then written here, and the other commands run in tensorc-test-server,
one after the other. A worker of lit keeps a server for each environment.
"""

import atexit
import json
import multiprocessing.util
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

import lit.ShUtil
import write_npy
from lit.ShCommands import Pipeline

TO_STDOUT = [((">&", 2), "1")]
# Number of tests between two checks for leaks. A check reads the heap of the process, which takes about a fifth of the time
# of a test.
TESTS_PER_LEAK_CHECK = 8


class Failed(Exception):
    """A command of a test did what it should not."""


class TimedOut(Exception):
    pass


class Npy:
    def __init__(self, words):
        self.words = words

    def run(self, session):
        try:
            write_npy.write(*self.words)
        except (ValueError, KeyError, TypeError) as error:
            raise Failed(f"%npy: {error!r}")


class Tool:
    def __init__(self, words, environment, fails, merged, check):
        self.words, self.environment, self.fails, self.merged, self.check = words, environment, fails, merged, check

    def run(self, session):
        status = session.ask(self.environment, ["tensorc", *self.words], merged=self.merged)
        if (status != 0) != self.fails:
            raise Failed(f"exit status {status}")
        if self.check and session.ask(self.environment, ["FileCheck", *self.check], piped=True):
            raise Failed("FileCheck found something else")


def step(line, tool, npy):
    """What a line of a test does, or None where that takes a shell. `tool` and
    `npy` are the words that %tensorc and %npy stand for."""
    pipeline = lit.ShUtil.ShParser(line, False, True).parse()
    if not isinstance(pipeline, Pipeline) or pipeline.negate or len(pipeline.commands) > 2:
        return None
    first, *rest = pipeline.commands
    if any(not isinstance(word, str) for command in pipeline.commands for word in command.args):
        return None
    words = first.args
    if words[: len(npy)] == npy and not rest and not first.redirects:
        return Npy(words[len(npy) :])
    fails = words[0] == "not"
    words = words[fails:]
    environment = {}
    if words and words[0] == "env":
        words = words[1:]
        while words and "=" in words[0]:
            name, _, environment[name] = words[0].partition("=")
            words = words[1:]
    if not words or words[0] != tool or first.redirects not in ([], TO_STDOUT):
        return None
    if any(word.startswith("--max-") for word in words):  # limits of a process, which end it
        return None
    check = None
    if rest:
        name, *check = rest[0].args
        options = [word for word in check if word.startswith("-")]
        if name != "FileCheck" or rest[0].redirects or not all(o.startswith("--check-prefix=") for o in options):
            return None
    return Tool(words[1:], environment, fails, bool(first.redirects), check)


class Server:
    """A process that runs commands until one of them ends it."""

    # Those of this worker, by the program and its environment.
    all = {}
    # Where workers report what leaked after the last check (report_leaks).
    reports = None

    def __init__(self, program, environment, folder):
        self.process = subprocess.Popen([program], env=environment, cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.tests = []  # that it ran so far
        self.unchecked = []  # those of them since the last check for leaks

    @classmethod
    def get(cls, program, environment, folder):
        key = (program, *sorted(environment.items()))
        if not cls.all:
            # When the worker ends, whose time includes that of its servers.
            multiprocessing.util.Finalize(None, cls.close_all, exitpriority=1)
        if key not in cls.all:
            cls.all[key] = cls(program, environment, folder)
        return cls.all[key]

    @classmethod
    def close_all(cls):
        for server in cls.all.values():
            if server.unchecked and cls.reports:
                report = pathlib.Path(cls.reports, str(server.process.pid))
                request = {"words": ["leaks"], "in": "", "out": str(report), "err": str(report)}
                report.touch()
                if server.ask(request, None) == 0:
                    report.unlink()
                else:
                    report.write_text(f"{report.read_text()}\nmemory leaked in one of: {', '.join(server.unchecked)}\n")
            server.process.communicate()
        cls.all.clear()

    @classmethod
    def report_leaks(cls):
        """Makes this process, lit itself, fail if a worker finds at its end that memory leaked in its last tests, whose results
        are known by then. Called before lit starts its workers."""
        if cls.reports:
            return
        folder = tempfile.TemporaryDirectory()
        cls.reports, lit_process = folder.name, os.getpid()

        def report():
            if os.getpid() != lit_process:
                return
            found = [path.read_text() for path in sorted(pathlib.Path(folder.name).iterdir())]
            folder.cleanup()
            if found:
                print(*found, sep="\n", flush=True)
                os._exit(1)

        atexit.register(report)

    def is_due(self, name):
        """Whether to check for leaks now that the test has run."""
        self.unchecked.append(name)
        return len(self.unchecked) >= TESTS_PER_LEAK_CHECK

    def end(self):
        self.process.kill()
        self.process.wait()
        self.all.pop(next(key for key, server in self.all.items() if server is self))
        return self.process.returncode

    def ask(self, request, seconds):
        """The exit status of a command, or None if it ended the server."""
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            raise TimedOut
        line = self.process.stdout.readline()
        return int(line) if line else None


class Session:
    """One test: its limit of time, its streams, its servers."""

    def __init__(self, program, name, environment, folder, base, limit):
        self.program, self.name, self.environment, self.folder = program, name, environment, folder
        self.out, self.err = base + ".served.out", base + ".served.err"
        self.deadline = time.monotonic() + limit if limit else None
        self.environments = []  # of the servers that it talked to

    def ask(self, environment, words, merged=False, piped=False):
        server = Server.get(self.program, {**self.environment, **environment}, self.folder)
        if environment not in self.environments:
            self.environments.append(environment)
            server.tests.append(self.name)
        request = {"words": words, "in": self.out if piped else "", "out": self.out, "err": self.out if merged else self.err}
        # What was there is the last command's, except for one that reads it.
        for path in {request["out"], request["err"]} - {request["in"]}:
            open(path, "w").close()
        left = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
        try:
            status = server.ask(request, left)
        except TimedOut:
            server.end()
            raise
        if status is None:
            before = ", ".join(server.tests[:-1]) or "nothing"
            raise Failed(f"the process died (status {server.end()}); it ran before: {before}")
        return status

    def said(self):
        """What the last command wrote."""
        texts = []
        for path in (self.out, self.err):
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    texts.append(file.read()[-4000:])
        return "".join(texts)

    def run(self, lines, steps):
        """None, or what went wrong."""
        line = ""
        try:
            for line, step in zip(lines, steps):
                step.run(self)
            line = "leaks"
            for environment in self.environments:
                server = Server.get(self.program, {**self.environment, **environment}, self.folder)
                if server.is_due(self.name):
                    ran, server.unchecked = server.unchecked, []
                    if self.ask(environment, ["leaks"]) != 0:
                        raise Failed(f"memory leaked in one of: {', '.join(ran)}")
        except Failed as failure:
            return f"{line.strip()}\n{failure}\n{self.said()}"
        return None
