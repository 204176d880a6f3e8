"""Runs tensorc's commands in one process, as lit's tests do (tests/served.py)."""

import json
import os
import select
import subprocess
import tempfile


class Server:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp()
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, words, seconds=120):
        """The exit status and what the command said; None: it crashed or took too long."""
        for name in ("out", "err"):
            open(self.path(name), "w").close()
        request = {"words": ["tensorc", *words], "in": "", "out": self.path("out"), "err": self.path("err")}
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            ready = select.select([self.process.stdout], [], [], seconds)[0]
            answer = self.process.stdout.readline() if ready else ""
        except BrokenPipeError:
            answer = ""
        with open(self.path("err"), errors="replace") as file:
            text = file.read()
        if not answer.strip():
            self.process.kill()
            self.process.wait()
            self.start()
            return None, text
        return int(answer), text
