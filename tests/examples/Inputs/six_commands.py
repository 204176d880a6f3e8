"""Runs the commands of a page in a folder: six_commands.py PAGE FOLDER BIN MODEL WRITE_ONNX.

Without torch, MODEL in ONNX's text syntax stands for what the first command exports.
"""

import importlib.util
import os
import re
import subprocess
import sys

page, folder, tools, model, write_onnx = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    block = re.search(r"<!-- six commands -->\n```sh\n(.*?)```", file.read(), re.S)
commands = block[1].strip().split("\n")
assert len(commands) == 6, commands
environment = dict(os.environ, PATH=os.pathsep.join([tools, os.path.dirname(sys.executable), os.environ["PATH"]]))
if not all(importlib.util.find_spec(name) for name in ("torch", "onnx")):
    commands[0] = "write_onnx"
for command in commands:
    print("$", command, flush=True)
    words = command.split()
    if command == "write_onnx":
        words = [sys.executable, write_onnx, model, "net.onnx", "net"]
    elif words[0] == "python":
        words[0] = sys.executable
    elif os.sep in words[0]:
        words[0] = os.path.join(folder, words[0])
    subprocess.run(words, cwd=folder, env=environment, check=True)
