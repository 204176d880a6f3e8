"""Interrupts run-gpu-tests.sh in a suite: BUNDLE FOLDER. The suite's program says through a pipe that it has begun."""

import json
import os
import pathlib
import select
import signal
import subprocess
import sys

bundle, out = map(pathlib.Path, sys.argv[1:])
out.mkdir()
pipe = out / "begun"
os.mkfifo(pipe)
fuzz = bundle / "bin" / "tensorc-fuzz"
fuzz.unlink(missing_ok=True)
fuzz.write_text(f"#!/bin/sh\necho begun >{pipe}\nexec sleep 1000\n")
fuzz.chmod(0o755)
command = [bundle / "run-gpu-tests.sh", "--device=sim:gfx942", "--suites=programs,ops", f"--out={out}"]
running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
# Opened without waiting for a writer: if the script ends before it writes, its text is printed below.
poll = select.poll()
poll.register(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), select.POLLIN)
while not poll.poll(100) and running.poll() is None:
    pass
running.send_signal(signal.SIGINT)
text = running.communicate()[0]
print("status", running.returncode)
if not (out / "results.json").exists():
    sys.exit(text)
document = json.loads((out / "results.json").read_text())
print("state", document["state"])
for suite in document["suites"]:
    print(suite["suite"], suite["state"], suite["reason"])
print("page", "interrupted" in (out / "results.html").read_text())
print(text)
